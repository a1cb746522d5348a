/** Bodies of Secrets without their values: a log is passed on more easily than its cluster. */
import { isMapping } from '../../schema/values/index.ts';

const VALUES: ReadonlySet<string> = new Set(['data', 'stringData']);
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const emptiedAll = (values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : '']));

/** A Secret, a part of one, or the operations of a JSON patch, with the values emptied; the names of the values stay. */
export function withoutValues(body: unknown): unknown {
  if (Array.isArray(body))
    return (body as readonly unknown[]).map((each) => (isMapping(each) && 'value' in each ? { ...each, value: '' } : each));
  if (!isMapping(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, unknown] => {
      if (VALUES.has(name) && isMapping(value)) return [name, emptiedAll(value)];
      return [name, name === 'metadata' ? withoutApplied(value) : value];
    }),
  );
}

function withoutApplied(metadata: unknown): unknown {
  if (!isMapping(metadata) || !isMapping(metadata['annotations'])) return metadata;
  return { ...metadata, annotations: Object.fromEntries(Object.entries(metadata['annotations']).filter(([key]) => key !== APPLIED)) };
}

/** Secrets of a dump or a log hold nothing, unless they are asked for: a file is passed on more easily than its cluster. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isMapping } from '../../schema/values/index.ts';
import type { Stored } from './state.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The objects, with the values of Secrets emptied; their keys stay. */
export function emptied(stored: readonly Stored[]): { readonly stored: readonly Stored[]; readonly notes: readonly string[] } {
  let count = 0;
  const empty = stored.map((each) => {
    if (each.object.kind !== 'Secret') return each;
    count++;
    return { ...each, object: withoutValues(each.object) as ApiObject };
  });
  const notes =
    count === 0 ? [] : [`the values of ${count === 1 ? '1 Secret are' : `${count} Secrets are`} emptied (--with-secrets keeps them)`];
  return { stored: empty, notes };
}

const VALUES: ReadonlySet<string> = new Set(['data', 'stringData']);

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
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(annotations as object).filter(([key]) => key !== LAST_APPLIED);
  return kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) };
}

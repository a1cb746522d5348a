/** Objects as the server stores them: decoded by their kind, with its defaults. */
import { decode } from '../../../src/schema/shape/index.ts';
import { type KindName, kindsFor, type ObjectByKind } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';

export const names = namesFor('orch.io');
const kinds = kindsFor(names);
let made = 0;

/** Returns an object of a kind; `name` may be `namespace/name`. Each object is older than the next. */
export function stored<K extends KindName>(
  kind: K,
  name: string,
  parts: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>> = {},
): ObjectByKind[K] {
  const found = kinds.byKind(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  const [first = '', second] = name.split('/');
  const where = found.namespaced ? { namespace: second === undefined ? 'default' : first } : {};
  const metadata = {
    name: second ?? first,
    ...where,
    uid: `uid-${++made}`,
    resourceVersion: String(made),
    creationTimestamp: new Date(Date.UTC(2024, 0, 1) + made * 1000).toISOString().replace('.000', ''),
    ...meta,
  };
  return decode(found.schema, { apiVersion: kinds.apiVersionOf(found), kind, metadata, ...parts }) as ObjectByKind[K];
}

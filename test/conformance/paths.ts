/** Parses the paths of recorded requests, in the names of the recordings. */
import { kindsFor } from '../../src/apiserver/kinds/index.ts';
import { type Kind, namesFor } from '../../src/apiserver/machinery/index.ts';

const kinds = kindsFor(namesFor('k8s.io'));

/** A recorded request that a scenario cannot express. */
export class CannotReplay extends Error {}

export interface RequestPath {
  readonly kind: Kind;
  readonly namespace?: string;
  /** Absent: the collection. */
  readonly name?: string;
  readonly subresource?: string;
  readonly query: URLSearchParams;
}

/**
 * Parses `/apis/GROUP/VERSION/namespaces/NAMESPACE/PLURAL/NAME/SUBRESOURCE?QUERY` with optional parts; throws `CannotReplay` for other
 * paths.
 */
export function readPath(path: string): RequestPath {
  const [plain = '', query] = path.split('?');
  const parts = plain.split('/').filter((part) => part !== '');
  const group = parts[0] === 'apis' ? (parts[1] ?? '') : '';
  const rest = parts.slice(parts[0] === 'apis' ? 3 : 2);
  const [, within, plural = ''] = rest;
  const inNamespace = rest[0] === 'namespaces' && kinds.byPlural(group, plural) !== undefined;
  const [resource = '', name, subresource] = inNamespace ? rest.slice(2) : rest;
  const kind = kinds.byPlural(group, resource);
  if (kind === undefined) throw new CannotReplay(`no kind is known for the path ${path}`);
  return {
    kind,
    query: new URLSearchParams(query),
    ...(inNamespace && within !== undefined ? { namespace: within } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

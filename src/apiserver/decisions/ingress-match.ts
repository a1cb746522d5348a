/** Hosts and paths of Ingress rules against those of a request. Models: the specification of networking/v1 Ingress. */

/** How exactly a rule names a host, 0 for not at all: 3 the very name, 2 a wildcard, 1 any. */
export function hostMatch(rule: string | undefined, host: string): 0 | 1 | 2 | 3 {
  if (rule === undefined || rule === '') return 1;
  const wanted = rule.toLowerCase();
  if (!wanted.startsWith('*.')) return wanted === host ? 3 : 0;
  // The star stands for one label, and one that is there.
  const dot = host.indexOf('.');
  return dot > 0 && host.slice(dot) === wanted.slice(1) ? 2 : 0;
}

/** A Host header or SNI name as rules write it: lower case, no port, no dot at the end. */
export const hostName = (host: string): string =>
  host
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** What interprets `ImplementationSpecific`. */
export type OwnPathType = 'Prefix' | 'Exact';

/** The parts between slashes; one slash at the end adds none. */
const elements = (path: string): readonly string[] => {
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  return parts;
};

export interface PathMatch {
  readonly elements: number;
  readonly exact: boolean;
}

/** How a rule's path matches a request's, undefined if not. Queries do not count. */
export function pathMatch(
  { path = '', pathType }: { readonly path?: string; readonly pathType?: string | null },
  request: string,
  own: OwnPathType,
): PathMatch | undefined {
  const [asked = ''] = request.split(/[?#]/, 1);
  const type = pathType === 'Exact' || pathType === 'Prefix' ? pathType : own;
  if (type === 'Exact')
    return path === asked || (path === '' && asked === '/') ? { elements: elements(asked).length, exact: pathType === 'Exact' } : undefined;
  const [wanted, given] = [elements(path), elements(asked)];
  return wanted.length <= given.length && wanted.every((part, at) => part === given[at])
    ? { elements: wanted.length, exact: false }
    : undefined;
}

/** Matching of hosts and paths of Ingress rules. Models: the specification of networking/v1 Ingress. */

/** The precision of a host match: 3 the exact name, 2 a wildcard, 1 any host, 0 no match. */
export function hostMatch(rule: string | undefined, host: string): 0 | 1 | 2 | 3 {
  if (rule === undefined || rule === '') return 1;
  const wanted = rule.toLowerCase();
  if (!wanted.startsWith('*.')) return wanted === host ? 3 : 0;
  // The star stands for exactly one label.
  const dot = host.indexOf('.');
  return dot > 0 && host.slice(dot) === wanted.slice(1) ? 2 : 0;
}

/** Normalises a Host header or SNI name: lower case, no port, no trailing dot. */
export const hostName = (host: string): string =>
  host
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** How the implementation reads `ImplementationSpecific`. */
export type ImplementationPathType = 'Prefix' | 'Exact';

/** The elements between slashes; one trailing slash adds none. */
const elements = (path: string): readonly string[] => {
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  return parts;
};

export interface PathMatch {
  readonly elements: number;
  readonly exact: boolean;
}

/** Returns how the path of a rule matches that of a request; undefined: no match. Queries are ignored. */
export function pathMatch(
  { path = '', pathType }: { readonly path?: string; readonly pathType?: string | null },
  request: string,
  own: ImplementationPathType,
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

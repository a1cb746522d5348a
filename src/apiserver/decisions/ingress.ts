/**
 * The backend of a request. Of all rules whose host and path match, the order of preference is: the most precise host, the longest path
 * counted in elements, Exact before Prefix, the older Ingress. If none matches: a default backend, preferably of an Ingress that names the
 * host. Over TLS the SNI name selects the secret, and the Host header the backend. Models: the specification of networking/v1 Ingress.
 * Where it leaves a choice to the implementation (ImplementationSpecific paths, ties between Ingresses), the choice is made here.
 */
import type { Ingress, IngressBackend, IngressClass } from '../kinds/index.ts';
import { keyOf, type Names } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';

/** A request to an ingress controller. */
export interface IngressRequest {
  readonly host: string;
  readonly path: string;
  /** Whether it is sent to port 443. */
  readonly tls?: boolean | undefined;
  /** The SNI name of the TLS handshake; absent: the host. */
  readonly sni?: string | undefined;
}

/** The objects that an ingress controller reads: the Ingresses of one class. */
export interface IngressView {
  readonly ingresses: Iterable<Ingress>;
  readonly classes: Iterable<IngressClass>;
  readonly names: Names;
  /** The class of the implementation; it may be absent if only one class is in use. */
  readonly class?: string | undefined;
  /** The meaning of paths of type ImplementationSpecific; Prefix if absent. */
  readonly implementationSpecific?: ImplementationPathType | undefined;
}

/** The backend of a request, and the reason. */
export interface BackendDecision {
  /** `service:port`, or `Kind/name` of a resource; absent: the API defines no backend. */
  readonly backend?: string;
  readonly namespace?: string;
  /** The reason, as a sentence. */
  readonly why: string;
  /** The deciding Ingress, `namespace/name`. */
  readonly by?: string;
  /** The Ingress that terminates TLS, and its secret; without one: the implementation's own, or no termination before the backend. */
  readonly tls?: { readonly by: string; readonly secret?: string };
}

const older = (a: Ingress, b: Ingress): number =>
  compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(keyOf(a), keyOf(b));

function backendText({ service, resource }: IngressBackend): string {
  if (service === undefined) return resource === undefined ? '' : `${resource.kind}/${resource.name}`;
  return `${service.name}:${service.port.name ?? service.port.number ?? ''}`;
}

const none = (why: string, more: Partial<BackendDecision> = {}): BackendDecision => ({ why, ...more });
const sent = (ingress: Ingress, backend: IngressBackend, why: string, tls: BackendDecision['tls']): BackendDecision => ({
  backend: backendText(backend),
  ...(ingress.metadata.namespace === undefined ? {} : { namespace: ingress.metadata.namespace }),
  why,
  by: keyOf(ingress),
  ...(tls === undefined ? {} : { tls }),
});

/** Decides about one request. */
export function backendFor(request: IngressRequest, view: IngressView): BackendDecision {
  const mine = servedBy(view);
  if ('why' in mine) return mine;
  const { ingresses } = mine;
  const tls = request.tls === true ? terminator(hostName(request.sni ?? request.host), ingresses) : undefined;
  if (tls !== undefined && 'why' in tls) return none(tls.why);
  // Without TLS termination the request cannot be read, so only the SNI name is available.
  const host = hostName(tls !== undefined && tls.secret === undefined ? (request.sni ?? request.host) : request.host);
  const best = bestRule(host, request.path, ingresses, view.implementationSpecific ?? 'Prefix');
  if (best !== undefined)
    return sent(best.ingress, best.backend, `${best.place} of Ingress ${keyOf(best.ingress)} matches${best.text}`, tls);
  const fallback = defaultFor(host, ingresses);
  if (fallback !== undefined)
    return sent(
      fallback.ingress,
      fallback.backend,
      `no rule matches ${host}${request.path}; Ingress ${keyOf(fallback.ingress)} has a default backend`,
      tls,
    );
  return none(
    `no rule matches ${host}${request.path}, and no Ingress has a default backend: it is up to the implementation`,
    tls === undefined ? {} : { tls },
  );
}

/** Returns the Ingresses of the class, oldest first, or the reason why there are none. */
function servedBy({ ingresses, classes, names, class: wanted }: IngressView): { readonly ingresses: readonly Ingress[] } | BackendDecision {
  const known = new Set([...classes].map(({ metadata }) => metadata.name));
  const all = [...ingresses];
  const served = all.filter((one) => isServed(one, known, names));
  const mine = (wanted === undefined ? served : served.filter((one) => ingressClassOf(one, names) === wanted)).toSorted(older);
  const inUse = [...new Set(mine.map((one) => ingressClassOf(one, names) ?? ''))].toSorted(compareText);
  if (inUse.length > 1) return none(`several classes are in use (${inUse.join(', ')}): the class is required`);
  if (mine.length > 0) return { ingresses: mine };
  const [ignored] = all.toSorted(older);
  if (ignored === undefined) return none('there is no Ingress');
  const named = ingressClassOf(ignored, names);
  if (named === undefined) return none(`Ingress ${keyOf(ignored)} has no class, so no implementation serves it`);
  if (!served.includes(ignored)) return none(`Ingress ${keyOf(ignored)} is of class ${named}, and there is no IngressClass of that name`);
  return none(`no Ingress is of class ${wanted ?? ''}; ${keyOf(ignored)} is of class ${named}`);
}

/** Returns the entry that terminates TLS for a name: the most precise, then the oldest. Entries without hosts match any name. */
function terminator(
  name: string,
  ingresses: readonly Ingress[],
): { readonly by: string; readonly secret?: string } | { readonly why: string } {
  const entries = ingresses.flatMap((ingress) => (ingress.spec.tls ?? []).map((entry) => ({ by: keyOf(ingress), ...entry })));
  const precision = ({ hosts = [] }: (typeof entries)[number]): number =>
    hosts.length === 0 ? 1 : Math.max(...hosts.map((host) => hostMatch(host, name)));
  const [best] = entries.filter((entry) => precision(entry) > 0).toSorted((a, b) => precision(b) - precision(a));
  if (best !== undefined) return { by: best.by, ...((best.secretName ?? '') === '' ? {} : { secret: best.secretName ?? '' }) };
  return { why: entries.length > 0 ? `no TLS entry matches ${name}` : 'no Ingress has a TLS entry: port 443 is not open' };
}

interface Found {
  readonly ingress: Ingress;
  readonly backend: IngressBackend;
  readonly place: string;
  readonly text: string;
  readonly rank: readonly number[];
}

function bestRule(host: string, path: string, ingresses: readonly Ingress[], own: ImplementationPathType): Found | undefined {
  const found = ingresses.flatMap((ingress) =>
    (ingress.spec.rules ?? []).flatMap((rule, at) => {
      const precision = hostMatch(rule.host, host);
      return (rule.http?.paths ?? []).flatMap((one, index): Found[] => {
        const match = precision === 0 ? undefined : pathMatch(one, path, own);
        if (match === undefined) return [];
        const place = `rules[${at}].http.paths[${index}]`;
        const text = ` ${rule.host ?? ''}${one.path ?? ''} (${one.pathType ?? own})`;
        return [{ ingress, backend: one.backend, place, text, rank: [precision, match.elements, match.exact ? 1 : 0] }];
      });
    }),
  );
  return found.toSorted((a, b) => b.rank.map((value, at) => value - (a.rank[at] ?? 0)).find((more) => more !== 0) ?? 0)[0];
}

function defaultFor(host: string, ingresses: readonly Ingress[]): Pick<Found, 'ingress' | 'backend'> | undefined {
  const precision = ({ ingress: { spec } }: Pick<Found, 'ingress'>): number =>
    Math.max(0, ...(spec.rules ?? []).map((rule) => hostMatch(rule.host, host)));
  return ingresses
    .flatMap((ingress) => (ingress.spec.defaultBackend === undefined ? [] : [{ ingress, backend: ingress.spec.defaultBackend }]))
    .toSorted((a, b) => precision(b) - precision(a))[0];
}

// Models: networking/v1 IngressClass, v1.24
const annotationOf = ({ metadata }: Ingress, names: Names): string | undefined => metadata.annotations?.[names.key('', 'ingress.class')];

/** Returns the class that an Ingress names; undefined: none. */
export const ingressClassOf = (ingress: Ingress, names: Names): string | undefined =>
  annotationOf(ingress, names) ?? ingress.spec.ingressClassName;

/** Whether the class of an Ingress is valid: a field must name an IngressClass; the implementation interprets an annotation. */
function isServed(ingress: Ingress, classes: ReadonlySet<string>, names: Names): boolean {
  const legacy = annotationOf(ingress, names);
  if (legacy !== undefined) return legacy !== '';
  const { ingressClassName } = ingress.spec;
  return ingressClassName !== undefined && classes.has(ingressClassName);
}

// Models: the specification of networking/v1 Ingress.
/** The precision of a host match: 3 the exact name, 2 a wildcard, 1 any host, 0 no match. */
function hostMatch(rule: string | undefined, host: string): 0 | 1 | 2 | 3 {
  if (rule === undefined || rule === '') return 1;
  const wanted = rule.toLowerCase();
  if (!wanted.startsWith('*.')) return wanted === host ? 3 : 0;
  // The star stands for exactly one label.
  const dot = host.indexOf('.');
  return dot > 0 && host.slice(dot) === wanted.slice(1) ? 2 : 0;
}

/** Normalises a Host header or SNI name: lower case, no port, no trailing dot. */
const hostName = (host: string): string =>
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

/** Returns how the path of a rule matches that of a request; undefined: no match. Queries are ignored. */
function pathMatch(
  { path = '', pathType }: { readonly path?: string; readonly pathType?: string | null },
  request: string,
  own: ImplementationPathType,
): { readonly elements: number; readonly exact: boolean } | undefined {
  const [asked = ''] = request.split(/[?#]/, 1);
  const type = pathType === 'Exact' || pathType === 'Prefix' ? pathType : own;
  if (type === 'Exact')
    return path === asked || (path === '' && asked === '/') ? { elements: elements(asked).length, exact: pathType === 'Exact' } : undefined;
  const [wanted, given] = [elements(path), elements(asked)];
  return wanted.length <= given.length && wanted.every((part, at) => part === given[at])
    ? { elements: wanted.length, exact: false }
    : undefined;
}

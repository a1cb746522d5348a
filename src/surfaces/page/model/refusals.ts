/** Requests that the server has refused because of a disruption budget or a quota. */
import type { Entry } from '../../../lab/trace/index.ts';

export interface Refusal {
  readonly step: number;
  /** `create Pod web-*`, `eviction of web-0`. */
  readonly request: string;
  /** Its number among those of one object, from 1. */
  readonly number: number;
}

/** The texts of the server that name the object which refuses. */
const BY = [
  ['PodDisruptionBudget', /disruption budget (\S+) (?:needs|is still)/],
  ['ResourceQuota', /exceeded quota: ([^,\s]+)/],
] as const;
/** The namespace of a request: `create Pod default/web-*`. */
const NAMESPACE = / ([a-z0-9-]+)\//;

/** Returns the object that refused a request, as `kind key`; undefined: neither a budget nor a quota. */
export function refusalIn({ status, request }: Extract<Entry, { type: 'refusal' }>): string | undefined {
  const texts = [status.message ?? '', ...(status.details?.causes ?? []).map(({ message }) => message ?? '')];
  for (const [kind, by] of BY)
    for (const text of texts) {
      const name = by.exec(text)?.[1];
      if (name !== undefined) return `${kind} ${NAMESPACE.exec(request)?.[1] ?? 'default'}/${name}`;
    }
  return undefined;
}

const EVICTION = /^create Pod\/eviction (\S+)$/;

/** A request in a few words; the namespace `default` is left out. */
export const requestIn = (request: string): string => request.replace(EVICTION, 'eviction of $1').replace(' default/', ' ');

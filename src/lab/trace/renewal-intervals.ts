/**
 * Leases that beat in closed form, as they stood at an instant: the renewal that nobody wrote down, with the revision that it would have
 * had. At one instant renewals come before everything else, the older lease first.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { LEASE, type RenewalInterval } from '../../controlplane/runtime/index.ts';
import { formatMicroTime } from '../../schema/values/index.ts';
import type { Trace } from './trace.ts';

export interface Renewal {
  /** When it was committed, milliseconds since the epoch. */
  readonly at: number;
  /** The renewals that it is one of: whose they are. */
  readonly renewalInterval: RenewalInterval;
  readonly revision: number;
}

export interface RenewalIntervals {
  /** The last unseen renewal of a lease up to an instant, if its last write (of revision `since`) came before it. */
  renewal(lease: string, since: number, at: number): Renewal | undefined;
  /** An object as it stood at an instant: `written` is what its last write left. All but leases are what they were. */
  standing(kind: string, key: string, written: ApiObject, at: number): ApiObject;
}

const known = new WeakMap<Trace, RenewalIntervals>();

/** The renewals of a trace; asked for once. A trace that still grows is asked anew by whoever has a new one. */
export function renewalIntervalsOf(trace: Trace): RenewalIntervals {
  let renewalIntervals = known.get(trace);
  if (renewalIntervals === undefined) known.set(trace, (renewalIntervals = createRenewalIntervals(trace)));
  return renewalIntervals;
}

/** Renewals of a pulse up to and including an instant. */
const upTo = ({ firstAt, everyMs, until = Infinity }: RenewalInterval, at: number): number =>
  Math.max(0, Math.floor((Math.min(at, until) - firstAt) / everyMs) + 1);

function createRenewalIntervals(trace: Trace): RenewalIntervals {
  const { renewalIntervals: all = [] } = trace;
  const byLease = new Map<string, RenewalInterval[]>();
  for (const renewalInterval of all) {
    const list = byLease.get(renewalInterval.lease);
    if (list === undefined) byLease.set(renewalInterval.lease, [renewalInterval]);
    else list.push(renewalInterval);
  }
  const revisionAt = revisions(trace);
  const revisionOf = (renewalInterval: RenewalInterval, at: number): number => {
    const before = revisionAt(at);
    let revision = before.revision;
    for (const other of all) {
      revision += upTo(other, at - 1) - upTo(other, before.at);
      if (other.order <= renewalInterval.order) revision += upTo(other, at) - upTo(other, at - 1);
    }
    return revision;
  };
  const renewal = (lease: string, since: number, at: number): Renewal | undefined => {
    const renewalInterval = byLease.get(lease)?.findLast(({ firstAt, until = Infinity }) => firstAt <= Math.min(at, until));
    if (renewalInterval === undefined) return undefined;
    const last = renewalInterval.firstAt + (upTo(renewalInterval, at) - 1) * renewalInterval.everyMs;
    const revision = revisionOf(renewalInterval, last);
    return revision > since ? { at: last, renewalInterval, revision } : undefined;
  };
  return {
    renewal,
    standing(kind, key, written, at) {
      if (kind !== LEASE || !byLease.has(key)) return written;
      const found = renewal(key, Number(written.metadata.resourceVersion), at);
      return found === undefined ? written : renewed(written, found);
    },
  };
}

const renewed = (lease: ApiObject, { at, renewalInterval, revision }: Renewal): ApiObject => ({
  ...lease,
  metadata: { ...lease.metadata, resourceVersion: String(revision) },
  spec: { ...(lease['spec'] as object), renewTime: formatMicroTime(at - renewalInterval.delayMs) },
});

/** The last write before an instant: its own instant, and the revision it reached. */
function revisions({ prologue, entries }: Trace): (before: number) => { readonly at: number; readonly revision: number } {
  const writes: { readonly at: number; readonly revision: number }[] = [];
  for (const list of [prologue, entries])
    for (const entry of list) if (entry.type === 'write') writes.push({ at: entry.at, revision: entry.change.revision });
  return (before) => {
    let low = 0;
    let high = writes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((writes[middle]?.at ?? Infinity) < before) low = middle + 1;
      else high = middle;
    }
    return writes[low - 1] ?? { at: -Infinity, revision: 0 };
  };
}

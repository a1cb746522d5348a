/**
 * Elided lease renewals: the state of a lease at an instant, including the renewals that have no entry, with the revisions that their
 * writes would have had. At one instant renewals come before all other entries, the older lease first.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { LEASE, type RenewalInterval } from '../../controlplane/runtime/index.ts';
import { bisect, formatMicroTime, keptIn, pushTo } from '../../schema/values/index.ts';
import type { Trace } from './trace.ts';

export interface Renewal {
  /** When it was committed, milliseconds since the epoch. */
  readonly at: number;
  readonly renewalInterval: RenewalInterval;
  readonly revision: number;
}

export type RenewalIntervals = ReturnType<typeof createRenewalIntervals>;

const known = new WeakMap<Trace, RenewalIntervals>();

/** Returns the renewals of a trace, computed once for each trace object. A trace that has grown needs a new object. */
export const renewalIntervalsOf = (trace: Trace): RenewalIntervals => keptIn(known, trace, () => createRenewalIntervals(trace));

/** The number of renewals of an interval at or before an instant. */
const upTo = ({ firstAt, everyMs, until = Infinity }: RenewalInterval, at: number): number =>
  Math.max(0, Math.floor((Math.min(at, until) - firstAt) / everyMs) + 1);

function createRenewalIntervals(trace: Trace) {
  const { renewalIntervals: all = [] } = trace;
  const byLease = new Map<string, RenewalInterval[]>();
  for (const renewalInterval of all) pushTo(byLease, renewalInterval.lease, renewalInterval);
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
  /** Returns the last elided renewal of a lease at or before `at`, if it is later than the lease's last write (revision `since`). */
  const renewal = (lease: string, since: number, at: number): Renewal | undefined => {
    const renewalInterval = byLease.get(lease)?.findLast(({ firstAt, until = Infinity }) => firstAt <= Math.min(at, until));
    if (renewalInterval === undefined) return undefined;
    const last = renewalInterval.firstAt + (upTo(renewalInterval, at) - 1) * renewalInterval.everyMs;
    const revision = revisionOf(renewalInterval, last);
    return revision > since ? { at: last, renewalInterval, revision } : undefined;
  };
  return {
    renewal,
    /** Returns an object as it was at an instant; `written` is the result of its last write. Only leases differ from it. */
    objectAt(kind: string, key: string, written: ApiObject, at: number): ApiObject {
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

/** Returns a lookup of the last write before an instant: its instant, and its revision. */
function revisions({ prologue, entries }: Trace): (before: number) => { readonly at: number; readonly revision: number } {
  const writes: { readonly at: number; readonly revision: number }[] = [];
  for (const list of [prologue, entries])
    for (const entry of list) if (entry.type === 'write') writes.push({ at: entry.at, revision: entry.change.revision });
  return (before) => writes[bisect(writes, ({ at }) => at < before) - 1] ?? { at: -Infinity, revision: 0 };
}

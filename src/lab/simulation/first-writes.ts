/**
 * The writes of a restored cluster in its first minute, before the first step of its scenario: a cluster that was at rest makes none. Renewals
 * of leases and Events are left out: every restart makes them.
 */
import { addressOf } from '../../controlplane/runtime/index.ts';
import type { Entry, ObjectName } from '../trace/index.ts';

/** A write that the restored state caused. */
export interface FirstWrite {
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
  /** The controller, or the process, that wrote. */
  readonly author: string;
  readonly request: string;
  readonly object: ObjectName;
  /** Why it was made; absent: its author says nothing. */
  readonly why?: string;
}

const WATCHED_MS = 60_000;
/** A cluster that is not at rest writes without end; so many are enough to say so. */
const MOST = 1_000;

const LEFT_OUT: ReadonlySet<string> = new Set(['Lease', 'Event']);

/** Collects the first writes of a run that begins at an instant. A fault, or a write of nobody in the cluster, ends it: others follow from it. */
export function collectFirstWrites(startAt: number, processes: ReadonlySet<string>) {
  const writes: FirstWrite[] = [];
  const reasons = new Map<number, string>();
  const state = { stopped: false };
  return {
    writes: writes as readonly FirstWrite[],
    observe(entry: Entry): void {
      if (state.stopped || writes.length >= MOST) return;
      const isFromOutside = entry.type === 'write' && entry.at >= startAt && entry.actor !== 'server' && !processes.has(entry.actor);
      if (entry.at > startAt + WATCHED_MS || entry.type === 'fault' || isFromOutside) {
        state.stopped = true;
        reasons.clear();
        return;
      }
      if (entry.type === 'reconcile' && entry.writes > 0) reasons.set(entry.id, entry.why);
      if (entry.type !== 'write' || entry.at < startAt || LEFT_OUT.has(entry.change.kind)) return;
      const why = entry.causes.map((cause) => reasons.get(cause)).find((each) => each !== undefined);
      writes.push({
        sinceStartMs: entry.at - startAt,
        author: entry.controller ?? entry.actor,
        request: entry.request,
        object: addressOf(entry.change.object),
        ...(why === undefined ? {} : { why }),
      });
    },
  };
}

/** The reasons for the staleness of a cache: old lists, faults on the connection, or the latency of watch events. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { formatSince } from './line.ts';
import { entryAt, type Entry, type Trace } from './trace.ts';

/** An object whose cached state differed from the server's. */
export interface Unseen {
  readonly kind: string;
  readonly key: string;
  /** missing: absent from the cache; older: an earlier revision is in the cache; gone: in the cache although it was deleted. */
  readonly how: 'missing' | 'older' | 'gone';
  /** The object in the cache. */
  readonly saw?: ApiObject;
  /** The object on the server. */
  readonly was?: ApiObject;
  /** The time of the first change that had not reached the cache, milliseconds since the epoch. */
  readonly since: number;
  /** The revision of that change. */
  readonly revision: number;
}

export interface Reason {
  /** The step that shows the reason. */
  readonly step: number;
  /** A predicate whose subject is the process: `restarted at 6.000s from lists that were 5 s old`. */
  readonly text: string;
}

type FaultEntry = Extract<Entry, { readonly type: 'fault' }>;

/** Returns why the changes had not reached a process at a step, the strongest reason first. */
export function reasonsFor(trace: Trace, step: number, process: string, unseen: readonly Unseen[]): readonly Reason[] {
  const old = oldLists(trace, step, process, unseen);
  const now = entryAt(trace, step)?.at ?? trace.startAt;
  const slow = faultsOn(trace, step, process).filter(({ entry }) =>
    // A relist from an old revision sends the later changes again from its instant on.
    unseen.some(({ kind, since: changedAt }) => delays(entry, kind, Math.max(changedAt, old?.at ?? changedAt), now)),
  );
  const reasons = [
    ...(old?.reasons ?? []),
    ...slow.map(({ step: at, entry }) => ({
      step: at,
      text: `${entry.fault === 'partition' ? 'is cut off' : entry.fault === 'freeze' ? 'is shown a frozen state' : `suffers ${entry.fault}`} since ${since(trace, entry.at)}${given(entry)}`,
    })),
  ];
  return reasons.length > 0 ? reasons : underway(trace, step, process, unseen);
}

const since = (trace: Trace, at: number): string => formatSince(at - trace.startAt);
const given = ({ given: call }: FaultEntry): string => (call === undefined || call.text === '' ? '' : ` (${call.text})`);

/** Returns the faults on a process before a step, the latest first. */
function faultsOn(trace: Trace, step: number, process: string): readonly { readonly step: number; readonly entry: FaultEntry }[] {
  const found: { readonly step: number; readonly entry: FaultEntry }[] = [];
  for (let at = step; at > 0; at--) {
    const entry = entryAt(trace, at);
    if (entry?.type === 'fault' && entry.given?.subject === process) found.push({ step: at, entry });
  }
  return found;
}

/** The faults that delay changes; all but a lag hold them to their end. */
const DELAYING: ReadonlySet<string> = new Set(['lag', 'partition', 'freeze', 'pause']);

/** Whether a fault still delays, at `now`, a change of a kind that was sent at `sentAt`. */
function delays({ at, fault, given: call }: FaultEntry, kind: string, sentAt: number, now: number): boolean {
  if (call === undefined || !DELAYING.has(fault)) return false;
  const { by, for: forMs, kinds } = call.parameters;
  const until = at + (typeof forMs === 'number' ? forMs : Infinity);
  const arrivesAt = fault !== 'lag' ? until : sentAt + (typeof by === 'number' ? by : 0);
  return (!Array.isArray(kinds) || kinds.includes(kind)) && sentAt >= at && sentAt <= until && arrivesAt >= now;
}

/** Returns when the process last started or listed again, and why, if its lists were older than one of the unseen changes. */
function oldLists(trace: Trace, step: number, process: string, unseen: readonly Unseen[]) {
  const faults = faultsOn(trace, step, process);
  for (let at = step; at > 0; at--) {
    const entry = entryAt(trace, at);
    if (entry?.type === 'fault' && entry.fault === 'relist' && entry.given?.subject === process && isOld(entry)) {
      if (unseen.every(({ since: changedAt }) => changedAt > entry.at)) continue;
      return { at: entry.at, reasons: [{ step: at, text: `relisted at ${since(trace, entry.at)} from a stale list${given(entry)}` }] };
    }
    if (entry?.type !== 'process' || entry.process !== process || entry.lists === undefined) continue;
    const { revision, kinds } = entry.lists;
    if (entry.what === 'lists') {
      const shown = unseen.filter(({ kind }) => kinds.some((listed) => listed.kind === kind));
      // Of a kind that it lists often, the last list counts.
      if (shown.length === 0) continue;
      if (!shown.some((one) => one.revision > revision && one.since <= entry.at)) return undefined;
      return {
        at: entry.at,
        reasons: [{ step: at, text: `was answered at ${since(trace, entry.at)} with a list as of revision ${revision}` }],
      };
    }
    // Changes before the start of the process that its lists did not contain.
    if (!unseen.some((one) => one.revision > revision && one.since <= entry.at)) continue;
    const cause = faults.find(({ step: before, entry: fault }) => before < at && fault.fault === 'restart' && isOld(fault));
    const how = cause === undefined ? `, as of revision ${revision}` : given(cause.entry);
    const crash = cause === undefined ? undefined : lastEnd(trace, at, process);
    const what = `was restarted at ${since(trace, entry.at)} from a stale list${how}`;
    const ended =
      crash === undefined ? [] : [{ step: crash.step, text: `had ${crash.what} at ${since(trace, crash.at)}, and lost its cache` }];
    return { at: entry.at, reasons: [{ step: cause?.step ?? at, text: what }, ...ended] };
  }
  return undefined;
}

const isOld = ({ given: call }: FaultEntry): boolean => call?.parameters['staleBy'] !== undefined;

function lastEnd(
  trace: Trace,
  before: number,
  process: string,
): { readonly step: number; readonly what: string; readonly at: number } | undefined {
  for (let step = before - 1; step > 0; step--) {
    const entry = entryAt(trace, step);
    if (entry?.type === 'process' && entry.process === process && (entry.what === 'crashed' || entry.what === 'stopped'))
      return { step, what: entry.what, at: entry.at };
  }
  return undefined;
}

/** The reason where there is no fault: the latency of the watch event, from its delivery. */
function underway(trace: Trace, step: number, process: string, unseen: readonly Unseen[]): readonly Reason[] {
  for (let at = step + 1; at <= trace.entries.length; at++) {
    const entry = entryAt(trace, at);
    if (entry?.type !== 'delivery' || entry.process !== process) continue;
    const late = unseen.find(({ kind, key }) => kind === entry.kind && key === entry.key);
    if (late === undefined) continue;
    return [{ step: at, text: `sees changes late: this one took ${formatSince(entry.at - late.since)}, until ${since(trace, entry.at)}` }];
  }
  return [];
}

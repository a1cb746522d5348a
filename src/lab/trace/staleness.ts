/** What kept a process from seeing what was: lists as of long ago, faults on its connection, or simply the way that changes take. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { formatSince } from './line.ts';
import { entryAt, type Entry, type Trace } from './trace.ts';

/** An object that was not as the process saw it. */
export interface Unseen {
  readonly kind: string;
  readonly key: string;
  /** Not seen at all; seen as it was once; still seen though it was gone. */
  readonly how: 'missing' | 'older' | 'gone';
  /** As the cache held it. */
  readonly saw?: ApiObject;
  /** As the server held it. */
  readonly was?: ApiObject;
  /** When the first change that it had not seen was made, milliseconds since the epoch. */
  readonly since: number;
  /** That change's revision. */
  readonly revision: number;
}

export interface Reason {
  /** The entry that it is told from. */
  readonly step: number;
  /** Said of the process: `restarted at 6.000s from lists that were 5 s old`. */
  readonly text: string;
}

type FaultEntry = Extract<Entry, { readonly type: 'fault' }>;

/** Why a process had not seen these changes at a step, the weightiest first. */
export function reasonsFor(trace: Trace, step: number, process: string, unseen: readonly Unseen[]): readonly Reason[] {
  const old = oldLists(trace, step, process, unseen);
  const now = entryAt(trace, step)?.at ?? trace.startAt;
  const slow = faultsOn(trace, step, process).filter(({ entry }) =>
    // After an old list the changes since set out anew.
    unseen.some(({ kind, since: changedAt }) => delays(entry, kind, Math.max(changedAt, old?.at ?? changedAt), now)),
  );
  const reasons = [
    ...(old?.reasons ?? []),
    ...slow.map(({ step: at, entry }) => ({
      step: at,
      text: `${entry.fault === 'partition' ? 'is cut off' : `suffers ${entry.fault}`} since ${since(trace, entry.at)}${given(entry)}`,
    })),
  ];
  return reasons.length > 0 ? reasons : underway(trace, step, process, unseen);
}

const since = (trace: Trace, at: number): string => formatSince(at - trace.startAt);
const given = ({ given: call }: FaultEntry): string => (call === undefined || call.text === '' ? '' : ` (${call.text})`);

/** Faults on a process before a step, the latest first. */
function faultsOn(trace: Trace, step: number, process: string): readonly { readonly step: number; readonly entry: FaultEntry }[] {
  const found: { readonly step: number; readonly entry: FaultEntry }[] = [];
  for (let at = step; at > 0; at--) {
    const entry = entryAt(trace, at);
    if (entry?.type === 'fault' && entry.given?.subject === process) found.push({ step: at, entry });
  }
  return found;
}

/** Whether a change of a kind that set out at an instant has been kept from arriving until now by a fault. */
function delays({ at, fault, given: call }: FaultEntry, kind: string, sentAt: number, now: number): boolean {
  if (call === undefined || (fault !== 'lag' && fault !== 'partition')) return false;
  const { by, for: forMs, kinds } = call.parameters;
  const until = at + (typeof forMs === 'number' ? forMs : Infinity);
  const arrivesAt = fault === 'partition' ? until : sentAt + (typeof by === 'number' ? by : 0);
  return (!Array.isArray(kinds) || kinds.includes(kind)) && sentAt >= at && sentAt <= until && arrivesAt >= now;
}

interface OldLists {
  /** When it listed. */
  readonly at: number;
  readonly reasons: readonly Reason[];
}

/** The lists of its last start, or of a relist since, if they were older than what it had not seen. */
function oldLists(trace: Trace, step: number, process: string, unseen: readonly Unseen[]): OldLists | undefined {
  const faults = faultsOn(trace, step, process);
  for (let at = step; at > 0; at--) {
    const entry = entryAt(trace, at);
    if (entry?.type === 'fault' && entry.fault === 'relist' && entry.given?.subject === process && isOld(entry)) {
      if (unseen.every(({ since: changedAt }) => changedAt > entry.at)) continue;
      return { at: entry.at, reasons: [{ step: at, text: `listed again at ${since(trace, entry.at)}, as of long ago${given(entry)}` }] };
    }
    if (entry?.type !== 'process' || entry.process !== process || entry.lists === undefined) continue;
    const { revision } = entry.lists;
    // Changes before its start that its lists did not show.
    if (!unseen.some((one) => one.revision > revision && one.since <= entry.at)) continue;
    const cause = faults.find(({ step: before, entry: fault }) => before < at && fault.fault === 'restart' && isOld(fault));
    const how = cause === undefined ? `, as of revision ${revision}` : given(cause.entry);
    const crash = cause === undefined ? undefined : lastEnd(trace, at, process);
    const what = `was restarted at ${since(trace, entry.at)} from a stale list${how}`;
    const ended =
      crash === undefined ? [] : [{ step: crash.step, text: `had ${crash.what} at ${since(trace, crash.at)}, and forgot all it had seen` }];
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

/** Nothing but the way: when the first of the changes got there. */
function underway(trace: Trace, step: number, process: string, unseen: readonly Unseen[]): readonly Reason[] {
  for (let at = step + 1; at <= trace.entries.length; at++) {
    const entry = entryAt(trace, at);
    if (entry?.type !== 'delivery' || entry.process !== process) continue;
    const late = unseen.find(({ kind, key }) => kind === entry.kind && key === entry.key);
    if (late === undefined) continue;
    return [
      { step: at, text: `hears of changes late: this one took ${formatSince(entry.at - late.since)}, until ${since(trace, entry.at)}` },
    ];
  }
  return [];
}

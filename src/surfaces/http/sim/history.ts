/**
 * The trace of a served cluster: the last entries as lines, and streams that follow it. Each reader has a position in the stored entries,
 * and nothing is written in advance. A reader whose position has been dropped is cut off with a message.
 */
import { type Entry, createRedaction, entryLine, goesOn, renewalIntervalLine, type TraceHead } from '../../../lab/trace/index.ts';
import { weightOf } from '../../../apiserver/store/index.ts';
import type { RenewalInterval } from '../../../controlplane/runtime/index.ts';
import type { Sink, StreamReply } from '../message.ts';

/** What stands of the entries that are kept no more. */
function createBase() {
  const writes = new Map<string, Entry>();
  const turns = new Map<string, Entry[]>();
  let revision = 0;
  return {
    add(entry: Entry): void {
      if (entry.type === 'write') {
        const { kind, key, type } = entry.change;
        ({ revision } = entry.change);
        if (type === 'DELETED') writes.delete(`${kind} ${key}`);
        else {
          const { previous: _, ...change } = entry.change;
          writes.set(`${kind} ${key}`, { ...entry, causes: [], change: { ...change, type: 'ADDED' } });
        }
      } else if (entry.type === 'process') {
        const before = goesOn(entry) ? (turns.get(entry.process) ?? []) : [];
        // A client lists the same again and again, and the last list is what it has.
        const stands = entry.what === 'lists' ? before.filter((other) => !listsSame(other, entry)) : before;
        turns.set(entry.process, [...stands, entry]);
      }
    },
    /** By id, the oldest first. */
    entries(): readonly Entry[] {
      const reported = [...turns.values()].flat().map((entry) => upToDate(entry, revision));
      // Process entries come last, because their lists contain every object.
      return [...[...writes.values()].sort((a, b) => a.id - b.id), ...reported];
    },
  };
}

type Turn = Extract<Entry, { readonly type: 'process' }>;
const kindsOf = ({ lists }: Turn): string => JSON.stringify(lists?.kinds);
const listsSame = (one: Entry, other: Turn): boolean => one.type === 'process' && one.what === 'lists' && kindsOf(one) === kindsOf(other);

function upToDate(entry: Entry, revision: number): Entry {
  if (entry.type !== 'process') return entry;
  const { lists, ...turn } = entry;
  return { ...turn, causes: [], ...(lists === undefined ? {} : { lists: { ...lists, revision } }) };
}

/** Which part of a trace, and how it is told. */
interface Wanted {
  /** The identity of the first entry. */
  readonly from: number;
  /** Goes on as things happen. */
  readonly follow: boolean;
  /** Server-sent events instead of JSON lines. */
  readonly events: boolean;
  /** Of a whole trace: what is kept no more is told in as few entries as say the same of the objects. */
  readonly head?: TraceHead | undefined;
  /** Tells what Secrets hold, instead of numbers: the same number for the same value, within a stream. */
  readonly showSecrets: boolean;
}

export type History = ReturnType<typeof createHistory>;

type State = ReturnType<typeof newState>;

const newState = () => ({
  entries: [] as Entry[],
  weights: [] as number[],
  bytes: 0,
  dropped: 0,
  base: createBase(),
  /** Starts and ends of elided lease renewals, in order. */
  renewalIntervals: [] as RenewalInterval[],
  followers: new Set<Follower>(),
});

interface Follower {
  /** Writes stored entries as far as the client reads. */
  pump(): void;
  end(): void;
}

const ENTRY_BYTES = 400;

const weightOfEntry = (entry: Entry): number =>
  ENTRY_BYTES + (entry.type === 'write' ? weightOf(entry.change.object, entry.change.previous) : 0);

/** `keep`: at least so many entries are stored, within so many bytes of memory, approximately. */
export function createHistory(keep = 100_000, keepBytes = 128 * 1024 * 1024) {
  const state = newState();
  return {
    add(entry: Entry): void {
      const weight = weightOfEntry(entry);
      state.entries.push(entry);
      state.weights.push(weight);
      state.bytes += weight;
      if (state.entries.length >= 2 * keep) drop(state, state.entries.length - keep, Infinity);
      else if (state.bytes > keepBytes) drop(state, 0, keepBytes / 2);
      for (const follower of state.followers) follower.pump();
    },
    /** Receives prologue entries and elided leases, which a whole trace has. */
    onPrologue: state.base.add,
    onRenewalInterval: (renewalInterval: RenewalInterval) => void state.renewalIntervals.push(renewalInterval),
    /** The entries that are wanted, as JSON lines or as server-sent events. */
    stream: (wanted: Wanted): StreamReply => ({
      status: 200,
      headers: { 'content-type': wanted.events ? 'text/event-stream' : 'application/x-ndjson', 'cache-control': 'no-cache' },
      finite: !wanted.follow,
      open: (sink) => open(state, sink, wanted),
    }),
    end() {
      for (const follower of state.followers) follower.end();
    },
  };
}

/** Drops at least so many of the oldest entries, until at most so many bytes are left. */
function drop(state: State, least: number, bytes: number): void {
  const { entries, weights } = state;
  let count = 0;
  while (count < entries.length && (count < least || state.bytes > bytes)) {
    const entry = entries[count];
    if (entry !== undefined) state.base.add(entry);
    state.bytes -= weights[count++] ?? 0;
  }
  state.entries = entries.slice(count);
  state.weights = weights.slice(count);
  state.dropped += count;
}

function open(state: State, sink: Sink, { from, follow, events, head, showSecrets }: Wanted): () => void {
  const redaction = showSecrets ? undefined : createRedaction();
  const base = head === undefined ? [] : state.base.entries();
  let [next, ofBase] = [state.dropped, 0];
  let reported = head === undefined ? Infinity : 0;
  let waits = false;
  const write = (entry: Entry, asEvent: boolean): void => sink.write(textOf(redaction?.entry(entry) ?? entry, asEvent));
  const end = (): void => {
    if (state.followers.delete(follower)) sink.end();
  };
  /** Whether the client has to read first; then it goes on from there. */
  const mustWait = (): boolean => {
    if (sink.full !== true) return false;
    waits = true;
    sink.drained?.(() => {
      waits = false;
      if (state.followers.has(follower)) follower.pump();
    });
    return true;
  };
  const follower: Follower = {
    end,
    pump() {
      if (waits) return;
      for (let entry = base[ofBase]; entry !== undefined; entry = base[++ofBase]) {
        if (mustWait()) return;
        write(entry, false);
      }
      if (next < state.dropped) {
        sink.write(cutText(state, state.dropped - next, events));
        return end();
      }
      for (; reported < state.renewalIntervals.length; reported++) {
        const renewalInterval = state.renewalIntervals[reported];
        if (renewalInterval !== undefined) sink.write(`${renewalIntervalLine(renewalInterval)}\n`);
      }
      while (next < state.dropped + state.entries.length) {
        if (mustWait()) return;
        const entry = state.entries[next++ - state.dropped];
        if (entry !== undefined && entry.id >= from) write(entry, events);
      }
      if (!follow) end();
    },
  };
  state.followers.add(follower);
  if (head !== undefined) sink.write(`${JSON.stringify({ ...head, from: state.entries[0]?.id })}\n`);
  follower.pump();
  return () => state.followers.delete(follower);
}

const textOf = (entry: Entry, events: boolean): string =>
  events ? `id: ${entry.id}\nevent: ${entry.type}\ndata: ${entryLine(entry)}\n\n` : `${entryLine(entry)}\n`;

/** The last line for a reader that was too slow. */
function cutText({ entries }: State, missed: number, events: boolean): string {
  const from = entries[0]?.id;
  const line = JSON.stringify({
    type: 'cut',
    reason: `this reader fell behind: ${missed} entries that it had not read were dropped`,
    ...(from === undefined ? {} : { goOn: `/sim/v1/trace?from=${from}` }),
  });
  return events ? `event: cut\ndata: ${line}\n\n` : `${line}\n`;
}

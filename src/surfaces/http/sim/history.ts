/**
 * The trace of a served cluster: the last entries as lines, and whoever follows it. Readers go at their own pace: each has its place in
 * what is kept, and nothing is written for it in advance. Whoever falls behind what is kept is cut, and told so.
 */
import { weightOf } from '../../../apiserver/store/index.ts';
import type { RenewalInterval } from '../../../controlplane/runtime/index.ts';
import { entryLine, renewalIntervalLine, type Entry, type TraceHead } from '../../../lab/trace/index.ts';
import type { Sink, StreamReply } from '../message.ts';
import { createBase, type Base } from './base.ts';

export interface HistoryOptions {
  /** Entries that are kept at least, bytes permitting. */
  readonly keep?: number;
  /** Bytes of memory, roughly. */
  readonly keepBytes?: number;
}

export interface History {
  add(entry: Entry): void;
  /** Entries before the start, and leases that are renewed unseen: a whole trace has them. */
  readonly onPrologue: (entry: Entry) => void;
  readonly onRenewalInterval: (renewalInterval: RenewalInterval) => void;
  /**
   * Entries from an identity on, as JSON lines or as server-sent events; goes on as things happen if `follow`. With a `head` it is a whole
   * trace: what is kept no more is told in as few entries as say the same of the objects.
   */
  stream(from: number, follow: boolean, events: boolean, head?: TraceHead): StreamReply;
  /** Ends everybody's stream. */
  end(): void;
}

interface State {
  entries: Entry[];
  /** Bytes, entry by entry. */
  weights: number[];
  bytes: number;
  /** Entries that are kept no more. */
  dropped: number;
  /** What they came to. */
  readonly base: Base;
  /** Leases that began to be renewed unseen, or ended, in order. */
  readonly renewalIntervals: RenewalInterval[];
  readonly followers: Set<Follower>;
}

interface Follower {
  /** Writes what there is, as far as the client reads. */
  pump(): void;
  end(): void;
}

const ENTRY_BYTES = 400;

const weightOfEntry = (entry: Entry): number =>
  ENTRY_BYTES + (entry.type === 'write' ? weightOf(entry.change.object, entry.change.previous) : 0);

export function createHistory({ keep = 100_000, keepBytes = 128 * 1024 * 1024 }: HistoryOptions = {}): History {
  const state: State = { entries: [], weights: [], bytes: 0, dropped: 0, base: createBase(), renewalIntervals: [], followers: new Set() };
  return {
    add(entry) {
      const weight = weightOfEntry(entry);
      state.entries.push(entry);
      state.weights.push(weight);
      state.bytes += weight;
      if (state.entries.length >= 2 * keep) drop(state, state.entries.length - keep, Infinity);
      else if (state.bytes > keepBytes) drop(state, 0, keepBytes / 2);
      for (const follower of state.followers) follower.pump();
    },
    onPrologue: state.base.add,
    onRenewalInterval: (renewalInterval) => {
      state.renewalIntervals.push(renewalInterval);
    },
    stream: (from, follow, events, head) => ({
      status: 200,
      headers: { 'content-type': events ? 'text/event-stream' : 'application/x-ndjson', 'cache-control': 'no-cache' },
      open: (sink) => open(state, sink, { from, follow, events, head }),
    }),
    end() {
      for (const follower of state.followers) follower.end();
    },
  };
}

/** Forgets so many of the oldest entries, and more until so few bytes are left. */
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

interface Wanted {
  readonly from: number;
  readonly follow: boolean;
  readonly events: boolean;
  readonly head: TraceHead | undefined;
}

function open(state: State, sink: Sink, { from, follow, events, head }: Wanted): () => void {
  let next = state.dropped;
  let reported = head === undefined ? Infinity : 0;
  let waits = false;
  const end = (): void => {
    if (state.followers.delete(follower)) sink.end();
  };
  const follower: Follower = {
    end,
    pump() {
      if (waits) return;
      if (next < state.dropped) {
        sink.write(cutText(state, state.dropped - next, events));
        return end();
      }
      for (; reported < state.renewalIntervals.length; reported++) {
        const renewalInterval = state.renewalIntervals[reported];
        if (renewalInterval !== undefined) sink.write(`${renewalIntervalLine(renewalInterval)}\n`);
      }
      while (next < state.dropped + state.entries.length) {
        if (sink.full === true) {
          waits = true;
          sink.drained?.(() => {
            waits = false;
            if (state.followers.has(follower)) follower.pump();
          });
          return;
        }
        const entry = state.entries[next++ - state.dropped];
        if (entry !== undefined && entry.id >= from) sink.write(textOf(entry, events));
      }
      if (!follow) end();
    },
  };
  state.followers.add(follower);
  if (head !== undefined) {
    sink.write(`${JSON.stringify({ ...head, from: state.entries[0]?.id })}\n`);
    for (const entry of state.base.entries()) sink.write(`${entryLine(entry)}\n`);
  }
  follower.pump();
  return () => {
    state.followers.delete(follower);
  };
}

const textOf = (entry: Entry, events: boolean): string =>
  events ? `id: ${entry.id}\nevent: ${entry.type}\ndata: ${entryLine(entry)}\n\n` : `${entryLine(entry)}\n`;

/** The last line of somebody who read too slowly. */
function cutText({ entries }: State, missed: number, events: boolean): string {
  const from = entries[0]?.id;
  const line = JSON.stringify({
    type: 'cut',
    reason: `this reader fell behind: ${missed} entries it had not read are kept no more`,
    ...(from === undefined ? {} : { goOn: `/sim/v1/trace?from=${from}` }),
  });
  return events ? `event: cut\ndata: ${line}\n\n` : `${line}\n`;
}

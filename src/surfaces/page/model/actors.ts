/** Who decides: the processes worth a card, with the controllers in them that had a part in the run, and the last sentence of each. */
import { compareText } from '../../../schema/values/index.ts';
import type { Reader } from './reader.ts';

export interface Actor {
  readonly process: string;
  /** The node whose agent it is. */
  readonly node?: string;
  /** Those that wrote or decided something, the busiest first. */
  readonly controllers: readonly string[];
}

/** A decision's sentence, by step. */
export interface Thought {
  readonly step: number;
  readonly why: string;
  readonly key: string;
  /** When it wants to look again. */
  readonly wakeAt?: number;
}

export interface Actors {
  readonly all: readonly Actor[];
  /** By `process controller`. */
  readonly thoughts: ReadonlyMap<string, readonly Thought[]>;
}

const AGENT = 'agent/';
/** Controllers of one process that a card has room for. */
const MOST = 6;
/** Housekeeping counts little: who only keeps events, leases and nodes fresh shall not push out who did the work. */
const HOUSEKEEPING = new Set(['Event', 'Lease', 'Node']);
const LITTLE = 0.01;
const FIRST = ['controller-manager', 'scheduler', 'storage'];

/** Finds out who acts in a trace. */
export function readActors(): Reader<Actors> {
  const thoughts = new Map<string, Thought[]>();
  const did = new Map<string, Map<string, number>>();
  const processes = new Set<string>();
  const count = (process: string, controller: string, by: number): void => {
    const counts = did.get(process) ?? new Map<string, number>();
    did.set(process, counts);
    counts.set(controller, (counts.get(controller) ?? 0) + by);
  };
  const follow: Reader<Actors>['follow'] = (entry, step) => {
    if (entry.type === 'process') processes.add(entry.process);
    if (step === 0) return;
    if (entry.type === 'write' && entry.controller !== undefined)
      count(entry.actor, entry.controller, HOUSEKEEPING.has(entry.change.kind) ? LITTLE : 1);
    if (entry.type !== 'reconcile') return;
    const place = `${entry.process} ${entry.controller}`;
    const list = thoughts.get(place) ?? [];
    thoughts.set(place, list);
    list.push({ step, why: entry.why, key: entry.key, ...(entry.wakeAt === undefined ? {} : { wakeAt: entry.wakeAt }) });
  };
  const actorOf = (process: string): Actor => {
    const node = process.startsWith(AGENT) ? { node: process.slice(AGENT.length) } : {};
    const counts = [...(did.get(process) ?? [])].sort(([a, x], [b, y]) => y - x || compareText(a, b));
    const worked = counts.filter(([, weight]) => weight >= 1);
    const shown = worked.length > 0 ? worked : counts.filter(([name]) => name !== 'leader-election').slice(0, 1);
    return { process, ...node, controllers: shown.slice(0, MOST).map(([name]) => name) };
  };
  return {
    follow,
    soFar: () => ({
      all: [...processes].map(actorOf).sort((a, b) => rankOf(a) - rankOf(b) || compareText(counting(a.process), counting(b.process))),
      thoughts,
    }),
  };
}

/** For an order in which node-2 comes before node-10. */
const counting = (name: string): string => name.replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));

function rankOf({ process, node }: Actor): number {
  if (node !== undefined) return FIRST.length + 1;
  const rank = FIRST.findIndex((name) => process.startsWith(name));
  return rank < 0 ? FIRST.length : rank;
}

/** The last item at or before a step. */
export function lastAt<T extends { readonly step: number }>(list: readonly T[] | undefined, step: number): T | undefined {
  let low = 0;
  let high = list?.length ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list?.[middle]?.step ?? Infinity) <= step) low = middle + 1;
    else high = middle;
  }
  return list?.[low - 1];
}

/** Decisions that are looked through for one about an object. */
const FAR = 400;

/** When a controller, in whatever process, last said that it looks at an object again; undefined: it did not. */
export function nextLook(thoughts: Actors['thoughts'], controller: string, key: string, step: number): number | undefined {
  let last: Thought | undefined;
  for (const [place, list] of thoughts) {
    if (!place.endsWith(` ${controller}`)) continue;
    const end = list.findLastIndex((thought) => thought.step <= step);
    const found = list.slice(Math.max(0, end + 1 - FAR), end + 1).findLast((thought) => thought.key === key);
    if (found !== undefined && found.step > (last?.step ?? -1)) last = found;
  }
  return last?.wakeAt;
}

/** The processes with a card: the controllers in them that took part in the run, and the reasons of their decisions. */
import { bisect, compareText } from '../../../schema/values/index.ts';
import type { Reader } from './log.ts';

export interface Actor {
  readonly process: string;
  /** The node of an agent. */
  readonly node?: string;
  /** Controllers that wrote or decided something, the most active first. */
  readonly controllers: readonly string[];
}

/** The reason of a decision, by step. */
export interface Decision {
  readonly step: number;
  readonly why: string;
  readonly key: string;
  /** When the controller wants to reconcile again. */
  readonly wakeAt?: number;
}

export interface Actors {
  readonly all: readonly Actor[];
  /** By `process controller`. */
  readonly decisions: ReadonlyMap<string, readonly Decision[]>;
  /** By `process controller`, the kind of the controller's keys. */
  readonly reconciles: ReadonlyMap<string, string>;
}

const AGENT = 'agent/';
/** At most so many controllers of one process are shown. */
const MOST = 6;
/**
 * Kinds of housekeeping have little weight: a controller that only writes events, leases and nodes must not displace one that does the
 * work.
 */
const HOUSEKEEPING = new Set(['Event', 'Lease', 'Node']);
const LITTLE = 0.01;
const FIRST = ['controller-manager', 'scheduler', 'storage'];

export function readActors(): Reader<Actors> {
  const decisions = new Map<string, Decision[]>();
  const reconciles = new Map<string, string>();
  const did = new Map<string, Map<string, number>>();
  const processes = new Set<string>();
  const count = (process: string, controller: string, by: number): void => {
    const counts = did.get(process) ?? new Map<string, number>();
    did.set(process, counts);
    counts.set(controller, (counts.get(controller) ?? 0) + by);
  };
  const follow: Reader<Actors>['follow'] = (entry, step) => {
    if (entry.type === 'process') {
      processes.add(entry.process);
      for (const { name, reconciles: kind } of entry.lists?.controllers ?? [])
        if (kind !== undefined) reconciles.set(`${entry.process} ${name}`, kind);
    }
    if (step === 0) return;
    if (entry.type === 'write' && entry.controller !== undefined)
      count(entry.actor, entry.controller, HOUSEKEEPING.has(entry.change.kind) ? LITTLE : 1);
    if (entry.type !== 'reconcile') return;
    const place = `${entry.process} ${entry.controller}`;
    const list = decisions.get(place) ?? [];
    decisions.set(place, list);
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
      decisions,
      reconciles,
    }),
  };
}

/** A sort key by which node-2 precedes node-10. */
const counting = (name: string): string => name.replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));

function rankOf({ process, node }: Actor): number {
  if (node !== undefined) return FIRST.length + 1;
  const rank = FIRST.findIndex((name) => process.startsWith(name));
  return rank < 0 ? FIRST.length : rank;
}

/** The last item at or before a step. */
export const lastAt = <T extends { readonly step: number }>(list: readonly T[] = [], step: number): T | undefined =>
  list[bisect(list, (item) => item.step <= step) - 1];

/** At most so many decisions are searched for one about an object. */
const FAR = 400;

/** When a controller, in any process, last said that it will reconcile an object again; undefined: never. */
export function nextRequeue(decisions: Actors['decisions'], controller: string, key: string, step: number): number | undefined {
  let last: Decision | undefined;
  for (const [place, list] of decisions) {
    if (!place.endsWith(` ${controller}`)) continue;
    const end = list.findLastIndex((decision) => decision.step <= step);
    const found = list.slice(Math.max(0, end + 1 - FAR), end + 1).findLast((decision) => decision.key === key);
    if (found !== undefined && found.step > (last?.step ?? -1)) last = found;
  }
  return last?.wakeAt;
}

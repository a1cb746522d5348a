/** Lifespans of pods and processes, as intervals of steps, for timelines and for layouts that depend on the whole run. */
import { type Entry, stepAt, type Trace } from '../../../lab/trace/index.ts';
import { hasCard } from './cards.ts';
import { nodeOf, phaseOf, type Phase } from './phase.ts';
import type { Reader } from './log.ts';

/** An interval of steps, without its end; one that has not ended goes to Infinity. */
export interface Stretch<What> {
  readonly from: number;
  to: number;
  readonly what: What;
}

export interface PodLife {
  readonly uid: string;
  readonly name: string;
  readonly stretches: Stretch<Phase>[];
}

export type ProcessStatus = 'up' | 'leads' | 'crashed' | 'stopped';

export interface Lifespans {
  readonly pods: readonly PodLife[];
  /** By process. */
  readonly processes: ReadonlyMap<string, readonly Stretch<ProcessStatus>[]>;
  /** Maxima over the run: pods on one node, pods without a node, pods at once, cards. */
  readonly podGrid: { readonly onANode: number; readonly waiting: number; readonly atOnce: number; readonly cards: number };
}

const nothing = () => ({
  pods: new Map<string, PodLife>(),
  open: new Map<string, { readonly life: PodLife; node: string }>(),
  processes: new Map<string, Stretch<ProcessStatus>[]>(),
  counts: new Map<string, number>(),
  cards: new Set<string>(),
  onANode: 0,
  waiting: 0,
  atOnce: 0,
  mostCards: 0,
});
type Gathering = ReturnType<typeof nothing>;

export function readLifespans(): Reader<Lifespans> {
  const of = nothing();
  return {
    follow: (entry, step) => follow(of, entry, step),
    soFar: () => ({
      pods: [...of.pods.values()].filter(({ stretches }) => (stretches.at(-1)?.to ?? 0) > 0),
      processes: of.processes,
      podGrid: { onANode: of.onANode, waiting: of.waiting, atOnce: of.atOnce, cards: of.mostCards },
    }),
  };
}

function follow(of: Gathering, entry: Entry, step: number): void {
  if (entry.type === 'process') turn(of, entry, step);
  else if (entry.type !== 'write') return;
  else if (entry.change.kind === 'Pod') {
    live(of, entry.change, step);
    of.atOnce = Math.max(of.atOnce, of.open.size);
  } else {
    const { uid } = entry.change.object.metadata;
    if (entry.change.type === 'DELETED' || !hasCard(entry.change.object)) of.cards.delete(uid);
    else of.cards.add(uid);
    of.mostCards = Math.max(of.mostCards, of.cards.size);
  }
}

function turn({ processes }: Gathering, { process, what }: Extract<Entry, { type: 'process' }>, step: number): void {
  if (what === 'follows') return;
  const stretches = processes.get(process) ?? [];
  processes.set(process, stretches);
  const last = stretches.at(-1);
  if (what === 'lists') return;
  const next: ProcessStatus = what === 'started' || what === 'retires' ? 'up' : what === 'refused' ? 'stopped' : what;
  if (last?.what === next) return;
  if (last !== undefined) last.to = step;
  stretches.push({ from: step, to: Infinity, what: next });
}

type WriteChange = Extract<Entry, { type: 'write' }>['change'];

function live(of: Gathering, { object, type }: WriteChange, step: number): void {
  const { uid, name } = object.metadata;
  const node = nodeOf(object);
  let known = of.open.get(uid);
  if (known === undefined) {
    known = { life: { uid, name, stretches: [] }, node };
    of.open.set(uid, known);
    of.pods.set(uid, known.life);
    count(of, node, 1);
  } else if (known.node !== node) {
    count(of, known.node, -1);
    count(of, node, 1);
    known.node = node;
  }
  const { stretches } = known.life;
  const last = stretches.at(-1);
  if (type === 'DELETED') {
    if (last !== undefined) last.to = step;
    count(of, node, -1);
    of.open.delete(uid);
    return;
  }
  const what = phaseOf(object);
  if (last?.what === what) return;
  if (last !== undefined) last.to = step;
  stretches.push({ from: step, to: Infinity, what });
}

function count(of: Gathering, node: string, by: number): void {
  const now = (of.counts.get(node) ?? 0) + by;
  of.counts.set(node, now);
  if (node === '') of.waiting = Math.max(of.waiting, now);
  else of.onANode = Math.max(of.onANode, now);
}

/** The status of a process at a step; undefined: no such process has started yet. */
export function processStatusAt({ processes }: Lifespans, process: string, step: number): ProcessStatus | undefined {
  return processes.get(process)?.findLast(({ from }) => from <= step)?.what;
}

export interface FaultSpan {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Processes that are down, and faults with a duration. */
export function faultSpansOf(trace: Trace, { processes }: Lifespans): readonly FaultSpan[] {
  const spans: FaultSpan[] = [];
  for (const [process, stretches] of processes)
    for (const { from, to, what } of stretches)
      if (what === 'crashed' || what === 'stopped') spans.push({ from, to, label: `${process} ${what}` });
  trace.entries.forEach((entry, index) => {
    if (entry.type !== 'fault') return;
    const forMs = entry.given?.parameters['for'];
    if (typeof forMs !== 'number') return;
    spans.push({
      from: index + 1,
      to: stepAt(trace, entry.at + forMs) + 1,
      label: `${entry.fault} ${String(entry.given?.subject ?? '')}`.trim(),
    });
  });
  return spans;
}

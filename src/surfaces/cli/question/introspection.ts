/** Introspection of a process at a moment: the keys in the queues of its controllers, and what each waits for. */
import { introspectionOf, type Introspection, type KeyIntrospection } from '../../../controlplane/runtime/index.ts';
import { introspectionOf as introspectionOfObject } from '../../../lab/simulation/index.ts';
import { formatSince, shortKey, lineParts, type LineParts, type ObjectName } from '../../../lab/trace/index.ts';
import { introspectionAt, situationAt, situationOf, waitingText, blockersOf, type Situation } from '../../../lab/blockers/index.ts';
import { count, table, type Palette, paintParts } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import type { History } from './history.ts';
import { clusterAt, clusterAtEnd } from './replays.ts';
import type { Moment } from './world.ts';
import { storeKey } from '../../../apiserver/machinery/index.ts';

/** Introspection at a moment: of a run by replay, of a trace file derived from later entries. */
export const introspectionIn = ({ run, trace, plugins }: History, { step, at }: Moment): Introspection =>
  run === undefined ? introspectionAt(trace, step, at) : introspectionOf(clusterAt(run, plugins, step));

/** The environment of a pod on its node, or what runs on a node; undefined: nothing yet. It needs a run, because no trace entry has it. */
export function objectIntrospection(
  { run, plugins }: History,
  { step }: Moment,
  { kind, namespace, name }: ObjectName,
): object | undefined {
  if (run === undefined) throw new BadInput('a trace holds no environments; give the scenario that it was made from');
  return introspectionOfObject(clusterAt(run, plugins, step), kind, namespace, name);
}

/** The queues of a process, a line for each key; empty if they are empty. */
export function queueLines(history: History, moment: Moment, process: string, palette: Palette): readonly string[] {
  const { trace } = history;
  const found = introspectionIn(history, moment).processes.find(({ name }) => name === process);
  if (found === undefined) return [];
  const rows = found.controllers.flatMap(({ name, keys }) =>
    keys.flatMap((key) => {
      const holds = holding(key, trace.startAt);
      return holds === '' ? [] : [[name, shortKey(key.key), holds]];
    }),
  );
  const underway = found.underway.map(({ kind, changes }) => `${count(changes, 'change')} of ${kind}`);
  return [
    ...(rows.length === 0 ? [] : ['', palette.strong('queues'), ...table(rows)]),
    ...(underway.length === 0 ? [] : ['', palette.dim(`in delivery to it: ${underway.join(', ')}`)]),
  ];
}

function holding({ queued, writing, delayedUntil, backingOff, wakesAt, failures, awaits }: KeyIntrospection, startAt: number): string {
  const at = (instant: number): string => formatSince(instant - startAt);
  return [
    queued ? 'is queued' : '',
    writing === undefined ? '' : `has ${count(writing.left, 'write')} left: ${writing.why}`,
    delayedUntil === undefined ? '' : `${backingOff ? 'backs off' : 'is delayed'} until ${at(delayedUntil)}`,
    wakesAt === undefined ? '' : `has a timer at ${at(wakesAt)}`,
    failures === 0 ? '' : `has failed ${failures} times in a row`,
    ...awaits.map(({ kind, revision }) => `awaits ${kind} rv ${revision}`),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/**
 * What an object waits for, and the last decision about it, if any. `introspection`: the queues and deliveries at the moment, if the caller
 * has them; otherwise they are derived from the trace.
 */
export function whyNot(name: ObjectName, history: History, moment: Moment, introspection?: Introspection) {
  const found = situationIn(history, moment);
  const situation = introspection === undefined ? found : { ...found, introspection };
  const key = storeKey(name.namespace, name.name);
  return {
    /** The end of a run may be later than its last step. */
    at: { step: moment.step, at: situation.now },
    exists: situation.world.byKey(name.kind, key) !== undefined,
    waits: blockersOf(situation, name),
    lastWord: lastWordOn(situation, name.kind, key),
  };
}

/** After the last entry of a run, its cluster is inspected; before it, and for a trace file, the trace is used. */
function situationIn(history: History, moment: Moment): Situation {
  const { run, trace } = history;
  const { step, at } = moment;
  if (run === undefined) return situationAt(history, moment);
  const cluster = clusterAtEnd(run);
  if (step < trace.entries.length) return situationAt(history, moment, cluster);
  // The end of a run is later than its last entry; a requested instant is exact.
  const isEnd = at === (trace.entries.at(-1)?.at ?? trace.startAt);
  return situationOf(cluster, trace, isEnd ? cluster.now : Math.min(at, cluster.now));
}

/** The last decision of a controller of this kind, preferably of one that has written for the object. */
function lastWordOn({ trace, step, introspection }: Situation, kind: string, key: string): LineParts | undefined {
  const deciders = new Set(
    introspection.processes.flatMap(({ name, controllers }) =>
      controllers.filter(({ reconciles }) => reconciles === kind).map((each) => `${name} ${each.name}`),
    ),
  );
  const last = new Map<string, number>();
  for (let at = step; at > 0; at--) {
    const entry = trace.entries[at - 1];
    if (entry?.type !== 'reconcile' || entry.key !== key) continue;
    const decider = `${entry.process} ${entry.controller}`;
    if (!deciders.has(decider)) continue;
    if (!last.has(decider)) last.set(decider, at);
    if (entry.writes > 0) return lineParts(trace, last.get(decider) ?? at);
  }
  const [any] = [...last.values()].sort((a, b) => b - a);
  return any === undefined ? undefined : lineParts(trace, any);
}

export function whyNotLines(found: ReturnType<typeof whyNot>, { kind, name }: ObjectName, about: string, palette: Palette) {
  const { waits, lastWord, exists } = found;
  const nothing = exists ? `nothing is known that ${kind} ${name} waits for` : `there is no ${kind} ${name}`;
  const lines = [palette.strong(about), '', ...(waits.length > 0 ? waitingText(waits) : [nothing]).map((text) => `  ${text}`)];
  if (lastWord !== undefined) lines.push('', '  the last decision about it:', paintParts(lastWord, palette));
  return lines;
}

/** Explains why something has not happened: what an object waits for at a moment, across its owners, and the last decision about it. */
import { storeKey } from '../../../apiserver/machinery/index.ts';
import type { Introspection } from '../../../controlplane/runtime/index.ts';
import { lineParts, type LineParts, type ObjectName } from '../../../lab/trace/index.ts';
import { situationAt, situationOf, waitingText, blockersOf, type Situation, type Waiting } from '../../../lab/blockers/index.ts';
import { paintParts, type Palette } from '../../report/index.ts';
import type { History } from './history.ts';
import type { Moment } from './moment.ts';

export interface WhyNot {
  /** The moment. The end of a run may be later than its last step. */
  readonly at: Moment;
  readonly exists: boolean;
  readonly waits: readonly Waiting[];
  /** The last decision about the object, if any. */
  readonly lastWord?: LineParts;
}

/** `introspection`: the queues and deliveries at the moment, if the caller has them; otherwise they are derived from the trace. */
export function whyNot(name: ObjectName, history: History, moment: Moment, introspection?: Introspection): WhyNot {
  const found = situationIn(history, moment);
  const situation = introspection === undefined ? found : { ...found, introspection };
  const key = storeKey(name.namespace, name.name);
  const lastWord = lastWordOn(situation, name.kind, key);
  return {
    at: { step: moment.step, at: situation.now },
    exists: situation.world.byKey(name.kind, key) !== undefined,
    waits: blockersOf(situation, name),
    ...(lastWord === undefined ? {} : { lastWord }),
  };
}

/** After the last entry of a run, its cluster is inspected; before it, and for a trace file, the trace is used. */
function situationIn(history: History, moment: Moment): Situation {
  const { run, trace } = history;
  const { step, at } = moment;
  if (run === undefined || step < trace.entries.length) return situationAt(history, moment, run?.cluster);
  // The end of a run is later than its last entry; a requested instant is exact.
  const isEnd = at === (trace.entries.at(-1)?.at ?? trace.startAt);
  return situationOf(run.cluster, trace, isEnd ? run.cluster.now : Math.min(at, run.cluster.now));
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

/** The explanation as lines: one screen. */
export function whyNotLines(
  { waits, lastWord, exists }: WhyNot,
  { kind, name }: ObjectName,
  about: string,
  palette: Palette,
): readonly string[] {
  const lines = [palette.strong(about), ''];
  if (waits.length > 0) lines.push(...waitingText(waits).map((text) => `  ${text}`));
  else lines.push(exists ? `  nothing is known that ${kind} ${name} waits for` : `  there is no ${kind} ${name}`);
  if (lastWord !== undefined) lines.push('', '  the last decision about it:', paintParts(lastWord, palette));
  return lines;
}

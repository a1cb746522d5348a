/** The swimlanes of the timeline: notes, active controllers, node agents, then lifespans of pods. */
import type { Model } from './index.ts';
import type { PodLife } from './lifespans.ts';
import type { Pair } from './pair.ts';
import { NO_SWIMLANE } from './log.ts';

export type Swimlane = {
  readonly name: string;
  readonly y: number;
  readonly h: number;
} & (
  | { readonly is: 'story' }
  /** `key` as in the log: `process controller`. */
  | { readonly is: 'actor'; readonly process: string; readonly keys: readonly string[] }
  | { readonly is: 'pod'; readonly life: PodLife }
  | { readonly is: 'pod-grid'; readonly lifespans: readonly PodLife[] }
);

/** `headed`: whether instants are shown above; of two timelines with one axis, only the first shows them. */
export type Swimlanes = Readonly<ReturnType<typeof swimlanesOf>>;

const TOP = 20;
const BARE_TOP = 4;
const GAP = 3;
/** The gap of two timelines, which have little height. */
const BESIDE_GAP = 2;
/** With more pods they are one chart. */
const MOST_PODS = 8;
const MOST_NODES = 6;

// Distributes over the union; Omit alone would not.
type Unplaced<T> = T extends unknown ? Omit<T, 'y'> : never;

const NOTHING: ReadonlySet<string> = new Set();

/** The swimlanes of a run, from the top. Beside a second run, swimlanes that are equal in both are left out. */
export function swimlanesOf(model: Model, beside?: Pair) {
  const same = beside === undefined ? NOTHING : samePods(beside);
  const swimlanes: Swimlane[] = [];
  const headed = beside?.second !== model;
  let y = headed ? TOP : BARE_TOP;
  const add = (swimlane: Unplaced<Swimlane>): void => {
    if (same.has(swimlane.name) || (beside !== undefined && swimlane.is === 'actor' && isSameActor(beside, swimlane.keys))) return;
    swimlanes.push({ ...swimlane, y });
    y += swimlane.h + (beside === undefined ? GAP : BESIDE_GAP);
  };
  add({ is: 'story', name: 'story', h: 18 });
  const several = new Set<string>();
  const names = model.deciders.flatMap(({ controllers }) => controllers);
  for (const name of names) if (names.indexOf(name) !== names.lastIndexOf(name)) several.add(name);
  for (const { process, controllers } of model.deciders)
    for (const controller of controllers)
      add({
        is: 'actor',
        name: several.has(controller) ? `${controller} · ${process.replace('controller-manager', 'cm')}` : controller,
        process,
        keys: [`${process} ${controller}`, `${process} `],
        h: 13,
      });
  const agents = [...model.agents].slice(0, MOST_NODES);
  for (const [node, { process, controllers }] of agents)
    add({ is: 'actor', name: node, process, keys: ['', ...controllers].map((controller) => `${process} ${controller}`), h: 13 });
  const { pods } = model.lifespans;
  if (pods.length > MOST_PODS) add({ is: 'pod-grid', name: `${pods.length} pods`, lifespans: pods, h: 52 });
  else for (const life of pods) add({ is: 'pod', name: life.name, life, h: 13 });
  return { swimlanes, headed, height: y + 2 };
}

/** Names of pods whose lifespans are equal in both runs, by instant. */
function samePods({ first, second }: Pick<Pair, 'first' | 'second'>): ReadonlySet<string> {
  const mine = new Map(first.lifespans.pods.map((life) => [life.name, textOf(first, life)]));
  return new Set(second.lifespans.pods.flatMap((life) => (mine.get(life.name) === textOf(second, life) ? [life.name] : [])));
}

/** Whether the entries of a swimlane's controllers are equal in both runs, by instant. */
function isSameActor({ first, second }: Pick<Pair, 'first' | 'second'>, keys: readonly string[]): boolean {
  return actsOf(first, keys) === actsOf(second, keys);
}

function actsOf({ reported, trace: { entries, startAt } }: Model, keys: readonly string[]): string {
  const mine = new Set(keys.map((key) => reported.swimlanes.indexOf(key)).filter((swimlane) => swimlane >= 0 && swimlane < NO_SWIMLANE));
  const acts: string[] = [];
  reported.swimlane.forEach((swimlane, at) => {
    if (mine.has(swimlane)) acts.push(`${(entries[(reported.steps[at] ?? 0) - 1]?.at ?? startAt) - startAt} ${reported.tones[at] ?? 0}`);
  });
  return acts.join(', ');
}

const textOf = ({ trace: { entries, startAt }, length }: Model, { uid, stretches }: PodLife): string =>
  [
    uid,
    ...stretches.map(({ from, to, what }) => `${(entries[from - 1]?.at ?? startAt) - startAt} ${what}`.concat(to > length ? ' on' : '')),
  ].join(', ');

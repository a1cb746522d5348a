/**
 * The lanes of the timeline: the story, a lane for each controller that did something and for each node's agent, then the lives of pods.
 */
import { actAlike, alikeIn } from './equivalence.ts';
import type { Model } from './index.ts';
import type { PodLife } from './lifespans.ts';
import type { Pair } from './pair.ts';

export type Swimlane = {
  readonly name: string;
  readonly y: number;
  readonly h: number;
} & (
  | { readonly is: 'story' }
  /** `key` as entries are told: `process controller`. */
  | { readonly is: 'actor'; readonly process: string; readonly keys: readonly string[] }
  | { readonly is: 'pod'; readonly life: PodLife }
  | { readonly is: 'crowd'; readonly lifespans: readonly PodLife[] }
);

export interface Swimlanes {
  /** Instants stand above them; where two stand below each other on one axis, above the first alone. */
  readonly headed: boolean;
  readonly swimlanes: readonly Swimlane[];
  readonly height: number;
}

const TOP = 20;
const BARE_TOP = 4;
const GAP = 3;
/** Where two stand below each other every line counts. */
const BESIDE_GAP = 2;
/** More pods than that are one chart. */
const MOST_PODS = 8;
const MOST_NODES = 6;

// Distributes over the union, which Omit alone would flatten.
type Unplaced<T> = T extends unknown ? Omit<T, 'y'> : never;

const NOTHING: ReadonlySet<string> = new Set();

/** The lanes of a run, from the top; beside another those that are not alike in both. */
export function swimlanesOf(model: Model, beside?: Pair): Swimlanes {
  const alike = beside === undefined ? NOTHING : alikeIn(beside);
  const swimlanes: Swimlane[] = [];
  const headed = beside?.second !== model;
  let y = headed ? TOP : BARE_TOP;
  const add = (swimlane: Unplaced<Swimlane>): void => {
    if (alike.has(swimlane.name) || (beside !== undefined && swimlane.is === 'actor' && actAlike(beside, swimlane.keys))) return;
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
        h: 10,
      });
  const agents = [...model.agents].slice(0, MOST_NODES);
  for (const [node, { process, controllers }] of agents)
    add({ is: 'actor', name: node, process, keys: ['', ...controllers].map((controller) => `${process} ${controller}`), h: 10 });
  const { pods } = model.lifespans;
  if (pods.length > MOST_PODS) add({ is: 'crowd', name: `${pods.length} pods`, lifespans: pods, h: 52 });
  else for (const life of pods) add({ is: 'pod', name: life.name, life, h: 10 });
  return { swimlanes, headed, height: y + 2 };
}

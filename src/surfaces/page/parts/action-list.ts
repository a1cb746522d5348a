/** Everything that can be done to the cluster at the cursor, as one list: to the shown object, the processes, the nodes. */
import { atCursor, canFork, inspected, model, offer, type Offer } from '../state.ts';
import { offerFor as ofProcess } from './decider.tsx';
import { offerFor as ofNode } from './node.tsx';
import { offerFor as ofObject } from './object.tsx';

/** Actions of the first so many nodes: those of others are at the nodes. */
const MOST_NODES = 12;

export function offerActions(): void {
  const of = model.value;
  if (of === undefined || !canFork.value) return;
  const { world } = atCursor(of);
  const about = inspected.value;
  const key = about === undefined ? '' : about.namespace === undefined ? about.name : `${about.namespace}/${about.name}`;
  const held = about === undefined ? undefined : world.find(about.kind, key);
  const nodes = [...of.agents].filter(([name]) => world.find('Node', name) !== undefined).slice(0, MOST_NODES);
  const all: readonly (readonly [name: string, offered: Offer])[] = [
    ...(about === undefined || held === undefined ? [] : [[about.name, ofObject(about.kind, key, about.name)] as const]),
    ...of.deciders.map(({ process }) => [process, ofProcess(process)] as const),
    ...nodes.map(([name, { process }]) => [name, ofNode(name, process, false)] as const),
  ];
  offer.value = {
    title: 'What if, here?',
    faults: all.flatMap(([name, { faults }]) =>
      faults.map(({ say, typed }) => ({ say: say.startsWith(name) ? say : `${name}: ${say}`, typed })),
    ),
  };
}

/** The objects on the stage at a step, in drawing order. Moves the world there. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { cardsOf } from './cards.ts';
import type { Model } from './index.ts';
import { densityOf, type Staged } from './layout.ts';
import { nodeOf } from './phase.ts';
import type { Held } from './world.ts';

export type StagedAt = ReturnType<typeof stagedAt>;

/** The stage at a step, as a process sees it or, without one, the server. */
export function stagedAt(model: Model, step: number, lens: string | undefined, zoomed: string | undefined) {
  const { world, cacheLens } = model;
  world.moveTo(step);
  const { cards, left } = cardsOf(world);
  const nodes = world.list('Node');
  const pods = new Map<string, readonly Held[]>();
  // A canvas reads the world directly, node by node, and needs no sorted lists.
  if (densityOf(model) !== 'canvas')
    for (const node of ['', ...nodes.map(({ object }) => object.metadata.name)]) pods.set(node, world.podsOn(node));
  const gone = lens === undefined ? [] : cacheLens.phantoms(lens, 'Pod').filter((object) => isOf('Pod', object));
  // As the cache has them.
  const phantoms = gone.map((object) => {
    const { namespace, name, uid } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    return { uid, node: nodeOf(object), held: { kind: 'Pod', key, object, at: 0, step: 0, order: 0, place: -1 } };
  });
  const staged: Staged = { cards, nodes, pods, phantoms, ...(zoomed === undefined ? {} : { zoomed }) };
  /** `moreCards`: the number of cards that are not shown. */
  return { ...staged, phantoms, moreCards: left, revision: world.revision };
}

/** The objects on the stage at a step, in drawing order. Moves the world there. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { cardsOf } from './cards.ts';
import type { Model } from './index.ts';
import { densityOf, type Staged } from './layout.ts';
import { nodeOf } from './phase.ts';
import type { Held } from './world.ts';

export interface StagedAt extends Staged {
  readonly nodes: readonly Held[];
  /** Deleted pods that are still in the selected cache, as the cache has them. */
  readonly phantoms: readonly { readonly uid: string; readonly node: string; readonly held: Held }[];
  /** Number of cards that are not shown. */
  readonly moreCards: number;
  readonly revision: number;
}

/** The stage at a step, as a process sees it or, without one, the server. */
export function stagedAt(model: Model, step: number, lens: string | undefined, zoomed: string | undefined): StagedAt {
  const { world, cacheLens } = model;
  world.moveTo(step);
  const { cards, left } = cardsOf(world);
  const nodes = world.list('Node');
  const pods = new Map<string, readonly Held[]>();
  // A canvas reads the world directly, node by node, and needs no sorted lists.
  if (densityOf(model) !== 'canvas')
    for (const node of ['', ...nodes.map(({ object }) => object.metadata.name)]) pods.set(node, world.podsOn(node));
  const gone = lens === undefined ? [] : cacheLens.phantoms(lens, 'Pod').filter((object) => isOf('Pod', object));
  const phantoms = gone.map((object) => {
    const { namespace, name, uid } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    return { uid, node: nodeOf(object), held: { kind: 'Pod', key, object, at: 0, step: 0, order: 0, place: -1 } };
  });
  return {
    cards,
    moreCards: left,
    nodes,
    pods,
    phantoms,
    ...(zoomed === undefined ? {} : { zoomed }),
    revision: world.revision,
  };
}

/** What is on the stage at a step: the world is moved there, and what it holds is put in the order in which it is drawn. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { cardsOf } from './cards.ts';
import type { Model } from './index.ts';
import { crowdingOf, type Staged } from './layout.ts';
import { nodeOf } from './phase.ts';
import type { Held } from './world.ts';

export interface StagedAt extends Staged {
  readonly nodes: readonly Held[];
  /** Pods that are gone and still seen, with the objects as they are seen. */
  readonly phantoms: readonly { readonly uid: string; readonly node: string; readonly held: Held }[];
  /** Cards that there was no room for. */
  readonly moreCards: number;
  readonly now: number;
  readonly revision: number;
}

/** The stage at a step, seen by a process or, without one, by the server. */
export function stagedAt(model: Model, step: number, lens: string | undefined, zoomed: string | undefined): StagedAt {
  const { world, cacheLens } = model;
  world.moveTo(step);
  const { cards, left } = cardsOf(world);
  const nodes = world.list('Node');
  const pods = new Map<string, readonly Held[]>();
  // A canvas asks the world itself, node by node, and needs no lists in order.
  if (crowdingOf(model) !== 'canvas')
    for (const node of ['', ...nodes.map(({ object }) => object.metadata.name)])
      pods.set(
        node,
        [...world.podsOn(node)].sort((a, b) => a.order - b.order),
      );
  const gone = lens === undefined ? [] : cacheLens.phantoms(lens, 'Pod').filter((object) => isOf('Pod', object));
  const phantoms = gone.map((object) => {
    const { namespace, name, uid } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    return { uid, node: nodeOf(object), held: { kind: 'Pod', key, object, at: 0, step: 0, order: 0 } };
  });
  return {
    cards,
    moreCards: left,
    nodes,
    pods,
    phantoms,
    ...(zoomed === undefined ? {} : { zoomed }),
    now: world.at,
    revision: world.revision,
  };
}

/** How invariants read Deployments, and what they remember of their sets. */
import { controllerOf, sameValue } from '../../../apiserver/machinery/index.ts';
import { isOf, type Deployment, type ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';

/** The controller whose writes are judged. */
export const CONTROLLER = 'deployment';
/** A cache may lag for so long: what was available within that time may be what a decision rests on. */
const GRACE_MS = 30_000;
const HASH_LABEL = 'pod-template-hash';

type Template = Deployment['spec']['template'];

export const sameTemplate = (a: Template, b: Template): boolean =>
  a === b || (sameValue(a.spec, b.spec) && sameValue(withoutHash(a.metadata), withoutHash(b.metadata)));

function withoutHash({ labels, ...rest }: Template['metadata']): object {
  const { [HASH_LABEL]: _, ...others } = labels ?? {};
  return { ...rest, labels: others };
}

export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/** Surge rounds up, unavailability down; where both come to nothing one pod may be missing. */
export function bounds(deployment: Deployment): { readonly most: number; readonly least: number } {
  const { replicas, strategy } = deployment.spec;
  if (!isRolling(deployment)) return { most: replicas, least: 0 };
  const { maxSurge = 0, maxUnavailable = 0 } = strategy.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, replicas, true).value ?? 0;
  const down = scaledIntOrPercent(maxUnavailable, replicas, false).value ?? 0;
  return { most: replicas + surge, least: Math.max(0, replicas - (surge === 0 && down === 0 ? 1 : down)) };
}

/** A set as it was left, and how many of its pods were available within the time that a cache may lag. */
export interface Seen {
  readonly set: ReplicaSet;
  /** Somebody else gave it its size since the controller did. */
  readonly byHand: boolean;
  readonly available: readonly (readonly [at: number, count: number])[];
}

/** The most pods that it may have been seen to have available, of those that it wants. */
export const availableIn = ({ available }: Seen, size: number): number =>
  Math.min(size, Math.max(0, ...available.map(([, count]) => count)));

/** The Deployment that manages a set, by uid. */
export function managerOf(set: ReplicaSet): string | undefined {
  const owner = controllerOf(set);
  return owner?.kind === 'Deployment' ? owner.uid : undefined;
}

/** The sets of each Deployment by their uids, kept up change by change. */
export interface Sets {
  of(deploymentUid: string): ReadonlyMap<string, Seen>;
  hear(change: Change, now: number, controller: string | undefined): void;
  /** What it remembers. */
  describe(): unknown;
}

const NONE: ReadonlyMap<string, Seen> = new Map();

export function createSets(): Sets {
  const known = new Map<string, Map<string, Seen>>();
  return {
    of: (uid) => known.get(uid) ?? NONE,
    describe: () => known,
    hear({ type, object, previous }, now, controller) {
      if (!isOf('ReplicaSet', object)) return;
      const manager = managerOf(object);
      const before = isOf('ReplicaSet', previous) ? managerOf(previous) : undefined;
      const { uid } = object.metadata;
      const old = known.get(manager ?? '')?.get(uid);
      if (before !== undefined && before !== manager) known.get(before)?.delete(uid);
      if (manager === undefined) return;
      const sets = known.get(manager) ?? new Map<string, Seen>();
      known.set(manager, sets);
      if (type === 'DELETED') sets.delete(uid);
      else sets.set(uid, seen(object, old, now, controller));
      if (sets.size === 0) known.delete(manager);
    },
  };
}

function seen(set: ReplicaSet, old: Seen | undefined, now: number, controller: string | undefined): Seen {
  const resized = old === undefined || old.set.spec.replicas !== set.spec.replicas;
  const byHand = resized ? controller !== CONTROLLER : old.byHand;
  const count = set.status.availableReplicas ?? 0;
  if (old !== undefined && old.available.at(-1)?.[1] === count) return { set, byHand, available: old.available };
  // What stood until a moment ago counts too, so the last one from before that time is kept.
  const kept = (old?.available ?? []).filter((_, at, all) => (all[at + 1]?.[0] ?? now) >= now - GRACE_MS);
  return { set, byHand, available: [...kept, [now, count]] };
}

/** How invariants read Deployments, and the state that they keep of ReplicaSets. */
import { controllerOf, sameValue } from '../../../apiserver/machinery/index.ts';
import { isOf, type Deployment, type ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';

/** The controller whose writes are checked. */
export const CONTROLLER = 'deployment';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a count of this age. */
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

/** Surge rounds up and unavailability rounds down; where both are 0, one pod may be unavailable. */
export function bounds(deployment: Deployment): { readonly most: number; readonly least: number } {
  const { replicas, strategy } = deployment.spec;
  if (!isRolling(deployment)) return { most: replicas, least: 0 };
  const { maxSurge = 0, maxUnavailable = 0 } = strategy.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, replicas, true).value ?? 0;
  const down = scaledIntOrPercent(maxUnavailable, replicas, false).value ?? 0;
  return { most: replicas + surge, least: Math.max(0, replicas - (surge === 0 && down === 0 ? 1 : down)) };
}

/** The last state of a ReplicaSet, with its counts of available pods within the limit of cache staleness. */
export interface Seen {
  readonly set: ReplicaSet;
  /** Another actor has scaled it since the controller did. */
  readonly byHand: boolean;
  readonly available: readonly (readonly [at: number, count: number])[];
}

/** Returns the highest count of available pods that the controller may have observed, limited by the size. */
export const availableIn = ({ available }: Seen, size: number): number =>
  Math.min(size, Math.max(0, ...available.map(([, count]) => count)));

/** Returns the uid of the Deployment that controls a ReplicaSet. */
export function managerOf(set: ReplicaSet): string | undefined {
  const owner = controllerOf(set);
  return owner?.kind === 'Deployment' ? owner.uid : undefined;
}

/** The ReplicaSets of each Deployment by uid, updated at each change. */
export interface Sets {
  of(deploymentUid: string): ReadonlyMap<string, Seen>;
  observe(change: Change, now: number, controller: string | undefined): void;
  /** Returns the state as plain data. */
  describe(): unknown;
}

const NONE: ReadonlyMap<string, Seen> = new Map();

export function createSets(): Sets {
  const known = new Map<string, Map<string, Seen>>();
  return {
    of: (uid) => known.get(uid) ?? NONE,
    describe: () => known,
    observe({ type, object, previous }, now, controller) {
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
  // The last count before the limit of staleness is kept, because it was valid at that time.
  const kept = (old?.available ?? []).filter((_, at, all) => (all[at + 1]?.[0] ?? now) >= now - GRACE_MS);
  return { set, byHand, available: [...kept, [now, count]] };
}

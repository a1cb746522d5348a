/** How invariants read StatefulSets and their pods, and what they remember of a set whose change its controller may not have seen yet. */
import { type ApiObject, controllerOf, type Names, storeKey } from '../../../apiserver/vocabulary/index.ts';
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import type { Facts } from '../invariant.ts';

/** The controller whose writes are judged. */
export const CONTROLLER = 'stateful-set';
/** A cache may lag for so long: what was true within that time may be what a decision rests on. */
export const GRACE_MS = 30_000;

export const asSet = (object: ApiObject | undefined): StatefulSet | undefined =>
  object?.kind === 'StatefulSet' ? (object as StatefulSet) : undefined;
export const asPod = (object: ApiObject | undefined): Pod | undefined => (object?.kind === 'Pod' ? (object as Pod) : undefined);
export const nameOf = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

export const isDying = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
export const isReady = ({ status }: Pod): boolean =>
  status.phase === 'Running' &&
  (status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false);
export const isWell = (pod: Pod): boolean => isReady(pod) && !isDying(pod);
export const revisionOf = (pod: Pod): string => pod.metadata.labels?.['controller-revision-hash'] ?? '';
export const identityOf = (pod: Pod, names: Names): string =>
  pod.metadata.labels?.[names.key('statefulset', 'pod-name')] ?? pod.metadata.name;

/** Of a pod that a set manages: whose it is, and its place; undefined for other pods and other names. */
export interface Place {
  readonly setUid: string;
  readonly setName: string;
  readonly ordinal: number;
}
export function placeOf(pod: Pod | undefined): Place | undefined {
  const owner = pod === undefined ? undefined : controllerOf(pod);
  if (pod === undefined || owner?.kind !== 'StatefulSet') return undefined;
  const digits = pod.metadata.name.startsWith(`${owner.name}-`) ? pod.metadata.name.slice(owner.name.length + 1) : '';
  return /^(0|[1-9]\d*)$/.test(digits) ? { setUid: owner.uid, setName: owner.name, ordinal: Number(digits) } : undefined;
}

/** The set a pod belongs to, as it is stored. */
export function setOf(pod: Pod, facts: Facts): StatefulSet | undefined {
  const owner = controllerOf(pod);
  const found = owner?.kind === 'StatefulSet' ? asSet(facts.get('StatefulSet', storeKey(pod.metadata.namespace, owner.name))) : undefined;
  return found?.metadata.uid === owner?.uid ? found : undefined;
}

export const isOrdered = (set: StatefulSet): boolean => set.spec.podManagementPolicy !== 'Parallel';
export const partitionOf = (set: StatefulSet): number => set.spec.updateStrategy.rollingUpdate?.partition ?? 0;

/** Versions of each set that a decision may rest on: the newest, and those since the one its status has observed. */
export interface Versions {
  hear(change: Change): void;
  of(uid: string): readonly StatefulSet[];
}

const NONE: readonly StatefulSet[] = [];

export function createVersions(): Versions {
  const known = new Map<string, StatefulSet[]>();
  return {
    hear({ type, object }) {
      const set = asSet(object);
      if (set === undefined) return;
      const { uid, generation = 0 } = set.metadata;
      if (type === 'DELETED') {
        known.delete(uid);
        return;
      }
      const versions = known.get(uid) ?? [];
      const last = versions.at(-1);
      // A status is written last in a sync, and only on the newest version: then nothing rests on older ones.
      const observed = set.status !== last?.status && (set.status.observedGeneration ?? 0) >= generation;
      if (observed || last === undefined) known.set(uid, [set]);
      else if (last.metadata.generation === generation) versions[versions.length - 1] = set;
      else versions.push(set);
    },
    of: (uid) => known.get(uid) ?? NONE,
  };
}

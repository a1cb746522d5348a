/** How invariants read StatefulSets and their pods. */
import { type ApiObject, controllerOf, type Names, storeKey } from '../../../apiserver/machinery/index.ts';
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Facts } from '../invariant.ts';

/** The controller whose writes are checked. */
export const CONTROLLER = 'stateful-set';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a state of this age. */
export const GRACE_MS = 30_000;

const asSet = (object: ApiObject | undefined): StatefulSet | undefined =>
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

/** The set of a pod, and its ordinal; undefined for pods of no set and for other names. */
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

/** Returns the stored set to which a pod belongs. */
export function setOf(pod: Pod, facts: Facts): StatefulSet | undefined {
  const owner = controllerOf(pod);
  const found = owner?.kind === 'StatefulSet' ? asSet(facts.get('StatefulSet', storeKey(pod.metadata.namespace, owner.name))) : undefined;
  return found?.metadata.uid === owner?.uid ? found : undefined;
}

export const isOrdered = (set: StatefulSet): boolean => set.spec.podManagementPolicy !== 'Parallel';
export const partitionOf = (set: StatefulSet): number => set.spec.updateStrategy.rollingUpdate?.partition ?? 0;

/** How many pods a workload wants, and how many are available, by its status. */
import { controllerOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../apiserver/kinds/index.ts';

export interface Availability {
  readonly wanted: number;
  readonly available: number;
}

const KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

/** Whether an object keeps pods running, and no other does so through it. */
export const isWorkload = (object: ApiObject): boolean => KINDS.has(object.kind) && controllerOf(object) === undefined;

export function availabilityOf(object: ApiObject): Availability {
  if (object.kind === 'DaemonSet') {
    const { status } = object as DaemonSet;
    return { wanted: status.desiredNumberScheduled, available: status.numberAvailable ?? 0 };
  }
  const { spec, status } = object as Deployment | ReplicaSet | StatefulSet;
  return { wanted: spec.replicas ?? 1, available: status.availableReplicas ?? 0 };
}

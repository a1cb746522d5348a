/**
 * The Deployments that a change of a set or a pod enqueues. Models: v1.24 pkg/controller/deployment addReplicaSet, updateReplicaSet,
 * deletePod.
 */
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { Delta, ObserveContext } from '../../runtime/index.ts';
import { concernedKeys, referenced } from '../../shared/index.ts';

export const deploymentsOfSet = concernedKeys('Deployment');

/** Deployments that wait until the last old pod is gone. */
export function deploymentsOfPod({ type, object: pod }: Delta<'Pod'>, context: ObserveContext): readonly string[] {
  const owner = type === 'DELETED' ? controllerOf(pod) : undefined;
  const set = referenced('ReplicaSet', pod.metadata.namespace, owner, context);
  if (set === undefined) return [];
  const deployment = referenced('Deployment', set.metadata.namespace, controllerOf(set), context);
  return deployment?.spec.strategy.type === 'Recreate' ? [keyOf(deployment)] : [];
}

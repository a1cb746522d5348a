/**
 * The Deployments that a change of a set or a pod enqueues. Models: v1.24 pkg/controller/deployment addReplicaSet, updateReplicaSet,
 * deletePod.
 */
import { controllerOf, keyOf, type ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Delta, ObserveContext } from '../../runtime/index.ts';
import { referenced } from '../../shared/index.ts';

/** The Deployment that controls a set, if its uid is the same. */
const managerOf = (set: ApiObject, context: ObserveContext): Deployment | undefined =>
  referenced('Deployment', set.metadata.namespace, controllerOf(set), context);

const keysOf = (...found: readonly (Deployment | undefined)[]): readonly string[] =>
  found.flatMap((each) => (each === undefined ? [] : [keyOf(each)]));

export function deploymentsOfSet({ type, object: set, old }: Delta<'ReplicaSet'>, context: ObserveContext): readonly string[] {
  const manager = managerOf(set, context);
  if (type === 'DELETED') return keysOf(manager);
  const before = old === undefined ? undefined : controllerOf(old);
  const owner = controllerOf(set);
  const former = old === undefined || before?.uid === owner?.uid ? undefined : managerOf(old, context);
  if (owner !== undefined) return keysOf(former, manager);
  // Without a controller reference: every Deployment that selects it may adopt it.
  const { labels, namespace = '' } = set.metadata;
  if (old !== undefined && before === undefined && old.metadata.labels === labels) return keysOf(former);
  const wanting = context.cache.by('Deployment', 'namespace', namespace).filter(({ spec }) => labelMatcher(spec.selector)(labels));
  return keysOf(former, ...wanting);
}

/** Deployments that wait until the last old pod is gone. */
export function deploymentsOfPod({ type, object: pod }: Delta<'Pod'>, context: ObserveContext): readonly string[] {
  const owner = type === 'DELETED' ? controllerOf(pod) : undefined;
  const set = referenced('ReplicaSet', pod.metadata.namespace, owner, context);
  if (set === undefined) return [];
  const manager = managerOf(set, context);
  return manager?.spec.strategy.type === 'Recreate' ? keysOf(manager) : [];
}

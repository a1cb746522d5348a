/**
 * The sets of a Deployment: those that it controls and still selects, those that it can adopt, and the Deployments that a change of a set
 * or a pod enqueues. Models: v1.24 pkg/controller ReplicaSetControllerRefManager.
 */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Write, Delta, ObserveContext } from '../../runtime/index.ts';
import { claim, objectsToAdopt, concernedKeys, referenced } from '../../shared/index.ts';
import type { DeploymentInput } from './input.ts';
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';

interface Claim {
  readonly sets: readonly ReplicaSet[];
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** The sets of a Deployment, with the adoptions and releases to write. */
export function claimSets({ self: deployment, cache }: DeploymentInput): Claim {
  const matches = labelMatcher(deployment.spec.selector);
  const managed = cache.by('ReplicaSet', 'controllerUid', deployment.metadata.uid);
  const orphans = objectsToAdopt('ReplicaSet', deployment, cache, matches);
  const { kept, writes } = claim(deployment, managed, ({ metadata }) => matches(metadata.labels), orphans);
  return { sets: [...kept, ...orphans], writes };
}

/**
 * The Deployments that a change of a set or a pod enqueues. Models: v1.24 pkg/controller/deployment addReplicaSet, updateReplicaSet,
 * deletePod.
 */
export const deploymentsOfSet = concernedKeys('Deployment');

/** Deployments that wait until the last old pod is gone. */
export function deploymentsOfPod({ type, object: pod }: Delta<'Pod'>, context: ObserveContext): readonly string[] {
  const owner = type === 'DELETED' ? controllerOf(pod) : undefined;
  const set = referenced('ReplicaSet', pod.metadata.namespace, owner, context);
  if (set === undefined) return [];
  const deployment = referenced('Deployment', set.metadata.namespace, controllerOf(set), context);
  return deployment?.spec.strategy.type === 'Recreate' ? [keyOf(deployment)] : [];
}

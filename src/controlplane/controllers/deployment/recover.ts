/** Recovery when a write of a sync was refused. Models: v1.24 pkg/controller/deployment/sync.go getNewReplicaSet, handleErr. */
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { record, type Failure, type Outcome, type RecoverInput, type Write } from '../../runtime/index.ts';
import { namespaceTerminates } from '../../shared/index.ts';
import { newCondition, withCondition } from './conditions.ts';
import { hasDeadline, sameTemplate } from './input.ts';

/** After so many consecutive failures the key waits until something changes. */
const MOST_RETRIES = 15;

/** The outcome after a refused write. */
export function recoverDeployment(input: RecoverInput<'Deployment'>, failure: Failure): Outcome<never> {
  const { self: deployment, failures } = input;
  const { write, status } = failure;
  const reason = status.reason ?? 'error';
  const again = failures < MOST_RETRIES ? 'retry' : 'forget';
  if (namespaceTerminates(status)) return { why: 'its namespace is being deleted, so nothing can be created', writes: [] };
  if (deployment === undefined || write.op !== 'create') return { why: `a write was refused (${reason})`, writes: [], backoff: again };
  const name = write.object.metadata.name ?? '';
  if (reason === 'AlreadyExists') return afterCollision(input, deployment, name, again);
  const message = `Failed to create new replica set "${name}": ${status.message ?? ''}`;
  const condition = newCondition('Progressing', 'False', 'ReplicaSetCreateError', message, input.now);
  return {
    why: `${name} could not be created (${reason})`,
    writes: [
      ...(hasDeadline(deployment)
        ? [statusWith(deployment, { ...deployment.status, conditions: withCondition(deployment.status.conditions ?? [], condition) })]
        : []),
      record(deployment, 'Warning', 'ReplicaSetCreateError', message),
    ],
    backoff: again,
  };
}

/** The name of the new set is taken: by a set that the cache does not show yet, or by one of another template. */
function afterCollision(
  { cache }: RecoverInput<'Deployment'>,
  deployment: Deployment,
  name: string,
  again: 'retry' | 'forget',
): Outcome<never> {
  const taken = cache.get('ReplicaSet', deployment.metadata.namespace, name);
  if (taken === undefined) return { why: `ReplicaSet ${name} exists already but is not in the cache yet`, writes: [], backoff: again };
  if (controllerOf(taken)?.uid === deployment.metadata.uid && sameTemplate(taken.spec.template, deployment.spec.template))
    return { why: `${name} exists already`, writes: [], backoff: again };
  const collisionCount = (deployment.status.collisionCount ?? 0) + 1;
  return {
    why: `${name} belongs to another owner: increase status.collisionCount, which changes the name, and retry`,
    writes: [statusWith(deployment, { ...deployment.status, collisionCount })],
    backoff: again,
  };
}

/** A conflict is ignored: the next sync writes the status again. */
const statusWith = (deployment: Deployment, status: Deployment['status']): Write => ({
  op: 'update',
  subresource: 'status',
  object: { ...deployment, status },
  tolerate: ['Conflict'],
});

/**
 * Rolling back to an earlier template where older clients ask for it, and recovery when a write of a sync was refused. Models: v1.24
 * pkg/controller/deployment/rollback.go; pkg/controller/deployment/sync.go getNewReplicaSet, handleErr.
 */
import { record, update, type Failure, type Outcome, type RecoverInput, type Write } from '../../runtime/index.ts';
import {
  annotationsFrom,
  numberIn,
  revisionOf,
  ROLLBACK,
  sameTemplate,
  withoutHash,
  hasDeadline,
  newCondition,
  withCondition,
} from './input.ts';
import { type Draft, allOf, type Sets } from './sets.ts';
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { GIVES_UP, namespaceTerminates } from '../../shared/index.ts';

/** The requested revision; 0 is the previous one. */
export const rollbackTarget = ({ annotations }: Draft): number | undefined => numberIn(annotations[ROLLBACK]);

/** Rolls back to a revision, or records why that is impossible. Removes the annotation in both cases. */
export function rollBack(draft: Draft, sets: Sets, revision: number): void {
  const { self: deployment } = draft.input;
  const { name } = deployment.metadata;
  const warn = (reason: string, message: string): void => {
    draft.writes.push(record(deployment, 'Warning', reason, message), cleared(draft));
    draft.why.push(message);
  };
  const target = revision === 0 ? lastRevision(draft, sets) : revision;
  if (target === 0) return warn('DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const found = allOf(sets).find(({ set }) => revisionOf(set, draft.keys) === target)?.set;
  if (found === undefined) return warn('DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  const { template } = found.spec;
  if (sameTemplate(template, deployment.spec.template))
    return warn('DeploymentRollbackTemplateUnchanged', `The rollback revision contains the same template as current deployment "${name}"`);
  const message = `Rolled back deployment "${name}" to revision ${target}`;
  const annotations = withoutRollback(annotationsFrom(deployment, found, draft.keys));
  const metadata = { ...template.metadata, labels: withoutHash(template.metadata.labels) };
  draft.writes.push({
    op: 'update',
    object: {
      ...deployment,
      metadata: { ...deployment.metadata, annotations },
      spec: { ...deployment.spec, template: { ...template, metadata } },
    },
    then: { about: deployment, type: 'Normal', reason: 'DeploymentRollback', message },
  });
  draft.why.push(`roll back to revision ${target}`);
}

function withoutRollback({ [ROLLBACK]: _, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
  return rest;
}

const cleared = ({ input }: Draft) =>
  update(input.self, ({ metadata }) => {
    delete metadata.annotations?.[ROLLBACK];
  });

/** The second greatest revision. */
function lastRevision(draft: Draft, sets: Sets): number {
  let [most, second] = [0, 0];
  for (const { set } of allOf(sets)) {
    const revision = revisionOf(set, draft.keys);
    if (revision === undefined) continue;
    if (revision >= most) [most, second] = [revision, most];
    else if (revision > second) second = revision;
  }
  return second;
}

/** After so many consecutive failures the key waits until something changes. */
const MOST_RETRIES = 15;

export function recoverDeployment(input: RecoverInput<'Deployment'>, failure: Failure): Outcome<never> {
  const { self: deployment, failures } = input;
  const { write, status } = failure;
  const reason = status.reason ?? 'error';
  const again = failures < MOST_RETRIES ? 'retry' : 'forget';
  const end = again === 'retry' ? '' : `, and ${GIVES_UP}`;
  if (namespaceTerminates(status)) return { why: 'its namespace is being deleted, so nothing can be created', writes: [] };
  if (deployment === undefined || write.op !== 'create')
    return { why: `a write was refused (${reason})${end}`, writes: [], backoff: again };
  const name = write.object.metadata.name ?? '';
  if (reason === 'AlreadyExists') return afterCollision(input, deployment, name, again);
  const message = `Failed to create new replica set "${name}": ${status.message ?? ''}`;
  const condition = newCondition('Progressing', 'False', 'ReplicaSetCreateError', message, input.now);
  return {
    why: `${name} could not be created (${reason})${end}`,
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

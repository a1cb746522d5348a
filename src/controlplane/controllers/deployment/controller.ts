/**
 * Replaces pods step by step when their template changes, with one ReplicaSet for each template; rolls back to an earlier template where
 * older clients ask for it; and recovers when a write of a sync was refused. Models: v1.24 pkg/controller/deployment, its rollback.go, sync.go
 * getNewReplicaSet, handleErr. Differs: a sync that adopts, or updates annotations of the newest set, ends there and continues when its cache
 * shows the write, where upstream meets a conflict and retries; sizes are patched, with the resourceVersion of the decision.
 */
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watch, record, update } from '../../runtime/index.ts';
import type { Delta, ObserveContext, Failure, Outcome, RecoverInput, Write } from '../../runtime/index.ts';
import { conditionOf, claim, objectsToAdopt, concernedKeys, referenced, GIVES_UP, namespaceTerminates } from '../../shared/index.ts';
import {
  hasDeadline,
  annotationsFrom,
  numberIn,
  revisionOf,
  ROLLBACK,
  sameTemplate,
  withoutHash,
  newCondition,
  withCondition,
} from './input.ts';
import type { DeploymentInput } from './input.ts';
import { activeOf, draftOf, scaleTo, setCondition, settle, createNewest, sort, syncRevision, allOf } from './sets.ts';
import type { Draft, Sets } from './sets.ts';
import { truncateHistory, oldPodsRun, growNewest, shrinkOld, scale, wasRescaled } from './rolling.ts';
import { isComplete, syncRollout, syncStatus } from './status.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';

export const deployment = defineController<'Deployment'>({
  name: 'deployment',
  component: 'deployment-controller',
  reconciles: 'Deployment',
  writes: ['Deployment', 'ReplicaSet'],
  watches: [
    watch('ReplicaSet', concernedKeys('Deployment')),
    watch('Pod', deploymentsOfPod, { predicate: { owners: ['ReplicaSet'], fields: [] } }),
  ],
  models: 'Complete. Reads the API server before adoption. Upstream: pkg/controller/deployment.',
  recover: recoverDeployment,
  reconcile(input) {
    if (!input.expectationsSatisfied) return { backoff: 'keep', ...idle('its cache does not show all of its own writes yet') };
    const claim = claimSets(input);
    if (claim.writes.length > 0) return { why: 'ReplicaSets are adopted or released', writes: claim.writes };
    const draft = draftOf(input);
    const wakeAt = sync(draft, sort(draft, claim.sets));
    return { why: whyOf(input, draft), writes: draft.writes, ...(wakeAt === undefined ? {} : { wakeAt }) };
  },
});

/** Decides; returns when to reconcile again. */
function sync(draft: Draft, sets: Sets): number | undefined {
  const { self } = draft.input;
  if (self.metadata.deletionTimestamp !== undefined) {
    syncRevision(draft, sets);
    syncStatus(draft, sets);
    return undefined;
  }
  notePause(draft);
  if (self.spec.paused === true) {
    resized(draft, sets);
    return undefined;
  }
  const target = rollbackTarget(draft);
  if (target !== undefined) {
    // A rollback writes the template first; the set follows once the cache shows it.
    const all = sets.newest === undefined ? createNewest(draft, sets.old) : sets;
    if (all === sets) syncRevision(draft, sets);
    if (!draft.ends && !draft.settled) rollBack(draft, all, target);
    return undefined;
  }
  syncRevision(draft, sets);
  if (draft.ends) return undefined;
  if (wasRescaled(draft, sets)) {
    resized(draft, sets);
    return undefined;
  }
  return self.spec.strategy.type === 'Recreate' ? recreate(draft, sets) : roll(draft, sets);
}

/** Only scales, while the Deployment is paused or its size changed. */
function resized(draft: Draft, sets: Sets): void {
  const paused = draft.input.self.spec.paused === true;
  if (paused) syncRevision(draft, sets);
  scale(draft, sets);
  if (paused && rollbackTarget(draft) === undefined) truncateHistory(draft, sets.old);
  syncStatus(draft, sets);
}

function roll(draft: Draft, before: Sets): number | undefined {
  const sets = before.newest === undefined ? createNewest(draft, before.old) : before;
  if (!growNewest(draft, sets) && !shrinkOld(draft, sets) && isComplete(draft.input, draft.status)) truncateHistory(draft, sets.old);
  return syncRollout(draft, sets);
}

function recreate(draft: Draft, before: Sets): number | undefined {
  const active = activeOf(before.old);
  for (const old of active) scaleTo(draft, old, 0);
  if (active.length > 0 || oldPodsRun(draft, before)) return syncRollout(draft, before);
  const sets = before.newest === undefined ? createNewest(draft, before.old) : before;
  if (sets.newest !== undefined) scaleTo(draft, sets.newest, draft.input.self.spec.replicas);
  if (isComplete(draft.input, draft.status)) truncateHistory(draft, sets.old);
  return syncRollout(draft, sets);
}

/** Records a pause or a resume, so that paused time does not count. A rollout that has exceeded its deadline keeps its condition. */
function notePause(draft: Draft): void {
  const { self } = draft.input;
  const { paused = false } = self.spec;
  const current = conditionOf(draft.status.conditions, 'Progressing');
  if (!hasDeadline(self) || current?.reason === 'ProgressDeadlineExceeded') return;
  if (paused === (current?.reason === 'DeploymentPaused')) return;
  if (paused) setCondition(draft, 'Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused');
  else setCondition(draft, 'Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
  settle(draft);
}

function whyOf({ self }: DeploymentInput, { why, settled }: Draft): string {
  if (why.length > 0) return why.join('; ');
  const state = describe(self);
  if (self.metadata.deletionTimestamp !== undefined) return `it is being deleted (${state})`;
  if (self.spec.paused === true) return `it is paused (${state})`;
  return settled ? `its counts changed (${state})` : `${state}: nothing to do`;
}

const describe = ({ spec, status }: Deployment): string =>
  `${status.updatedReplicas ?? 0} of ${spec.replicas} pods updated, ${status.availableReplicas ?? 0} available`;

/** The sets that the Deployment controls and still selects, and those that it can adopt. Models: v1.24 ReplicaSetControllerRefManager. */
function claimSets({ self: deployment, cache }: DeploymentInput) {
  const matches = labelMatcher(deployment.spec.selector);
  const managed = cache.controlledBy('ReplicaSet', deployment);
  const orphans = objectsToAdopt('ReplicaSet', deployment, cache, matches);
  const { kept, writes } = claim(deployment, managed, ({ metadata }) => matches(metadata.labels), orphans);
  return { sets: [...kept, ...orphans], writes };
}

/** Deployments that wait until the last old pod is gone. Models: v1.24 pkg/controller/deployment deletePod. */
function deploymentsOfPod({ type, object: pod }: Delta<'Pod'>, context: ObserveContext): readonly string[] {
  const owner = type === 'DELETED' ? controllerOf(pod) : undefined;
  const set = referenced('ReplicaSet', pod.metadata.namespace, owner, context);
  if (set === undefined) return [];
  const deployment = referenced('Deployment', set.metadata.namespace, controllerOf(set), context);
  return deployment?.spec.strategy.type === 'Recreate' ? [keyOf(deployment)] : [];
}

/** The requested revision; 0 is the previous one. */
const rollbackTarget = ({ annotations }: Draft): number | undefined => numberIn(annotations[ROLLBACK]);

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

function recoverDeployment(input: RecoverInput<'Deployment'>, failure: Failure): Outcome<never> {
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

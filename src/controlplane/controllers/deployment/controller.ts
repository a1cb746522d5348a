/**
 * Replaces pods step by step when their template changes, with one ReplicaSet for each template. Models: v1.24 pkg/controller/deployment.
 * Differs: a sync that adopts, or updates annotations of the newest set, ends there and continues when its cache shows the write, where
 * upstream meets a conflict and retries; sizes are patched, with the resourceVersion of the decision.
 */
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watch, type Delta, type ObserveContext } from '../../runtime/index.ts';
import { conditionOf, claim, objectsToAdopt, concernedKeys, referenced } from '../../shared/index.ts';
import { type DeploymentInput, hasDeadline } from './input.ts';
import { activeOf, type Draft, draftOf, scaleTo, setCondition, settle, createNewest, sort, syncRevision, type Sets } from './sets.ts';
import { truncateHistory, oldPodsRun, growNewest, shrinkOld, scale, wasRescaled } from './rolling.ts';
import { recoverDeployment, rollBack, rollbackTarget } from './rollback.ts';
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

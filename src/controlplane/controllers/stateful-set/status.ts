/**
 * The status of a set after a sync. Models: v1.24 pkg/controller/statefulset updateStatefulSet (the counting), completeRollingUpdate,
 * inconsistentStatus.
 */
import type { StatefulSetStatus } from '../../../apiserver/kinds/index.ts';
import { unavailableCount } from './availability.ts';
import type { Draft } from './draft.ts';
import type { SetInput } from './input.ts';
import { liveCount, type SetPods } from './pods.ts';
import type { Revisions } from './revisions.ts';

/** Zeros are omitted where the API omits them. */
export function statusOf(
  input: SetInput,
  pods: SetPods,
  { current, update, collisions }: Revisions,
  draft: Pick<Draft, 'replicas' | 'revisions' | 'current'>,
): StatefulSetStatus {
  const { self: set } = input;
  const ready = pods.ready.size;
  const replicas = pods.members.size + draft.replicas;
  const countOf = (revision: string, besides = 0): number =>
    Math.max(0, liveCount(pods, revision) + (draft.revisions.get(revision) ?? 0) + besides);
  const updated = countOf(update.name);
  // The update is complete: the update revision becomes the current one.
  const complete = set.spec.updateStrategy.type === 'RollingUpdate' && updated === replicas && ready === replicas;
  const ofCurrent = complete ? updated : countOf(current.name, draft.current);
  return {
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    replicas,
    ...(ready === 0 ? {} : { readyReplicas: ready }),
    ...(ofCurrent === 0 ? {} : { currentReplicas: ofCurrent }),
    ...(updated === 0 ? {} : { updatedReplicas: updated }),
    currentRevision: complete ? update.name : current.name,
    updateRevision: update.name,
    collisionCount: collisions,
    availableReplicas: ready - unavailableCount(input, pods),
  };
}

const COMPARED = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'currentRevision',
  'updateRevision',
] as const;

/** Whether a status differs enough to be written. */
export function isRelevant(before: StatefulSetStatus, after: StatefulSetStatus): boolean {
  if ((after.observedGeneration ?? 0) > (before.observedGeneration ?? 0)) return true;
  return COMPARED.some((field) => (before[field] ?? 0) !== (after[field] ?? 0) && (before[field] ?? '') !== (after[field] ?? ''));
}

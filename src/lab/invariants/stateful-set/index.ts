/**
 * Invariants of StatefulSets. Actions of users, evictions and failing nodes are not violations: only the controller's writes are checked.
 */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../observed-generation.ts';
import { onePodPerOrdinal } from './identity.ts';
import { startsInOrder, stopsInReverse } from './order.ts';
import { comesToRestComplete, statusTellsTheTruth } from './status.ts';
import { maxUnavailableRespected, partitionRespected } from './update.ts';

/** All invariants of StatefulSets. */
export const statefulSetInvariants: readonly Invariant[] = [
  onePodPerOrdinal,
  startsInOrder,
  stopsInReverse,
  partitionRespected,
  maxUnavailableRespected,
  observedGenerationIsTrue('StatefulSet', 'stateful-set'),
  statusTellsTheTruth,
  comesToRestComplete,
];

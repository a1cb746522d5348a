/**
 * Invariants of StatefulSets. Actions of users, evictions and failing nodes are not violations: only the controller's writes are checked.
 */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../forms.ts';
import { onePodPerOrdinal, comesToRestComplete, statusTellsTheTruth } from './status.ts';
import { startsInOrder, stopsInReverse, maxUnavailableRespected, partitionRespected } from './moves.ts';

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

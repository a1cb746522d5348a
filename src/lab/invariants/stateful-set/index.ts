/**
 * What must hold of StatefulSets. What people, evictions and failing nodes do to pods is not held against the controller: only its own
 * writes are judged.
 */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../observed-generation.ts';
import { onePodPerOrdinal } from './identity.ts';
import { startsInOrder, stopsInReverse } from './order.ts';
import { comesToRestComplete, statusTellsTheTruth } from './status.ts';
import { maxUnavailableRespected, partitionRespected } from './update.ts';

/** All of them. */
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

/** What must hold of ReplicaSets. What people, evictions and failing nodes do to pods is not held against the controller. */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../observed-generation.ts';
import { comesToRestComplete, noPodTooMany, statusTellsTheTruth } from './pods.ts';

/** All of them. */
export const replicaSetInvariants: readonly Invariant[] = [
  noPodTooMany,
  observedGenerationIsTrue('ReplicaSet', 'replica-set'),
  statusTellsTheTruth,
  comesToRestComplete,
];

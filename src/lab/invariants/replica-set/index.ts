/** Invariants of ReplicaSets. Actions of users, evictions and failing nodes are not violations. */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../observed-generation.ts';
import { comesToRestComplete, noPodTooMany, statusTellsTheTruth } from './pods.ts';

/** All invariants of ReplicaSets. */
export const replicaSetInvariants: readonly Invariant[] = [
  noPodTooMany,
  observedGenerationIsTrue('ReplicaSet', 'replica-set'),
  statusTellsTheTruth,
  comesToRestComplete,
];

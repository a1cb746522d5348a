/**
 * Invariants of Deployments. Edits of ReplicaSets by users, failing pods and failing nodes are not violations: only the controller's writes
 * are checked, against the states that it may have observed.
 */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../forms.ts';
import { availabilityRespected, oldSetsNeverGrow, surgeRespected } from './sizes.ts';
import { comesToRestComplete, oneTemplateWhenComplete, statusTellsTheTruth } from './status.ts';

export const deploymentInvariants: readonly Invariant[] = [
  surgeRespected,
  availabilityRespected,
  oldSetsNeverGrow,
  oneTemplateWhenComplete,
  observedGenerationIsTrue('Deployment', 'deployment'),
  statusTellsTheTruth,
  comesToRestComplete,
];

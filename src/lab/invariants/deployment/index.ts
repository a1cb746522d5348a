/**
 * What must hold of Deployments. What people do to sets, and what failing pods and nodes take, is not held against the controller: only its
 * own writes are judged, by what it may have seen.
 */
import type { Invariant } from '../invariant.ts';
import { observedGenerationIsTrue } from '../observed-generation.ts';
import { availabilityRespected, oldSetsNeverGrow, surgeRespected } from './sizes.ts';
import { comesToRestComplete, oneTemplateWhenComplete, statusTellsTheTruth } from './status.ts';

/** All of them. */
export const deploymentInvariants: readonly Invariant[] = [
  surgeRespected,
  availabilityRespected,
  oldSetsNeverGrow,
  oneTemplateWhenComplete,
  observedGenerationIsTrue('Deployment', 'deployment'),
  statusTellsTheTruth,
  comesToRestComplete,
];

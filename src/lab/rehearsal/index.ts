/** Rehearses a release: installs the old manifests, rolls to the new ones, drains the nodes in turn, and rolls back. */
export { planRehearsal } from './plan.ts';
export { rehearse, type PhaseResult, type Rehearsal } from './rehearse.ts';
export { installed, onDemand, releaseOf } from './release.ts';

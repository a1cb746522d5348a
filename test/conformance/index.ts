/**
 * Replays recorded cases of the real control plane and compares the observable behaviour: a recording becomes a scenario, both become
 * signatures, and signatures are compared within tolerances. Expected differences are listed with their reasons.
 */
export { compare } from './compare.ts';
export { DEVIATIONS, verdictOf } from './deviations.ts';
export { inOrder, type RecordedCase, type TraceLine, type TracedObject } from './recording.ts';
export { elections } from './elections.ts';
export { readNotes, type Story } from './notes.ts';
export { CannotReplay } from './paths.ts';
export { signature } from './signature.ts';
export { runCase } from './run-case.ts';
export { formatResult, replay, tally, type CaseRun } from './suite.ts';
export { isScenario, toScenario } from './to-scenario.ts';
export { viewOf } from './view.ts';

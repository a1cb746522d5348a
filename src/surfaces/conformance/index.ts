/**
 * Replays recorded cases of the real control plane and compares what users would notice: a recording becomes a scenario, both become
 * signatures, signatures are compared within tolerances, and what is meant to differ is named with its reason.
 */
export { compare, type Tolerance } from './compare.ts';
export { DEVIATIONS, judge, type Deviation, type Judgement } from './deviations.ts';
export { inOrder, readCase, readCases, type RecordedActions, type RecordedCase, type TraceLine, type TracedObject } from './recording.ts';
export { elections } from './elections.ts';
export { readNotes, type NotedFault, type Story } from './notes.ts';
export { CannotReplay } from './paths.ts';
export { signature, type Milestone, type Signature } from './signature.ts';
export { runCase } from './run-case.ts';
export { formatResult, replay, tally, type CaseResult, type CaseRun, type RunCase, type SuiteOptions } from './suite.ts';
export { isScenario, toScenario, type ScenarioDocument } from './to-scenario.ts';
export { viewOf } from './view.ts';

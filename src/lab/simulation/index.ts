/** Runs scenarios: `simulate(scenario, { seed })` → `Run`, plain data about what held and what did not. */
export { simulate, type SimulateOptions } from './simulate.ts';
export type { Beat, InvariantResult, Run, RunFailure, Verdict } from './run.ts';
export { evaluate, type Answer } from './expectations.ts';
export { expressionFacts, resolveTarget } from './facts.ts';
export { performWrite, performFault } from './actions.ts';
export { OPERATOR } from './requests.ts';

/** orchsim inside somebody's tests: a property over random scenarios that, when it breaks, leaves a file behind and says how to run it. */
export { checkScenarios, type CheckOptions } from './check-scenarios.ts';

/** Search: random scenarios, shrinking, and what was found as a scenario file. */
export { faultSteps, jobScenarios, jobSpecs, operations, podBehaviors, type ScenarioOptions } from './arbitraries.ts';
export { explore, findingText, type Exploration, type ExploreOptions, type Finding } from './explore.ts';

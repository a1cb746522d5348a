/** Property-based search: random scenarios as plain data, shrinking, and findings as scenario files that run by themselves. */
export { chosenScenarios, type ChoiceOptions } from './choices.ts';
export { explore, findingText, type Exploration, type ExploreOptions, type Finding, type Searched } from './explore.ts';
export { properties, search, type Property, stirredByRestart } from './properties.ts';
export { silences, troubles } from './troubles.ts';
export type { ScenarioSize } from './generator.ts';
export { faultCalls, faults as faultOperations, inOrder, instants, lostAnswers, operations, type WorkloadOperation } from './workload.ts';
export { jobScenarios, jobSpecs, jobStories, podBehaviors, type JobStory, type ScenarioOptions } from './jobs.ts';
export { autoscalerScenarios } from './autoscalers.ts';
export { cronJobScenarios } from './cron-jobs.ts';
export { daemonSetScenarios } from './daemon-sets.ts';
export { deploymentScenarios } from './deployments.ts';
export { leaseScenarios } from './leases.ts';
export { ownershipScenarios } from './ownership.ts';
export { serviceScenarios } from './services.ts';
export { statefulSetScenarios, type StatefulSetScenarioOptions } from './stateful-sets.ts';
export { volumeScenarios } from './volumes.ts';

/** Property-based search: random scenarios as plain data, shrinking, and findings as scenario files that run by themselves. */
export { jobScenarios, type ScenarioOptions } from './scenarios.ts';
export { jobSpecs, jobStories, podBehaviors, type JobStory } from './jobs.ts';
export { faultCalls, faults as faultOperations, inOrder, instants, lostAnswers, operations, type WorkloadOperation } from './workload.ts';
export { explore, findingText, type Exploration, type ExploreOptions, type Finding, type Searched } from './explore.ts';
export { leaseScenarios, type LeaseScenarioOptions } from './leases.ts';
export { silences, troubles } from './steps.ts';
export { stirredByRestart } from './quiescence.ts';
export { properties, search, type Property } from './properties.ts';
export { volumeScenarios, type VolumeScenarioOptions } from './volumes.ts';
export { ownershipScenarios, type OwnershipScenarioOptions } from './ownership.ts';
export { serviceScenarios, type ServiceScenarioOptions } from './services.ts';
export { cronJobScenarios, type CronJobScenarioOptions } from './cron-jobs.ts';
export { statefulSetScenarios, type StatefulSetScenarioOptions } from './stateful-sets.ts';
export { autoscalerScenarios, type AutoscalerScenarioOptions } from './autoscalers.ts';
export { daemonSetScenarios, type DaemonSetScenarioOptions } from './daemon-sets.ts';
export { chosenScenarios, type ChoiceOptions } from './choices.ts';
export { deploymentScenarios, type DeploymentScenarioOptions } from './deployments.ts';

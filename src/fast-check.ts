/**
 * orchsim with fast-check 3 or 4: arbitraries for scenarios and their parts, and a search that shrinks a failure and writes it as a
 * scenario file that `orchsim run` replays. The only entry point that needs fast-check installed.
 */
export { checkScenarios } from './surfaces/testing/index.ts';
export type { CheckOptions } from './surfaces/testing/index.ts';
export {
  chosenScenarios,
  cronJobScenarios,
  explore,
  faultCalls,
  faultOperations,
  findingText,
  inOrder,
  instants,
  jobScenarios,
  jobSpecs,
  jobStories,
  leaseScenarios,
  operations,
  ownershipScenarios,
  podBehaviors,
  properties,
  search,
  serviceScenarios,
  silences,
  autoscalerScenarios,
  daemonSetScenarios,
  deploymentScenarios,
  statefulSetScenarios,
  stirredByRestart,
  troubles,
  volumeScenarios,
} from './lab/explore/index.ts';
export type {
  ChoiceOptions,
  Exploration,
  ExploreOptions,
  Finding,
  JobStory,
  Property,
  ScenarioOptions,
  ScenarioSize as AutoscalerScenarioOptions,
  ScenarioSize as CronJobScenarioOptions,
  ScenarioSize as DaemonSetScenarioOptions,
  ScenarioSize as DeploymentScenarioOptions,
  ScenarioSize as LeaseScenarioOptions,
  ScenarioSize as OwnershipScenarioOptions,
  ScenarioSize as ServiceScenarioOptions,
  ScenarioSize as VolumeScenarioOptions,
  Searched,
  StatefulSetScenarioOptions,
  WorkloadOperation,
} from './lab/explore/index.ts';

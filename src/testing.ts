/**
 * orchsim in tests: run a scenario and assert that it held, with everything that is known when it did not; arbitraries of fast-check
 * for scenarios, and a search that shrinks what it finds and writes it as a scenario file that `orchsim run` replays.
 */
export { simulate } from './lab/simulation/index.ts';
export type { Run, RunFailure, SimulateOptions } from './lab/simulation/index.ts';
export { assertHeld, describeFailures } from './surfaces/report/index.ts';
export { readScenarios } from './lab/vocabulary.ts';
export { checkScenarios } from './surfaces/testing/index.ts';
export type { CheckOptions } from './surfaces/testing/index.ts';
export {
  cronJobScenarios,
  explore,
  faultCalls,
  faultHappenings,
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
  statefulSetScenarios,
  stirredByRestart,
  troubles,
  volumeScenarios,
} from './lab/explore/index.ts';
export type {
  CronJobScenarioOptions,
  Exploration,
  ExploreOptions,
  Finding,
  Happening,
  JobStory,
  LeaseScenarioOptions,
  OwnershipScenarioOptions,
  Property,
  ScenarioOptions,
  Searched,
  ServiceScenarioOptions,
  StatefulSetScenarioOptions,
  VolumeScenarioOptions,
} from './lab/explore/index.ts';

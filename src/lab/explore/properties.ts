/**
 * The properties with which the simulated controllers are searched, one line each: no invariant breaks, whatever users do and whatever
 * fails, and after the faults the cluster converges to its desired state and stays there.
 */
import type fc from 'fast-check';
import type { Scenario } from '../scenario/index.ts';
import { autoscalerScenarios } from './autoscalers.ts';
import { cronJobScenarios } from './cron-jobs.ts';
import { daemonSetScenarios } from './daemon-sets.ts';
import { deploymentScenarios } from './deployments.ts';
import { explore, type Exploration, type ExploreOptions } from './explore.ts';
import { leaseScenarios } from './leases.ts';
import { ownershipScenarios } from './ownership.ts';
import { stirredByRestart } from './quiescence.ts';
import { jobScenarios } from './jobs.ts';
import { serviceScenarios } from './services.ts';
import { statefulSetScenarios } from './stateful-sets.ts';
import { volumeScenarios } from './volumes.ts';

/** A generator of scenarios, each of which must hold whatever its faults. */
export interface Property {
  readonly name: string;
  readonly scenarios: fc.Arbitrary<Scenario>;
}

/** The properties that `npm run explore` searches, one after the other; the arbitraries of fast-check are new on each load. */
export const properties: readonly Property[] = [
  { name: 'job', scenarios: jobScenarios() },
  { name: 'job-tracked', scenarios: jobScenarios({ featureGates: { JobTrackingWithFinalizers: true } }) },
  { name: 'cron-job', scenarios: cronJobScenarios() },
  { name: 'stateful-set', scenarios: statefulSetScenarios() },
  {
    name: 'stateful-set-claims',
    scenarios: statefulSetScenarios({ featureGates: { MaxUnavailableStatefulSet: true, StatefulSetAutoDeletePVC: true }, claims: true }),
  },
  { name: 'deployment', scenarios: deploymentScenarios() },
  { name: 'daemon-set', scenarios: daemonSetScenarios() },
  { name: 'autoscaler', scenarios: autoscalerScenarios() },
  { name: 'lease', scenarios: leaseScenarios() },
  { name: 'volume-attachment', scenarios: volumeScenarios() },
  { name: 'ownership', scenarios: ownershipScenarios() },
  { name: 'endpoints', scenarios: serviceScenarios() },
];

/** Searches for a scenario that breaks a property. */
export const search = ({ scenarios }: Property, options: ExploreOptions): Exploration =>
  explore(scenarios, { wrong: stirredByRestart, ...options });

/**
 * The properties with which the simulated controllers are searched, one line each: no invariant breaks, whatever users do and whatever
 * fails, and after the faults the cluster converges to its desired state and stays there.
 */
import type fc from 'fast-check';
import type { Change } from '../../apiserver/store/index.ts';
import { autoscalerScenarios } from './autoscalers.ts';
import { cronJobScenarios } from './cron-jobs.ts';
import { daemonSetScenarios } from './daemon-sets.ts';
import { deploymentScenarios } from './deployments.ts';
import { type Exploration, explore, type ExploreOptions } from './explore.ts';
import { jobScenarios } from './jobs.ts';
import { leaseScenarios } from './leases.ts';
import { ownershipScenarios } from './ownership.ts';
import { serviceScenarios } from './services.ts';
import { statefulSetScenarios } from './stateful-sets.ts';
import { volumeScenarios } from './volumes.ts';
import type { Scenario } from '../scenario/index.ts';
import type { Run } from '../simulation/index.ts';
import { diffValues, isInstant, summarizeChange } from '../trace/index.ts';

const UNCOUNTED: ReadonlySet<string> = new Set(['Event', 'Lease']);
/** Background work, such as the passes over nodes, ends within this time. */
const SETTLING_MS = 60_000;
const QUIESCENCE_MS = 600_000;

/**
 * Whether a value is a timestamp, absent, or a mapping of such values: an agent repeats the status of its node, an empty slice is annotated
 * with the time of its evaluation.
 */
const isTimestamp = (value: unknown): boolean =>
  isInstant(value) || (typeof value === 'object' && value !== null && Object.values(value).every(isTimestamp));
const isSignificant = ({ type, previous, object }: Change): boolean =>
  type !== 'MODIFIED' ||
  previous === undefined ||
  diffValues(previous, object).some(({ before, after }) => !isTimestamp(before) || !isTimestamp(after));

/**
 * Restarts the control plane and lets some minutes pass. Returns the writes, one line each; every one is an error. A run that did not
 * settle was reported already.
 */
export function stirredByRestart({ cluster, settled }: Run): readonly string[] {
  if (!settled) return [];
  cluster.runUntil(cluster.now + SETTLING_MS);
  const writes = new Set<string>();
  const watching = cluster.observations.subscribe((observation) => {
    if (observation.type !== 'write' || UNCOUNTED.has(observation.change.kind) || !isSignificant(observation.change)) return;
    const { type, kind, key } = observation.change;
    writes.add(
      `in the settled cluster, after a restart of the control plane, ${observation.controller ?? observation.actor} ${type === 'ADDED' ? `creates ${kind} ${key}` : type === 'DELETED' ? `deletes ${kind} ${key}` : `changes ${kind} ${key}: ${summarizeChange(observation.change)}`}`,
    );
  });
  try {
    for (const name of cluster.runtime.names())
      if (!name.startsWith('agent/') && cluster.runtime.crash(name)) cluster.runtime.restart(name, cluster.now + 1000);
    cluster.runUntil(cluster.now + QUIESCENCE_MS);
  } finally {
    watching.unsubscribe();
  }
  return [...writes];
}

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

/**
 * Random scenarios around Jobs, for property tests. They are plain scenario data, so a failing one can be written to a file and run again.
 */
import fc from 'fast-check';
import type { LatencyRange, Scenario, Step } from '../scenario/index.ts';
import { faults, inOrder, operations, type WorkloadOperation } from './workload.ts';
import { jobStories } from './jobs.ts';

/** Options of scenarios with Jobs. */
export interface ScenarioOptions {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The maximum number of Jobs; default 3. */
  readonly maxJobs?: number;
  /** The maximum number of operations and faults; default 6. */
  readonly maxOperations?: number;
  /** false: operations only. */
  readonly faults?: boolean;
  /** Responses are lost as well, which is known to create too many pods for a while, here as upstream. */
  readonly lostAnswers?: boolean;
}

const START_AT = Date.UTC(2024, 2, 1);
const NODES = ['node-0', 'node-1'];
/** Names that operations refer to; those of Jobs that were not created are not found. */
const JOBS = ['j', 'j2', 'j3'];

const latency = (most: readonly number[]): fc.Arbitrary<LatencyRange> =>
  fc.tuple(fc.constantFrom(...most), fc.boolean()).map(([maxMs, jitters]) => ({ minMs: jitters ? 0 : maxMs, maxMs }));

/**
 * Returns whole scenarios: Jobs, the behaviour of their pods, operations and faults, then time without faults until the cluster is settled.
 */
export function jobScenarios({
  featureGates = {},
  maxJobs = 3,
  maxOperations = 6,
  faults: breaking = true,
  lostAnswers = false,
}: ScenarioOptions = {}): fc.Arbitrary<Scenario> {
  const workloadOperation = breaking
    ? fc.oneof(operations(JOBS.slice(0, maxJobs)), faults(NODES.length, lostAnswers))
    : operations(JOBS.slice(0, maxJobs));
  return fc
    .record({
      workloadOperations: fc.array(workloadOperation, { maxLength: maxOperations, size: 'max' }),
      jobs: jobStories(maxJobs),
      api: latency([0, 5, 40]),
      watch: latency([0, 1, 50]),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
    })
    .map(({ workloadOperations, jobs, api, watch, seed }): Scenario => {
      const created = jobs.map(({ atMs, manifest }): WorkloadOperation => [
        { timing: { when: 'at', atMs }, verb: 'create', objects: [manifest] },
      ]);
      return {
        name: 'found',
        title: 'Found by a property',
        seed,
        startAt: START_AT,
        limits: { steps: 500_000, timeMs: 86_400_000 },
        domain: 'orch.io',
        featureGates,
        cluster: {
          nodes: NODES.map((name) => ({ name, capacity: { cpu: '4', memory: '8Gi', pods: '110' } })),
          scheduler: [],
          latency: { api, watch },
          podBehaviors: jobs.map(({ behavior }) => behavior),
          storageDrivers: [],
        },
        namespaces: [],
        manifests: [],
        steps: inOrder([...created, ...workloadOperations]).map(atOnce),
      };
    });
}

/** Steps at the start have no time. */
const atOnce = (step: Step): Step => (step.timing.when === 'at' && step.timing.atMs === 0 ? { ...step, timing: { when: 'next' } } : step);

/**
 * Random scenarios around Jobs: every completion mode, with small numbers, which reach the edge cases; the behaviour of their pods;
 * operations and faults. They are plain scenario data, so a failing one can be written to a file and run again.
 */
import fc from 'fast-check';
import type { PodBehavior } from '../../controlplane/agents/index.ts';
import type { Scenario, SourcedManifest, Step } from '../scenario/index.ts';
import { specOf } from './arbitrary.ts';
import { found, latencies, seeds } from './generator.ts';
import { present } from '../../schema/values/index.ts';
import { SECOND } from './steps.ts';
import { faults, inOrder, operations, type WorkloadOperation } from './workload.ts';

/** Mostly absent; it shrinks to absent. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** The last exit codes are successes: a container that restarts for ever after its Job is deleted would never settle. */
const exitCodes = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 4, size: 'max' }).map((codes) => [...codes, 0]);

/** The behaviour of containers of a Job's pods: mostly short and successful, sometimes failing by attempt or index. */
export const podBehaviors: fc.Arbitrary<Omit<PodBehavior, 'selector'>> = fc
  .record({
    startDelayMs: fc.constantFrom(0, 500, 2 * SECOND),
    readyDelayMs: fc.constantFrom(0, SECOND),
    runForMs: fc.constantFrom(SECOND, 3 * SECOND, 20 * SECOND),
    exitCodes: fc.oneof({ weight: 3, arbitrary: fc.constant([0]) }, { weight: 1, arbitrary: exitCodes }),
    exitCodesByIndex: rarely(fc.dictionary(fc.constantFrom('0', '1', '2', '3'), exitCodes, { minKeys: 1, maxKeys: 2 })),
    terminationDelayMs: fc.constantFrom(0, SECOND, 5 * SECOND),
    terminationExitCode: rarely(fc.constantFrom(0, 1)),
  })
  .map(present);

/** Completions and the mode; a work queue has neither. */
const modes = fc
  .tuple(fc.constantFrom(undefined, 'Indexed', 'WorkQueue'), fc.integer({ min: 1, max: 6 }))
  .map(([mode, completions]) => (mode === 'WorkQueue' ? {} : present({ completionMode: mode, completions })));
const templates = fc
  .constantFrom('Never', 'OnFailure')
  .map((restartPolicy) => ({ spec: { restartPolicy, containers: [{ name: 'c', image: 'sim:1' }] } }));

/** The spec of a Job. */
export const jobSpecs: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(
    modes,
    specOf('Job', {
      completions: undefined,
      completionMode: undefined,
      selector: undefined,
      manualSelector: undefined,
      template: templates,
      parallelism: fc.integer({ min: 1, max: 4 }),
      backoffLimit: fc.integer({ min: 0, max: 3 }),
      suspend: rarely(fc.constant(true)),
      activeDeadlineSeconds: rarely(fc.constantFrom(5, 30)),
      ttlSecondsAfterFinished: rarely(fc.constantFrom(0, 5)),
    }).whole,
  )
  .map(([mode, spec]) => present({ ...mode, ...spec }));

/** A Job, its time of creation, and the behaviour of its pods. */
export interface JobStory {
  readonly name: string;
  readonly atMs: number;
  readonly manifest: SourcedManifest;
  readonly behavior: PodBehavior;
}

/** Returns one Job at the start, and sometimes more of them later. */
export const jobStories = (most: number): fc.Arbitrary<readonly JobStory[]> => {
  const story = (atMs: fc.Arbitrary<number>) => fc.tuple(atMs, jobSpecs, podBehaviors);
  const others = fc.array(story(fc.constantFrom(0, SECOND, 7 * SECOND)), { maxLength: Math.max(0, most - 1), size: 'xsmall' });
  return fc.tuple(story(fc.constant(0)), others).map(([first, rest]) =>
    [first, ...rest].map(([atMs, spec, behavior], index): JobStory => {
      const name = index === 0 ? 'j' : `j${index + 1}`;
      return {
        name,
        atMs,
        manifest: { object: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec } },
        behavior: { selector: { matchLabels: { 'job-name': name } }, ...behavior },
      };
    }),
  );
};

/** The size of scenarios of Jobs, and the gates they are drawn for. */
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

const NODES = ['node-0', 'node-1'];
/** Names that operations refer to; those of Jobs that were not created are not found. */
const JOBS = ['j', 'j2', 'j3'];

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
  const ofUsers = operations(JOBS.slice(0, maxJobs));
  const workloadOperation = breaking ? fc.oneof(ofUsers, faults(NODES.length, lostAnswers)) : ofUsers;
  return fc
    .record({
      workloadOperations: fc.array(workloadOperation, { maxLength: maxOperations, size: 'max' }),
      jobs: jobStories(maxJobs),
      latency: latencies,
      seed: seeds,
    })
    .map(({ workloadOperations, jobs, latency, seed }) => {
      const created = jobs.map(({ atMs, manifest }): WorkloadOperation => [
        { timing: { when: 'at', atMs }, verb: 'create', objects: [manifest] },
      ]);
      return found(NODES, latency, seed, {
        featureGates,
        cluster: { podBehaviors: jobs.map(({ behavior }) => behavior) },
        steps: inOrder([...created, ...workloadOperations]).map(atOnce),
      });
    });
}

/** Steps at the start have no time. */
const atOnce = (step: Step): Step => (step.timing.when === 'at' && step.timing.atMs === 0 ? { ...step, timing: { when: 'next' } } : step);

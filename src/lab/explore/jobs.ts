/** Random Jobs and the behaviour of their pods: every completion mode, with small numbers, which reach the edge cases. */
import fc from 'fast-check';
import type { PodBehavior } from '../../controlplane/agents/index.ts';
import type { SourcedManifest } from '../scenario/index.ts';

const SECOND = 1000;
/** Mostly absent; it shrinks to absent. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ withCrossShrink: true }, { weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
/** Removes the members that are undefined. */
const present = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

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
  .map((behavior) => present(behavior));

/** The spec of a Job. */
export const jobSpecs: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .record({
    mode: fc.constantFrom('NonIndexed', 'Indexed', 'WorkQueue'),
    completions: fc.integer({ min: 1, max: 6 }),
    parallelism: fc.integer({ min: 1, max: 4 }),
    backoffLimit: fc.integer({ min: 0, max: 3 }),
    restartPolicy: fc.constantFrom('Never', 'OnFailure'),
    suspend: rarely(fc.constant(true)),
    activeDeadlineSeconds: rarely(fc.constantFrom(5, 30)),
    ttlSecondsAfterFinished: rarely(fc.constantFrom(0, 5)),
  })
  .map(({ mode, completions, parallelism, backoffLimit, restartPolicy, suspend, activeDeadlineSeconds, ttlSecondsAfterFinished }) =>
    present({
      completionMode: mode === 'Indexed' ? mode : undefined,
      completions: mode === 'WorkQueue' ? undefined : completions,
      parallelism,
      backoffLimit,
      suspend,
      activeDeadlineSeconds,
      ttlSecondsAfterFinished,
      template: { spec: { restartPolicy, containers: [{ name: 'c', image: 'sim:1' }] } },
    }),
  );

/** A Job, its time of creation, and the behaviour of its pods. */
export interface JobStory {
  readonly name: string;
  readonly atMs: number;
  readonly manifest: SourcedManifest;
  readonly behavior: PodBehavior;
}

const story = (name: string, atMs: number, spec: Readonly<Record<string, unknown>>, behavior: Omit<PodBehavior, 'selector'>): JobStory => ({
  name,
  atMs,
  manifest: { object: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec } },
  behavior: { selector: { matchLabels: { 'job-name': name } }, ...behavior },
});

/** Returns one Job at the start, and sometimes more of them later. */
export const jobStories = (most: number): fc.Arbitrary<readonly JobStory[]> =>
  fc
    .tuple(
      jobSpecs,
      podBehaviors,
      fc.array(fc.tuple(fc.constantFrom(0, SECOND, 7 * SECOND), jobSpecs, podBehaviors), {
        maxLength: Math.max(0, most - 1),
        size: 'xsmall',
      }),
    )
    .map(([spec, behavior, others]) => [
      story('j', 0, spec, behavior),
      ...others.map(([atMs, otherSpec, otherBehavior], index) => story(`j${index + 2}`, atMs, otherSpec, otherBehavior)),
    ]);

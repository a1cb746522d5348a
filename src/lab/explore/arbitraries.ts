/** Random scenarios around Jobs, for property tests: specs, what pods do, what people do meanwhile, and what breaks. All of it plain scenario data, so that what fails can be written out. */
import fc from 'fast-check';
import type { PodBehavior, Scenario, Step } from '../scenario/index.ts';

export interface ScenarioOptions {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** At most so many steps besides creating the Job. */
  readonly maxSteps?: number;
}

const JOB = 'j';
const START_AT = Date.UTC(2024, 2, 1);
const SECOND = 1000;

const quiet = { when: 'next' } as const;

/** What containers of the Job's pods do: mostly short and well, sometimes failing by attempt or index. */
export const podBehaviors: fc.Arbitrary<PodBehavior> = fc.record({
  selector: fc.constant({ matchLabels: { 'job-name': JOB } }),
  startDelayMs: fc.constantFrom(0, 500, 2 * SECOND),
  readyDelayMs: fc.constantFrom(0, SECOND),
  runForMs: fc.constantFrom(SECOND, 3 * SECOND, 20 * SECOND),
  exitCodes: fc.oneof({ weight: 4, arbitrary: fc.constant([0]) }, { weight: 1, arbitrary: fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 4 }) }),
  terminationDelayMs: fc.constantFrom(0, SECOND),
});

/** A Job's spec: every completion mode, small numbers, where the corners are. */
export const jobSpecs: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record({
  mode: fc.constantFrom('NonIndexed', 'Indexed', 'WorkQueue'),
  completions: fc.integer({ min: 1, max: 6 }),
  parallelism: fc.integer({ min: 1, max: 4 }),
  backoffLimit: fc.integer({ min: 0, max: 3 }),
  restartPolicy: fc.constantFrom('Never', 'OnFailure'),
  suspend: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
}).map(({ mode, completions, parallelism, backoffLimit, restartPolicy, suspend }) => ({
  parallelism, backoffLimit, suspend,
  ...(mode === 'WorkQueue' ? {} : { completions }),
  ...(mode === 'Indexed' ? { completionMode: 'Indexed' } : {}),
  template: { spec: { restartPolicy, containers: [{ name: 'c', image: 'sim:1' }] } },
}));

const after = (afterMs: number) => ({ when: 'after', afterMs }) as const;
const wait = fc.constantFrom(0, 10, 500, SECOND, 1500, 5 * SECOND, 12 * SECOND);
const target = { kind: 'Job', name: JOB } as const;

/** What somebody does to the Job or its pods meanwhile. */
export const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(wait, fc.integer({ min: 0, max: 5 })).map(([ms, parallelism]): Step => ({ timing: after(ms), verb: 'patch', target, type: 'merge', patch: { spec: { parallelism } } })),
  fc.tuple(wait, fc.boolean()).map(([ms, suspend]): Step => ({ timing: after(ms), verb: 'patch', target, type: 'merge', patch: { spec: { suspend } } })),
);

/** What breaks: everything mends itself, so that every run ends in a healed phase. */
export const faultSteps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(wait, fc.constantFrom('controller-manager', 'scheduler'), fc.constantFrom(100, SECOND, 10 * SECOND)).map(([ms, subject, restartAfter]): Step => ({ timing: after(ms), verb: 'fault', fault: { name: 'crash', subject, parameters: { restartAfter } } })),
  fc.tuple(wait, fc.integer({ min: 1, max: 4 })).map(([ms, afterWrites]): Step => ({ timing: after(ms), verb: 'fault', fault: { name: 'crash', subject: 'controller-manager', parameters: { afterWrites, restartAfter: SECOND } } })),
  fc.tuple(wait, fc.constantFrom('controller-manager', 'scheduler'), fc.constantFrom(200, 2 * SECOND)).map(([ms, subject, by]): Step => ({ timing: after(ms), verb: 'fault', fault: { name: 'lag', subject, parameters: { by, for: 10 * SECOND } } })),
  fc.tuple(wait, fc.integer({ min: 1, max: 3 }), fc.constantFrom(409, 500, 503)).map(([ms, times, code]): Step => ({ timing: after(ms), verb: 'fault', fault: { name: 'failRequest', subject: 'controller-manager', parameters: { times, code } } })),
  wait.map((ms): Step => ({ timing: after(ms), verb: 'fault', fault: { name: 'failRequest', subject: 'controller-manager', parameters: { loseResponse: true } } })),
  wait.map((ms): Step => ({ timing: after(ms), verb: 'fault', fault: { name: 'partition', subject: 'controller-manager', parameters: { for: 3 * SECOND } } })),
);

/** A whole scenario: one Job, what its pods do, operations and faults, then peace until nothing happens any more. */
export function jobScenarios(options: ScenarioOptions = {}): fc.Arbitrary<Scenario> {
  return fc.record({
    spec: jobSpecs,
    behavior: podBehaviors,
    steps: fc.array(fc.oneof(operations, faultSteps), { maxLength: options.maxSteps ?? 6 }),
    api: fc.constantFrom(0, 5),
    watch: fc.constantFrom(0, 1, 50),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  }).map(({ spec, behavior, steps, api, watch, seed }): Scenario => ({
    name: 'found', title: 'Found by a property', seed, startAt: START_AT, limits: { steps: 500_000, timeMs: 86_400_000 }, domain: 'orch.io', featureGates: options.featureGates ?? {},
    cluster: {
      nodes: [{ name: 'node-0', capacity: { cpu: '8', memory: '16Gi', pods: '110' } }], scheduler: [],
      latency: { api: { minMs: api, maxMs: api }, watch: { minMs: watch, maxMs: watch } }, podBehaviors: [behavior], storageDrivers: [],
    },
    namespaces: [], manifests: [],
    steps: [{ timing: quiet, verb: 'create', objects: [{ object: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: JOB }, spec } }] }, ...steps],
  }));
}

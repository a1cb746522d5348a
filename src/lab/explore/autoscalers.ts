/**
 * Random scenarios around one autoscaler and its Deployment: changing load, scaling behavior, changes by users, manual scaling, faults.
 * Each ends without faults, with constant load and as many pods as it needs.
 */
import fc from 'fast-check';
import type { Curve } from '../../controlplane/usage/index.ts';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import { after, deleting, expecting, faulting, found, mended, MINUTE, patching, SECOND, seeds, steady, troubles } from './steps.ts';

const NODES = ['node-0'];
const scaler = { kind: 'HorizontalPodAutoscaler', name: 'web' } as const;
const web = { kind: 'Deployment', name: 'web' } as const;
/** Delays around the autoscaler's sync period of 15 seconds. */
const waits = fc.constantFrom(0, SECOND, 7 * SECOND, 15 * SECOND, 40 * SECOND, 100 * SECOND);

/** From this instant on the load is constant, and needs three pods. */
const STEADY_MS = 6 * MINUTE;
const EACH = 10_000;
/** Thousandths of a core. */
const works: fc.Arbitrary<Curve> = fc
  .array(
    fc.record({
      atMs: fc.integer({ min: 0, max: 35 }).map((ten) => ten * 10 * SECOND),
      is: fc.integer({ min: 0, max: 14 }).map((n) => n * EACH),
    }),
    { maxLength: 6, size: 'max' },
  )
  .map((steps) => ({ shape: 'steps', steps: [...steps.sort((a, b) => a.atMs - b.atMs), { atMs: STEADY_MS, is: 3 * EACH }] }));

const policy = fc.record({
  type: fc.constantFrom('Pods', 'Percent'),
  value: fc.constantFrom(1, 3, 50, 100),
  periodSeconds: fc.constantFrom(15, 60),
});
const rules = fc.record(
  {
    stabilizationWindowSeconds: fc.constantFrom(0, 30, 120),
    selectPolicy: fc.constantFrom('Max', 'Min', 'Disabled'),
    policies: fc.array(policy, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const behaviors = fc.option(fc.record({ scaleUp: rules, scaleDown: rules }, { requiredKeys: [] }), { nil: undefined });
const bounds = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 8 })).map(([minReplicas, more]) => ({
  minReplicas,
  maxReplicas: minReplicas + more,
}));

const external = { type: 'External', external: { metric: { name: 'work' }, target: { type: 'AverageValue', averageValue: '10' } } };
const ofPods = { type: 'Pods', pods: { metric: { name: 'served' }, target: { type: 'AverageValue', averageValue: '10' } } };
const nobodys = {
  type: 'Object',
  object: { metric: { name: 'none' }, describedObject: { kind: 'Service', name: 'none' }, target: { type: 'Value', value: '1' } },
};
const metrics = fc.constantFrom([external], [external], [external, ofPods], [ofPods, nobodys]);

const nth = fc.integer({ min: 1, max: 6 });
const some = (place: number) => ({ kind: 'Pod', labels: { app: 'web' }, nth: place }) as const;
const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(waits, bounds).map(([ms, spec]) => patching(ms, scaler, { spec })),
  fc.tuple(waits, behaviors).map(([ms, behavior]) => patching(ms, scaler, { spec: { behavior: behavior ?? null } })),
  fc.tuple(waits, metrics).map(([ms, wanted]) => patching(ms, scaler, { spec: { metrics: wanted } })),
  fc.tuple(waits, fc.constantFrom(0, 1, 3, 9)).map(([ms, replicas]) => patching(ms, web, { spec: { replicas } })),
  fc.tuple(waits, nth).map(([ms, place]) => deleting(ms, some(place))),
  fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some(place), { status: { phase: 'Failed' } }, 'status')),
);
const relists: fc.Arbitrary<Step> = fc
  .tuple(waits, fc.constantFrom('Pod', 'HorizontalPodAutoscaler'), fc.constantFrom(SECOND, 8 * SECOND))
  .map(([ms, kind, staleBy]) => faulting(ms, 'relist', 'controller-manager', { kinds: [kind], staleBy }));

const WEB = "object('Deployment/web')";
const SCALER = "object('HorizontalPodAutoscaler/web')";
const right: readonly string[] = [
  `${WEB}.spec.replicas == 3 && ${WEB}.status.availableReplicas == 3`,
  `${SCALER}.status.currentReplicas == 3 && ${SCALER}.status.desiredReplicas == 3`,
  `${SCALER}.status.conditions.all(c, c.status == (c.type == 'ScalingLimited' ? 'False' : 'True'))`,
];

const healed: readonly Step[] = [
  ...mended(MINUTE, ['controller-manager', 'scheduler'], []),
  // All curves and stabilization windows have ended by then.
  { ...after(6 * MINUTE), verb: 'note', note: 'the work stays as it is' },
  patching(0, scaler, { spec: { minReplicas: 1, maxReplicas: 20, metrics: [external], behavior: null } }),
  patching(0, web, { spec: { replicas: 2 } }),
  expecting(6 * MINUTE, ...right),
];

/** Options of scenarios with an autoscaler. */
export interface AutoscalerScenarioOptions {
  /** The maximum number of changes and faults; default 6. */
  readonly maxSteps?: number;
}

/** Returns scenarios with one autoscaler, whose Deployment users scale as well. Each ends without faults and with load for three pods. */
export const autoscalerScenarios = ({ maxSteps = 6 }: AutoscalerScenarioOptions = {}): fc.Arbitrary<Scenario> =>
  fc
    .record({
      bounds,
      behavior: behaviors,
      metrics,
      work: works,
      steps: fc.array(
        fc.oneof(
          { weight: 6, arbitrary: operations },
          { weight: 2, arbitrary: troubles(['controller-manager'], { longestCutMs: 12 * SECOND }) },
          { weight: 1, arbitrary: relists },
        ),
        { maxLength: maxSteps, size: 'max' },
      ),
      api: fc.constantFrom(0, 5),
      watch: fc.constantFrom(0, 2, 200),
      seed: seeds,
    })
    .map(({ bounds: { minReplicas, maxReplicas }, behavior, metrics: wanted, work, steps, api, watch, seed }): Scenario =>
      found({
        seed,
        nodes: NODES,
        cluster: {
          ...steady(api, watch),
          metrics: [
            { name: 'work', external: true, value: work },
            { name: 'served', pods: { matchLabels: { app: 'web' } }, shared: true, value: work },
          ],
        },
        steps: [
          {
            timing: { when: 'next' },
            verb: 'create',
            objects: [
              { object: WORKLOAD },
              {
                object: {
                  apiVersion: 'autoscaling/v2',
                  kind: 'HorizontalPodAutoscaler',
                  metadata: { name: 'web' },
                  spec: {
                    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
                    minReplicas,
                    maxReplicas,
                    metrics: wanted,
                    ...(behavior === undefined ? {} : { behavior }),
                  },
                },
              },
            ],
          },
          ...steps,
          ...healed,
        ],
      }),
    );

/** The scaled object. */
const WORKLOAD: Manifest = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'sim.orch.io/ready-delay': '0.3' } },
      spec: { nodeName: 'node-0', terminationGracePeriodSeconds: 2, containers: [{ name: 'c', image: 'sim:1' }] },
    },
  },
};

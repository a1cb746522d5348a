/**
 * Random scenarios around one autoscaler and its Deployment: changing load, scaling behavior, changes by users, manual scaling, faults.
 * Each ends without faults, with constant load and as many pods as it needs.
 */
import fc from 'fast-check';
import type { Curve } from '../../controlplane/usage/index.ts';
import type { Scenario, Step } from '../scenario/index.ts';
import { specOf } from './arbitrary.ts';
import { scenariosOf, steadyLatencies, type ScenarioSize } from './generator.ts';
import { deleting, expecting, later, MINUTE, patching, respecifying, SECOND, writing } from './steps.ts';
import { faultsOf, mended, staleListsOf } from './troubles.ts';
import { someOf, workload } from './workloads.ts';

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

const spec = specOf('HorizontalPodAutoscaler', {
  scaleTargetRef: undefined,
  // Drawn together.
  minReplicas: undefined,
  maxReplicas: undefined,
  metrics,
  stabilizationWindowSeconds: fc.constantFrom(0, 30, 120),
  value: fc.constantFrom(1, 3, 50, 100),
  periodSeconds: fc.constantFrom(15, 60),
});

const pods = someOf('Pod', 'web');
const operations: fc.Arbitrary<Step> = fc.oneof(
  bounds.map((both) => patching(scaler, { spec: both })),
  { weight: 2, arbitrary: spec.change.map((change) => respecifying(scaler, change)) },
  fc.constantFrom(0, 1, 3, 9).map((replicas) => patching(web, { spec: { replicas } })),
  pods.map((pod) => deleting(pod)),
  pods.map((pod) => patching(pod, { status: { phase: 'Failed' } }, 'status')),
);

const WEB = "object('Deployment/web')";
const SCALER = "object('HorizontalPodAutoscaler/web')";
const right: readonly string[] = [
  `${WEB}.spec.replicas == 3 && ${WEB}.status.availableReplicas == 3`,
  `${SCALER}.status.currentReplicas == 3 && ${SCALER}.status.desiredReplicas == 3`,
  `${SCALER}.status.conditions.all(c, c.status == (c.type == 'ScalingLimited' ? 'False' : 'True'))`,
];

const healed: readonly Step[] = [
  ...mended(MINUTE, ['controller-manager', 'scheduler']),
  // All curves and stabilization windows have ended by then.
  later(6 * MINUTE, { verb: 'note', note: 'the work stays as it is' }),
  patching(scaler, { spec: { minReplicas: 1, maxReplicas: 20, metrics: [external], behavior: null } }),
  patching(web, { spec: { replicas: 2 } }),
  later(6 * MINUTE, expecting(...right)),
];

/** Returns scenarios with one autoscaler, whose Deployment users scale as well. Each ends without faults and with load for three pods. */
export const autoscalerScenarios = ({ maxSteps = 6 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: ['node-0'],
    setup: fc.record({ limits: bounds, fields: spec.whole, work: works }),
    steps: fc.oneof(
      { weight: 6, arbitrary: operations },
      { weight: 2, arbitrary: faultsOf(['controller-manager'], { longestCutMs: 12 * SECOND }) },
      { weight: 1, arbitrary: staleListsOf('Pod', 'HorizontalPodAutoscaler') },
    ),
    maxSteps,
    waits,
    latencies: steadyLatencies,
    make: ({ limits, fields, work }, steps) => ({
      cluster: {
        metrics: [
          { name: 'work', external: true, value: work },
          { name: 'served', pods: { matchLabels: { app: 'web' } }, shared: true, value: work },
        ],
      },
      steps: [
        writing('create', workload('Deployment', 'web', { replicas: 2 }, { nodeName: 'node-0' }), {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'web' },
          spec: { metrics: [external], ...fields, ...limits, scaleTargetRef: { apiVersion: 'apps/v1', ...web } },
        }),
        ...steps,
        ...healed,
      ],
    }),
  });

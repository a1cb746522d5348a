/**
 * Random scenarios around one Deployment: strategies, changes and rollbacks by users, deletions, faults. Each ends without faults, not
 * paused, with a working template.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import { deleting, expectingAtRest, faulting, found, mended, MINUTE, patching, SECOND, seeds, steady, troubles, waits } from './steps.ts';

const NODES = ['node-0'];
const target = { kind: 'Deployment', name: 'web' } as const;
/** A patch by the name of its container; changing a strategy drops the fields of the other type. */
const patch = (ms: number, spec: object): Step => ({ ...patching(ms, target, { spec }), type: 'strategic' }) as Step;

const ROLLBACK = 'deprecated.deployment.rollback.to';
const READY = 'sim.orch.io/ready-delay';
const template = (image: string, ready = true): object => ({
  metadata: { annotations: { [READY]: ready ? '0.3' : '99999' } },
  spec: { containers: [{ name: 'c', image }] },
});
const templates = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('sim:1', 'sim:2', 'sim:3').map((image) => template(image)) },
  { weight: 1, arbitrary: fc.constant(template('broken', false)) },
);
const replicas = fc.constantFrom(0, 1, 2, 4, 7);
const share = fc.constantFrom(0, 1, 3, '25%', '40%', '100%');

const strategies = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'Recreate' }) },
  {
    weight: 5,
    arbitrary: fc
      .record({ maxSurge: share, maxUnavailable: share })
      // The API refuses two zeros.
      .map(({ maxSurge, maxUnavailable }) => ({
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxSurge, maxUnavailable },
      })),
  },
);

const spec = fc.record({
  replicas,
  strategy: strategies,
  minReadySeconds: fc.constantFrom(0, 0, 3),
  revisionHistoryLimit: fc.constantFrom(0, 1, 10),
  progressDeadlineSeconds: fc.constantFrom(5, 60, 600),
});

const nth = fc.integer({ min: 1, max: 6 });
const some = (kind: 'Pod' | 'ReplicaSet', place: number) => ({ kind, labels: { app: 'web' }, nth: place }) as const;
const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(waits, replicas).map(([ms, count]) => patch(ms, { replicas: count })),
  { weight: 2, arbitrary: fc.tuple(waits, templates).map(([ms, wanted]) => patch(ms, { template: wanted })) },
  fc.tuple(waits, strategies).map(([ms, strategy]) => patch(ms, { strategy: { $retainKeys: Object.keys(strategy), ...strategy } })),
  fc.tuple(waits, fc.boolean()).map(([ms, paused]) => patch(ms, { paused })),
  fc.tuple(waits, fc.constantFrom(0, 4)).map(([ms, minReadySeconds]) => patch(ms, { minReadySeconds })),
  fc
    .tuple(waits, fc.constantFrom('0', '1', '7'))
    .map(([ms, revision]) => patching(ms, target, { metadata: { annotations: { [ROLLBACK]: revision } } })),
  fc.tuple(waits, nth, replicas).map(([ms, place, count]) => patching(ms, some('ReplicaSet', place), { spec: { replicas: count } })),
  fc
    .tuple(waits, nth, fc.constantFrom('Background', 'Orphan'))
    .map(([ms, place, propagationPolicy]) => deleting(ms, some('ReplicaSet', place), { propagationPolicy })),
  fc.tuple(waits, nth).map(([ms, place]) => deleting(ms, some('Pod', place))),
  fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some('Pod', place), { status: { phase: 'Failed' } }, 'status')),
  fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some('Pod', place), { metadata: { labels: { app: 'else' } } })),
  fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some('Pod', place), { metadata: { ownerReferences: null } })),
);

const relists: fc.Arbitrary<Step> = fc
  .tuple(waits, fc.constantFrom('Pod', 'ReplicaSet', 'Deployment'), fc.constantFrom(SECOND, 8 * SECOND))
  .map(([ms, kind, staleBy]) => faulting(ms, 'relist', 'controller-manager', { kinds: [kind], staleBy }));

const WEB = "object('Deployment/web')";
const SETS = "objects('ReplicaSet').filter(s, s.metadata.labels.app == 'web')";
/** Pods that have not finished. */
const PODS = "objects('Pod').filter(p, p.metadata.labels.app == 'web' && p.status.phase != 'Failed')";
const right: readonly string[] = [
  `${PODS}.size() == ${WEB}.spec.replicas`,
  `${PODS}.all(p, p.spec.containers[0].image == 'sim:9')`,
  `${WEB}.status.updatedReplicas == ${WEB}.spec.replicas && ${WEB}.status.availableReplicas == ${WEB}.spec.replicas`,
  `${WEB}.status.observedGeneration == ${WEB}.metadata.generation`,
  `${SETS}.filter(s, s.spec.replicas > 0).size() <= 1`,
  `${SETS}.size() <= ${WEB}.spec.revisionHistoryLimit + 1`,
];

const healed: readonly Step[] = [
  ...mended(MINUTE, ['controller-manager', 'scheduler'], []),
  // A rollback that was requested while the Deployment was paused is still pending.
  patching(MINUTE, target, { metadata: { annotations: { [ROLLBACK]: null } } }),
  patch(0, { paused: false, replicas: 3, template: template('sim:9') }),
  deleting(SECOND, { kind: 'Pod', labels: { app: 'else' } }),
  // Pods of a deleted ReplicaSet of an earlier template have no controller.
  deleting(0, { kind: 'Pod', labels: { app: 'web' }, cel: { cel: '!has(self.metadata.ownerReferences)' } }),
  expectingAtRest(...right),
];

/** Options of scenarios with a Deployment. */
export interface DeploymentScenarioOptions {
  /** The maximum number of changes and faults; default 8. */
  readonly maxSteps?: number;
}

/**
 * Returns scenarios with one Deployment on one node; users scale, delete, relabel and orphan its ReplicaSets and pods, and pods fail. Each
 * ends without faults, with one template and all pods.
 */
export const deploymentScenarios = ({ maxSteps = 8 }: DeploymentScenarioOptions = {}): fc.Arbitrary<Scenario> =>
  fc
    .record({
      spec,
      steps: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: operations },
          { weight: 1, arbitrary: troubles(['controller-manager', 'controller-manager', 'scheduler'], { longestCutMs: 12 * SECOND }) },
          { weight: 1, arbitrary: relists },
        ),
        { maxLength: maxSteps, size: 'max' },
      ),
      api: fc.constantFrom(0, 5),
      watch: fc.constantFrom(0, 2, 200),
      seed: seeds,
    })
    .map(({ spec: fields, steps, api, watch, seed }): Scenario =>
      found({
        seed,
        nodes: NODES,
        cluster: steady(api, watch),
        steps: [{ timing: { when: 'next' }, verb: 'create', objects: [{ object: webDeployment(fields) }] }, ...steps, ...healed],
      }),
    );

/** The Deployment of the scenarios. */
const webDeployment = (fields: Readonly<Record<string, unknown>>): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    ...fields,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { [READY]: '0.3' } },
      spec: { nodeName: 'node-0', terminationGracePeriodSeconds: 2, containers: [{ name: 'c', image: 'sim:1' }] },
    },
  },
});

/**
 * Random scenarios around one DaemonSet: update strategies, changes by users, nodes that are relabelled, tainted or silent, failing pods.
 * Each ends without faults, with a working template on every matching node.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import {
  deleting,
  expectingAtRest,
  faulting,
  found,
  mended,
  MINUTE,
  patching,
  SECOND,
  seeds,
  steady,
  silences,
  troubles,
  waits,
} from './steps.ts';

const NODES = ['node-0', 'node-1', 'node-2'];
const target = { kind: 'DaemonSet', name: 'watch' } as const;
const patch = (ms: number, spec: object): Step => ({ ...patching(ms, target, { spec }), type: 'strategic' }) as Step;

const READY = 'sim.orch.io/ready-delay';
const template = (image: string, ready = true, more: object = {}): object => ({
  metadata: { annotations: { [READY]: ready ? '0.3' : '99999' } },
  spec: { containers: [{ name: 'c', image }], ...more },
});
const templates = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('sim:1', 'sim:2', 'sim:3').map((image) => template(image)) },
  { weight: 1, arbitrary: fc.constant(template('broken', false)) },
  { weight: 1, arbitrary: fc.constantFrom({ disk: 'fast' }, null).map((nodeSelector) => template('sim:4', true, { nodeSelector })) },
);

/** Either maxSurge or maxUnavailable is positive; the API refuses both, and neither. */
const strategies = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'OnDelete' }) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(1, 2, '40%', '100%'), fc.boolean()).map(([share, surges]) => ({
      type: 'RollingUpdate',
      rollingUpdate: surges ? { maxSurge: share, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: share },
    })),
  },
);

const nth = fc.integer({ min: 1, max: 4 });
const some = (kind: 'Pod' | 'ControllerRevision', place: number) => ({ kind, labels: { app: 'watch' }, nth: place }) as const;
const node = fc.constantFrom(...NODES).map((name) => ({ kind: 'Node', name }));
const taints = fc.constantFrom('NoSchedule', 'NoExecute').map((effect) => [{ key: 'away', effect }]);

const operations: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.tuple(waits, templates).map(([ms, wanted]) => patch(ms, { template: wanted })) },
  fc.tuple(waits, strategies).map(([ms, strategy]) => patch(ms, { updateStrategy: { $retainKeys: Object.keys(strategy), ...strategy } })),
  fc.tuple(waits, fc.constantFrom(0, 4)).map(([ms, minReadySeconds]) => patch(ms, { minReadySeconds })),
  fc.tuple(waits, node, fc.constantFrom('fast', 'slow')).map(([ms, of, disk]) => patching(ms, of, { metadata: { labels: { disk } } })),
  fc.tuple(waits, node, fc.oneof(taints, fc.constant(null))).map(([ms, of, wanted]) => patching(ms, of, { spec: { taints: wanted } })),
  fc.tuple(waits, node, fc.boolean()).map(([ms, of, unschedulable]) => patching(ms, of, { spec: { unschedulable } })),
  fc.tuple(waits, nth).map(([ms, place]) => deleting(ms, some('Pod', place))),
  {
    weight: 2,
    arbitrary: fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some('Pod', place), { status: { phase: 'Failed' } }, 'status')),
  },
  fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some('Pod', place), { metadata: { labels: { app: 'else' } } })),
  fc.tuple(waits, nth).map(([ms, place]) => patching(ms, some('Pod', place), { metadata: { ownerReferences: null } })),
  fc.tuple(waits, nth).map(([ms, place]) => deleting(ms, some('ControllerRevision', place))),
);

/** Not pods: a controller whose cache lacks existing pods creates others beside them, with generated names, here as upstream. */
const relists: fc.Arbitrary<Step> = fc
  .tuple(waits, fc.constantFrom('Node', 'DaemonSet', 'ControllerRevision'), fc.constantFrom(SECOND, 8 * SECOND))
  .map(([ms, kind, staleBy]) => faulting(ms, 'relist', 'controller-manager', { kinds: [kind], staleBy }));

const WATCH = "object('DaemonSet/watch')";
/** Pods that have not finished. */
const PODS = "objects('Pod').filter(p, p.metadata.labels.app == 'watch' && p.status.phase != 'Failed')";
const right: readonly string[] = [
  `${PODS}.size() == ${NODES.length}`,
  `${PODS}.all(p, p.spec.containers[0].image == 'sim:9')`,
  `objects('Node').all(n, ${PODS}.exists_one(p, p.spec.nodeName == n.metadata.name))`,
  `${WATCH}.status.desiredNumberScheduled == ${NODES.length} && ${WATCH}.status.numberMisscheduled == 0`,
  `${WATCH}.status.updatedNumberScheduled == ${NODES.length} && ${WATCH}.status.numberAvailable == ${NODES.length}`,
  `${WATCH}.status.observedGeneration == ${WATCH}.metadata.generation`,
  `objects('ControllerRevision').size() <= ${WATCH}.spec.revisionHistoryLimit + 1`,
];

const healed: readonly Step[] = [
  ...mended(MINUTE, ['controller-manager', 'scheduler'], NODES),
  ...NODES.map((name) => patching(0, { kind: 'Node', name }, { spec: { taints: null, unschedulable: null } })),
  deleting(SECOND, { kind: 'Pod', labels: { app: 'else' } }),
  patch(MINUTE, {
    updateStrategy: {
      $retainKeys: ['type', 'rollingUpdate'],
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '100%', maxSurge: 0 },
    },
    template: template('sim:9', true, { nodeSelector: null }),
  }),
  expectingAtRest(...right),
];

/** Options of scenarios with a DaemonSet. */
export interface DaemonSetScenarioOptions {
  /** The maximum number of changes and faults; default 8. */
  readonly maxSteps?: number;
}

/**
 * Returns scenarios with one DaemonSet on three nodes; users delete, relabel and orphan its pods, and pods fail. Each ends without faults,
 * with one template and a pod on each node.
 */
export const daemonSetScenarios = ({ maxSteps = 8 }: DaemonSetScenarioOptions = {}): fc.Arbitrary<Scenario> =>
  fc
    .record({
      strategy: strategies,
      minReadySeconds: fc.constantFrom(0, 0, 3),
      revisionHistoryLimit: fc.constantFrom(0, 1, 10),
      steps: fc.array(
        fc.oneof(
          { weight: 6, arbitrary: operations },
          {
            weight: 2,
            arbitrary: troubles(['controller-manager', 'controller-manager', 'scheduler'], {
              longestCutMs: 12 * SECOND,
              staleLists: false,
            }),
          },
          { weight: 1, arbitrary: silences(NODES) },
          { weight: 1, arbitrary: relists },
        ),
        { maxLength: maxSteps, size: 'max' },
      ),
      api: fc.constantFrom(0, 5),
      watch: fc.constantFrom(0, 2, 200),
      seed: seeds,
    })
    .map(({ strategy, minReadySeconds, revisionHistoryLimit, steps, api, watch, seed }): Scenario =>
      found({
        seed,
        nodes: NODES,
        cluster: steady(api, watch),
        steps: [
          {
            timing: { when: 'next' },
            verb: 'create',
            objects: [{ object: watchSet({ updateStrategy: strategy, minReadySeconds, revisionHistoryLimit }) }],
          },
          ...steps,
          ...healed,
        ],
      }),
    );

/** The DaemonSet of the scenarios. */
const watchSet = (fields: Readonly<Record<string, unknown>>): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'watch' },
  spec: {
    ...fields,
    selector: { matchLabels: { app: 'watch' } },
    template: {
      metadata: { labels: { app: 'watch' }, annotations: { [READY]: '0.3' } },
      spec: { terminationGracePeriodSeconds: 2, containers: [{ name: 'c', image: 'sim:1' }] },
    },
  },
});

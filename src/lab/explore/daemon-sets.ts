/**
 * Random scenarios around one DaemonSet: update strategies, changes by users, nodes that are relabelled, tainted or silent, failing pods.
 * Each ends without faults, with a working template on every matching node.
 */
import fc from 'fast-check';
import type { Scenario, Step } from '../scenario/index.ts';
import { specOf } from './arbitrary.ts';
import { scenariosOf, steadyLatencies, type ScenarioSize } from './generator.ts';
import { deleting, expectingAtRest, later, MINUTE, patching, respecifying, SECOND, writing } from './steps.ts';
import { faultsOf, mended, silencesOf, staleListsOf } from './troubles.ts';
import { accidents, LAST_TEMPLATE, rollingOr, someOf, templates, workload } from './workloads.ts';

const NODES = ['node-0', 'node-1', 'node-2'];
const target = { kind: 'DaemonSet', name: 'watch' } as const;
const placed = (nodeSelector: object | null): object => ({ spec: { nodeSelector } });

const spec = specOf(
  'DaemonSet',
  {
    selector: undefined,
    template: undefined,
    // Either maxSurge or maxUnavailable is positive; the API refuses both, and neither.
    updateStrategy: rollingOr(
      'OnDelete',
      fc
        .tuple(fc.constantFrom(1, 2, '40%', '100%'), fc.boolean())
        .map(([share, surges]) => (surges ? { maxSurge: share, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: share })),
    ),
  },
  {
    template: fc.oneof({ weight: 5, arbitrary: templates }, { weight: 1, arbitrary: fc.constantFrom({ disk: 'fast' }, null).map(placed) }),
  },
);

const node = fc.constantFrom(...NODES).map((name) => ({ kind: 'Node', name }));
const nodePatches: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom('fast', 'slow').map((disk) => ({ metadata: { labels: { disk } } })),
  fc.constantFrom('NoSchedule', 'NoExecute', undefined).map((effect) => ({
    spec: { taints: effect === undefined ? null : [{ key: 'away', effect }] },
  })),
  fc.boolean().map((unschedulable) => ({ spec: { unschedulable } })),
);
const operations: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: spec.change.map((change) => respecifying(target, change)) },
  { weight: 3, arbitrary: fc.tuple(node, nodePatches).map(([of, patch]) => patching(of, patch)) },
  { weight: 5, arbitrary: accidents(someOf('Pod', 'watch')) },
  someOf('ControllerRevision', 'watch').map((of) => deleting(of)),
);

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
  ...NODES.map((name) => patching({ kind: 'Node', name }, { spec: { taints: null, unschedulable: null } })),
  later(SECOND, deleting({ kind: 'Pod', labels: { app: 'else' } })),
  respecifying(target, { template: placed(null) }),
  later(
    MINUTE,
    respecifying(target, {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%', maxSurge: 0 } },
      template: LAST_TEMPLATE,
    }),
  ),
  expectingAtRest(...right),
];

/**
 * Returns scenarios with one DaemonSet on three nodes; users delete, relabel and orphan its pods, and pods fail. Each ends without faults,
 * with one template and a pod on each node.
 */
export const daemonSetScenarios = ({ maxSteps = 8 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: NODES,
    setup: spec.whole,
    steps: fc.oneof(
      { weight: 6, arbitrary: operations },
      {
        weight: 2,
        arbitrary: faultsOf(['controller-manager', 'controller-manager', 'scheduler'], { longestCutMs: 12 * SECOND, staleLists: false }),
      },
      { weight: 1, arbitrary: silencesOf(NODES) },
      // Not pods: a controller whose cache lacks existing pods creates others beside them, with generated names, here as upstream.
      { weight: 1, arbitrary: staleListsOf('Node', 'DaemonSet', 'ControllerRevision') },
    ),
    maxSteps,
    latencies: steadyLatencies,
    make: (fields, steps) => ({ steps: [writing('create', workload('DaemonSet', 'watch', fields)), ...steps, ...healed] }),
  });

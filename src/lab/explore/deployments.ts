/**
 * Random scenarios around one Deployment: strategies, changes and rollbacks by users, deletions, faults. Each ends without faults, not
 * paused, with a working template.
 */
import fc from 'fast-check';
import type { Scenario, Step } from '../scenario/index.ts';
import { specOf } from './arbitrary.ts';
import { scenariosOf, steadyLatencies, type ScenarioSize } from './generator.ts';
import { deleting, expectingAtRest, later, MINUTE, patching, respecifying, SECOND, writing } from './steps.ts';
import { faultsOf, mended, staleListsOf } from './troubles.ts';
import { accidents, LAST_TEMPLATE, rollingOr, someOf, templates, workload } from './workloads.ts';

const target = { kind: 'Deployment', name: 'web' } as const;
const ROLLBACK = 'deprecated.deployment.rollback.to';

const replicas = fc.constantFrom(0, 1, 2, 4, 7);
const share = fc.constantFrom(0, 1, 3, '25%', '40%', '100%');
const spec = specOf(
  'Deployment',
  {
    selector: undefined,
    template: undefined,
    replicas,
    strategy: rollingOr(
      'Recreate',
      // The API refuses two zeros.
      fc
        .record({ maxSurge: share, maxUnavailable: share })
        .map(({ maxSurge, maxUnavailable }) => ({ maxSurge: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxSurge, maxUnavailable })),
    ),
    // Longer than minReadySeconds.
    progressDeadlineSeconds: fc.constantFrom(10, 60, 600),
  },
  { template: templates },
);

const sets = someOf('ReplicaSet', 'web');
const operations: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: spec.change.map((change) => respecifying(target, change)) },
  fc.constantFrom('0', '1', '7').map((revision) => patching(target, { metadata: { annotations: { [ROLLBACK]: revision } } })),
  fc.tuple(sets, replicas).map(([of, count]) => patching(of, { spec: { replicas: count } })),
  fc.tuple(sets, fc.constantFrom('Background', 'Orphan')).map(([of, propagationPolicy]) => deleting(of, { propagationPolicy })),
  { weight: 4, arbitrary: accidents(someOf('Pod', 'web')) },
);

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
  ...mended(MINUTE, ['controller-manager', 'scheduler']),
  // A rollback that was requested while the Deployment was paused is still pending.
  later(MINUTE, patching(target, { metadata: { annotations: { [ROLLBACK]: null } } })),
  respecifying(target, { paused: false, replicas: 3, template: LAST_TEMPLATE }),
  later(SECOND, deleting({ kind: 'Pod', labels: { app: 'else' } })),
  // Pods of a deleted ReplicaSet of an earlier template have no controller.
  deleting({ kind: 'Pod', labels: { app: 'web' }, cel: { cel: '!has(self.metadata.ownerReferences)' } }),
  expectingAtRest(...right),
];

/**
 * Returns scenarios with one Deployment on one node; users scale, delete, relabel and orphan its ReplicaSets and pods, and pods fail. Each
 * ends without faults, with one template and all pods.
 */
export const deploymentScenarios = ({ maxSteps = 8 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: ['node-0'],
    setup: spec.whole,
    steps: fc.oneof(
      { weight: 3, arbitrary: operations },
      { weight: 1, arbitrary: faultsOf(['controller-manager', 'controller-manager', 'scheduler'], { longestCutMs: 12 * SECOND }) },
      { weight: 1, arbitrary: staleListsOf('Pod', 'ReplicaSet', 'Deployment') },
    ),
    maxSteps,
    latencies: steadyLatencies,
    make: (fields, steps) => ({
      steps: [writing('create', workload('Deployment', 'web', fields, { nodeName: 'node-0' })), ...steps, ...healed],
    }),
  });

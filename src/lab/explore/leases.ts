/**
 * Random scenarios around leases: candidates that crash, stop, lag or are disconnected, clock skew, other users who edit and delete leases,
 * silent nodes.
 */
import fc from 'fast-check';
import type { Scenario, Step } from '../scenario/index.ts';
import { scenariosOf, type ScenarioSize } from './generator.ts';
import { present } from '../../schema/values/index.ts';
import { deleting, expecting, later, MINUTE, patching, SECOND, writing } from './steps.ts';
import { faulting, faultsOf, mended, pauses, returning, silencesOf } from './troubles.ts';
import { headless, tolerating, workload } from './workloads.ts';

const NODES = ['node-0', 'node-1'];
const SYSTEM = 'orch-system';
const NODE_LEASES = 'orch-node-lease';
const MANAGER = `${SYSTEM}/orch-controller-manager`;
const SCHEDULER = `${SYSTEM}/orch-scheduler`;
const REPLICAS = 2;

const leases = fc.constantFrom(MANAGER, MANAGER, SCHEDULER, ...NODES.map((node) => `${NODE_LEASES}/${node}`)).map((key) => {
  const [namespace = '', name = ''] = key.split('/');
  return { kind: 'Lease', namespace, name };
});

/** Edits of a lease by a user who is no candidate. */
const edits = fc.oneof(
  fc.constantFrom('', 'stranger_1').map((holderIdentity) => ({ holderIdentity })),
  fc.constantFrom('2024-02-29T00:00:00.000000Z', '2024-03-02T12:00:00.000000Z').map((renewTime) => ({ renewTime })),
  fc.constantFrom(1, 15, 30).map((leaseDurationSeconds) => ({ leaseDurationSeconds })),
  fc.constant({
    holderIdentity: 'stranger_2',
    leaseDurationSeconds: 30,
    acquireTime: '2024-02-29T00:00:00.000000Z',
    renewTime: '2024-03-02T12:00:00.000000Z',
    leaseTransitions: 7,
  }),
);

const names = (component: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => (i === 0 ? component : `${component}-${i}`));

const operations: fc.Arbitrary<Step> = fc.oneof(
  leases.map((target) => deleting(target)),
  fc.tuple(leases, edits).map(([target, spec]) => patching(target, { spec })),
  fc.constantFrom(...NODES).map((name) => deleting({ kind: 'Node', name })),
  fc.nat(REPLICAS - 1).map((ordinal) => deleting({ kind: 'Pod', name: `web-${ordinal}` })),
);

const ends = (subjects: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...subjects), fc.constantFrom(SECOND, 20 * SECOND, undefined))
    .map(([who, restartAfter]) => faulting('stop', who, present({ restartAfter })));
const wrongClocks = (subjects: readonly string[]): fc.Arbitrary<Step> =>
  fc
    .tuple(
      fc.constantFrom(...subjects),
      fc.constantFrom({ by: 2 * SECOND }, { by: 40 * SECOND }, { by: 2 * SECOND, behind: true }, { by: 120 * MINUTE, behind: true }),
    )
    .map(([who, skew]) => faulting('skew', who, skew));

/** Returns the condition that one process holds a lease, has held it for so many minutes, and renews it. */
const held = (lease: string, component: string, minutes: number): string =>
  `object('Lease/${lease}').spec.holderIdentity.startsWith('${component}') && timestamp(object('Lease/${lease}').spec.acquireTime) < now - duration('${minutes}m') && timestamp(object('Lease/${lease}').spec.renewTime) > now - duration('10s')`;
const quiescence = (minutes: number): readonly string[] => [
  held(MANAGER, 'controller-manager', minutes),
  held(SCHEDULER, 'scheduler', minutes),
  `objects('Node').size() == ${NODES.length} && objects('Node').all(n, !n.spec.?taints.hasValue() && n.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True'))`,
  `objects('Node').all(n, object('Lease/${NODE_LEASES}/' + n.metadata.name).spec.holderIdentity == n.metadata.name && timestamp(object('Lease/${NODE_LEASES}/' + n.metadata.name).spec.renewTime) > now - duration('25s'))`,
  `objects('Pod').size() == ${REPLICAS} && objects('Pod').all(p, p.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True') && !has(p.metadata.deletionTimestamp))`,
];

const web = (tolerationSeconds: number | undefined): Step =>
  writing(
    'create',
    headless('web'),
    workload(
      'StatefulSet',
      'web',
      { replicas: REPLICAS, serviceName: 'web', podManagementPolicy: 'Parallel' },
      tolerating(tolerationSeconds),
    ),
  );

/**
 * Returns scenarios with candidates of both components, two nodes and a set of pods. Each ends without faults: one holder of each lease,
 * which stays, ready nodes, and all pods.
 */
export const leaseScenarios = ({ maxSteps = 8 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })).chain(([controllerManagers, schedulers]) => {
    const candidates = [...names('controller-manager', controllerManagers), ...names('scheduler', schedulers)];
    const agents = NODES.map((node) => `agent/${node}`);
    const processes = [...candidates, ...agents];
    return scenariosOf({
      nodes: NODES,
      setup: fc.constantFrom(undefined, 10),
      steps: fc.oneof(
        operations,
        faultsOf([...candidates, ...processes]),
        ends(candidates),
        wrongClocks(processes),
        silencesOf(NODES),
        pauses,
      ),
      maxSteps,
      make: (tolerationSeconds, steps) => ({
        cluster: { controllerManagers, schedulers },
        steps: [
          web(tolerationSeconds),
          ...steps,
          ...mended(2 * MINUTE, processes, NODES),
          ...returning(agents),
          later(5 * MINUTE, expecting(...quiescence(2))),
          later(6 * MINUTE, expecting(...quiescence(6))),
        ],
      }),
    });
  });

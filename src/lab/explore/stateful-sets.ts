/**
 * Random scenarios around one StatefulSet: specs, changes by users, deletions, faults. Each ends without faults, with a working template
 * and ready pods only.
 */
import fc from 'fast-check';
import type { Scenario, Step } from '../scenario/index.ts';
import { specOf } from './arbitrary.ts';
import { scenariosOf, steadyLatencies, type ScenarioSize } from './generator.ts';
import { deleting, expectingAtRest, later, MINUTE, patching, respecifying, SECOND, writing } from './steps.ts';
import { faultsOf, mended, staleListsOf } from './troubles.ts';
import { CLAIM_TEMPLATES, accidents, headless, LAST_TEMPLATE, rollingOr, templates, workload, MOUNTING } from './workloads.ts';

const target = { kind: 'StatefulSet', name: 'web' } as const;
const ORDINALS = [0, 1, 2, 3, 4];

const retention = fc.constantFrom('Retain', 'Delete');
const spec = specOf(
  'StatefulSet',
  {
    selector: undefined,
    template: undefined,
    volumeClaimTemplates: undefined,
    serviceName: fc.constant('web'),
    replicas: fc.constantFrom(0, 1, 2, 3, 5),
    updateStrategy: rollingOr(
      'OnDelete',
      fc.record({ partition: fc.constantFrom(0, 0, 1, 2, 4), maxUnavailable: fc.constantFrom(1, 2, '40%') }),
    ),
    whenDeleted: retention,
    whenScaled: retention,
  },
  // The API refuses changes of the others.
  { template: templates, serviceName: undefined, podManagementPolicy: undefined, revisionHistoryLimit: undefined },
);

const pods = fc.constantFrom(...ORDINALS).map((ordinal) => ({ kind: 'Pod', name: `web-${ordinal}` }));
const REVISIONS = { kind: 'ControllerRevision', labels: { app: 'web' } } as const;
const operations: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: spec.change.map((change) => respecifying(target, change)) },
  { weight: 4, arbitrary: accidents(pods) },
  pods.map((pod) => patching(pod, { metadata: { labels: { 'controller-revision-hash': null } } })),
  fc.constantFrom(...ORDINALS).map((ordinal) => deleting({ kind: 'PersistentVolumeClaim', name: `data-web-${ordinal}` })),
  fc.constantFrom(deleting(REVISIONS), patching(REVISIONS, { metadata: { ownerReferences: null } })),
);

const WEB = "object('StatefulSet/web')";
const MINE = "p.metadata.?ownerReferences.orValue([]).exists(o, o.name == 'web')";
/** A condition for each ordinal `i` of the set. */
const each = (condition: string): string => `[${ORDINALS.join(', ')}].all(i, i >= ${WEB}.spec.replicas || ${condition})`;
/** Every ordinal has its pod of the last template, ready, and no other pod belongs to the set. */
const right = (claims: boolean): readonly string[] => [
  `objects('Pod').filter(p, ${MINE}).size() == ${WEB}.spec.replicas`,
  each(`objects('Pod').exists(p, p.metadata.name == 'web-' + string(i) && ${MINE})`),
  `${WEB}.status.?readyReplicas.orValue(0) == ${WEB}.spec.replicas && ${WEB}.status.availableReplicas == ${WEB}.spec.replicas`,
  `objects('Pod').all(p, !(${MINE}) || p.spec.containers[0].image == 'sim:9')`,
  `objects('ControllerRevision').size() <= ${WEB}.spec.revisionHistoryLimit + 2`,
  ...(claims ? [each("objects('PersistentVolumeClaim').exists(c, c.metadata.name == 'data-web-' + string(i))")] : []),
];

/** Pods that are not ready; deleting them is left to users. */
const UNWELL = {
  kind: 'Pod',
  cel: { cel: "!self.status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')" },
} as const;

/** The template works for all pods, and pods that are broken or released are deleted by a user, because the controller does not do that. */
const healed = (claims: boolean): readonly Step[] => [
  ...mended(MINUTE, ['controller-manager', 'scheduler']),
  later(
    MINUTE,
    respecifying(target, { template: LAST_TEMPLATE, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }),
  ),
  later(SECOND, deleting({ kind: 'Pod', labels: { app: 'else' } })),
  ...ORDINALS.map(() => later(30 * SECOND, deleting(UNWELL))),
  expectingAtRest(...right(claims)),
];

/** The size of scenarios of StatefulSets, and whether they have claims. */
export interface StatefulSetScenarioOptions extends ScenarioSize {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Each pod has a claim. */
  readonly claims?: boolean;
}

/**
 * Returns scenarios with one set on one node; users delete, relabel and orphan its pods, and pods fail. Each ends without faults, with the
 * set in its desired state.
 */
export const statefulSetScenarios = ({
  featureGates = {},
  claims = false,
  maxSteps = 8,
}: StatefulSetScenarioOptions = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: ['node-0'],
    setup: spec.whole,
    steps: fc.oneof(
      { weight: 2, arbitrary: operations },
      { weight: 1, arbitrary: faultsOf(['controller-manager', 'controller-manager', 'scheduler'], { longestCutMs: 12 * SECOND }) },
      { weight: 1, arbitrary: staleListsOf('Pod', 'StatefulSet', 'PersistentVolumeClaim', 'ControllerRevision') },
    ),
    maxSteps,
    latencies: steadyLatencies,
    make: (fields, steps) => ({
      featureGates,
      cluster: { storageDrivers: claims ? [DRIVER] : [] },
      steps: [writing('create', headless('web'), webSet(fields, claims)), ...steps, ...healed(claims)],
    }),
  });

const DRIVER = {
  name: 'disks.example',
  provisionDelayMs: 200,
  attachDelayMs: 300,
  detachDelayMs: 300,
  storageClasses: [{ name: 'disks' }],
} as const;
const webSet = (fields: object, claims: boolean) =>
  workload(
    'StatefulSet',
    'web',
    { ...fields, ...(claims ? CLAIM_TEMPLATES : {}) },
    { nodeName: 'node-0', ...(claims ? { containers: [MOUNTING] } : {}) },
  );

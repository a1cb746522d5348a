/**
 * Random scenarios around one StatefulSet: specs, changes by users, deletions, faults. Each ends without faults, with a working template
 * and ready pods only.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import {
  after,
  deleting,
  expectingAtRest,
  faulting,
  found,
  headless,
  mended,
  MINUTE,
  patching,
  SECOND,
  seeds,
  steady,
  troubles,
  waits,
} from './steps.ts';

const NODES = ['node-0'];
const target = { kind: 'StatefulSet', name: 'web' } as const;
/** A patch by the name of its container, which keeps its mounts. */
const patch = (ms: number, spec: object): Step => ({ ...patching(ms, target, { spec }), type: 'strategic' }) as Step;

/** A template whose pods never become ready, and working ones. */
const READY = 'sim.orch.io/ready-delay';
const template = (image: string, ready = true): object => ({
  metadata: { annotations: { [READY]: ready ? '0.3' : '99999' } },
  spec: { containers: [{ name: 'c', image }] },
});
const templates = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('sim:1', 'sim:2', 'sim:3').map((image) => template(image)) },
  { weight: 1, arbitrary: fc.constant(template('broken', false)) },
);
const ordinals = fc.nat(4);
const replicas = fc.constantFrom(0, 1, 2, 3, 5);

const spec = fc.record({
  replicas,
  podManagementPolicy: fc.constantFrom('OrderedReady', 'OrderedReady', 'Parallel'),
  minReadySeconds: fc.constantFrom(0, 0, 3),
  revisionHistoryLimit: fc.constantFrom(0, 1, 10),
  updateStrategy: fc.oneof(
    { weight: 1, arbitrary: fc.constant({ type: 'OnDelete' }) },
    {
      weight: 5,
      arbitrary: fc
        .record({ partition: fc.constantFrom(0, 0, 1, 3), maxUnavailable: fc.constantFrom(1, 2, '40%') })
        .map((rollingUpdate) => ({ type: 'RollingUpdate', rollingUpdate })),
    },
  ),
  persistentVolumeClaimRetentionPolicy: fc.record({
    whenDeleted: fc.constantFrom('Retain', 'Delete'),
    whenScaled: fc.constantFrom('Retain', 'Delete'),
  }),
});

const onPod = (ms: number, ordinal: number) =>
  ({ ...after(ms), target: { kind: 'Pod', name: `web-${ordinal}` }, ignoreNotFound: true }) as const;
const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(waits, replicas).map(([ms, count]) => patch(ms, { replicas: count })),
  fc.tuple(waits, templates).map(([ms, wanted]) => patch(ms, { template: wanted })),
  fc
    .tuple(waits, fc.constantFrom(0, 1, 2, 4))
    .map(([ms, partition]) => patch(ms, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } })),
  fc.tuple(waits, fc.constantFrom(0, 5)).map(([ms, minReadySeconds]) => patch(ms, { minReadySeconds })),
  fc.tuple(waits, ordinals, fc.constantFrom(undefined, 0)).map(([ms, ordinal, grace]): Step => ({
    ...onPod(ms, ordinal),
    verb: 'delete',
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
  })),
  fc.tuple(waits, ordinals).map(([ms, ordinal]): Step => ({
    ...onPod(ms, ordinal),
    verb: 'patch',
    type: 'merge',
    subresource: 'status',
    patch: { status: { phase: 'Failed' } },
  })),
  fc
    .tuple(waits, ordinals, fc.constantFrom('web', 'else'))
    .map(([ms, ordinal, app]): Step => ({ ...onPod(ms, ordinal), verb: 'patch', type: 'merge', patch: { metadata: { labels: { app } } } })),
  fc.tuple(waits, ordinals).map(([ms, ordinal]): Step => ({
    ...onPod(ms, ordinal),
    verb: 'patch',
    type: 'merge',
    patch: { metadata: { labels: { 'controller-revision-hash': null } } },
  })),
  fc.tuple(waits, ordinals).map(([ms, ordinal]): Step => ({
    ...onPod(ms, ordinal),
    verb: 'patch',
    type: 'merge',
    patch: { metadata: { ownerReferences: null } },
  })),
  fc.tuple(waits, ordinals).map(([ms, ordinal]): Step => ({
    ...after(ms),
    verb: 'delete',
    target: { kind: 'PersistentVolumeClaim', name: `data-web-${ordinal}` },
    ignoreNotFound: true,
  })),
  fc.tuple(waits, fc.constantFrom('delete', 'orphan')).map(
    ([ms, how]): Step =>
      ({
        ...after(ms),
        verb: how === 'delete' ? 'delete' : 'patch',
        target: { kind: 'ControllerRevision', labels: { app: 'web' } },
        ignoreNotFound: true,
        ...(how === 'delete' ? {} : { type: 'merge', patch: { metadata: { ownerReferences: null } } }),
      }) as Step,
  ),
);

const relists: fc.Arbitrary<Step> = fc
  .tuple(waits, fc.constantFrom('Pod', 'StatefulSet', 'PersistentVolumeClaim', 'ControllerRevision'), fc.constantFrom(SECOND, 8 * SECOND))
  .map(([ms, kind, staleBy]) => faulting(ms, 'relist', 'controller-manager', { kinds: [kind], staleBy }));

const WEB = "object('StatefulSet/web')";
const MINE = "p.metadata.?ownerReferences.orValue([]).exists(o, o.name == 'web')";
/** Every ordinal has its pod of the last template, ready, and no other pod belongs to the set. */
const right = (claims: boolean): readonly string[] => [
  `objects('Pod').filter(p, ${MINE}).size() == ${WEB}.spec.replicas`,
  `[0, 1, 2, 3, 4].all(i, i >= ${WEB}.spec.replicas || objects('Pod').exists(p, p.metadata.name == 'web-' + string(i) && ${MINE}))`,
  `${WEB}.status.?readyReplicas.orValue(0) == ${WEB}.spec.replicas && ${WEB}.status.availableReplicas == ${WEB}.spec.replicas`,
  `objects('Pod').all(p, !(${MINE}) || p.spec.containers[0].image == 'sim:9')`,
  `objects('ControllerRevision').size() <= ${WEB}.spec.revisionHistoryLimit + 2`,
  ...(claims
    ? [
        `[0, 1, 2, 3, 4].all(i, i >= ${WEB}.spec.replicas || objects('PersistentVolumeClaim').exists(c, c.metadata.name == 'data-web-' + string(i)))`,
      ]
    : []),
];

/** Pods that are not ready; deleting them is left to users. */
const UNWELL = {
  kind: 'Pod',
  cel: { cel: "!self.status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')" },
} as const;

/** The template works for all pods, and pods that are broken or released are deleted by a user, because the controller does not do that. */
const healed = (claims: boolean): readonly Step[] => [
  ...mended(MINUTE, ['controller-manager', 'scheduler'], []),
  patch(MINUTE, { template: template('sim:9'), updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }),
  deleting(SECOND, { kind: 'Pod', labels: { app: 'else' } }),
  ...[0, 1, 2, 3, 4].map(() => deleting(30 * SECOND, UNWELL)),
  expectingAtRest(...right(claims)),
];

/** Options of scenarios with a StatefulSet. */
export interface StatefulSetScenarioOptions {
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Each pod has a claim. */
  readonly claims?: boolean;
  /** The maximum number of changes and faults; default 8. */
  readonly maxSteps?: number;
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
  fc
    .record({
      spec,
      steps: fc.array(
        fc.oneof(
          { weight: 2, arbitrary: operations },
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
        featureGates,
        cluster: {
          storageDrivers: claims ? [DRIVER] : [],
          ...steady(api, watch),
        },
        steps: [
          { timing: { when: 'next' }, verb: 'create', objects: [{ object: headless('web') }, { object: webSet(fields, claims) }] },
          ...steps,
          ...healed(claims),
        ],
      }),
    );

const DRIVER = {
  name: 'disks.example',
  provisionDelayMs: 200,
  attachDelayMs: 300,
  detachDelayMs: 300,
  storageClasses: [{ name: 'disks' }],
} as const;

/** The StatefulSet of the scenarios. */
const webSet = (fields: Readonly<Record<string, unknown>>, claims: boolean): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: {
    ...fields,
    serviceName: 'web',
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { [READY]: '0.3' } },
      spec: {
        nodeName: 'node-0',
        terminationGracePeriodSeconds: 2,
        containers: [{ name: 'c', image: 'sim:1', ...(claims ? { volumeMounts: [{ name: 'data', mountPath: '/data' }] } : {}) }],
      },
    },
    ...(claims ? { volumeClaimTemplates: [CLAIM] } : {}),
  },
});

const CLAIM = {
  metadata: { name: 'data' },
  spec: { storageClassName: 'disks', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

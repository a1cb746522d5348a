/**
 * Random scenarios around volumes: drivers that are slow, fail or need no attachment, nodes with few attachable volumes, pods, claims,
 * attachments and nodes that users delete, faults of processes.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import type { StorageDriver } from '../../controlplane/agents/index.ts';
import { scenariosOf, type ScenarioSize } from './generator.ts';
import { present } from '../../schema/values/index.ts';
import { deleting, expecting, later, MINUTE, patching, SECOND, writing } from './steps.ts';
import { faultsOf, mended, pauses, returning, silencesOf } from './troubles.ts';
import { CLAIM_TEMPLATES, DISK_CLAIM, headless, MOUNTING, tolerating, workload } from './workloads.ts';

const NODES = ['node-0', 'node-1'];
const DRIVER = 'disks.example';
/** The maximum number of pods of the set; a single pod has a claim of its own. */
const MOST = 3;
const SET = { kind: 'StatefulSet', name: 'db' } as const;

/** Two attachable volumes for each node are enough once no attachment is left over. */
const drivers: fc.Arbitrary<StorageDriver> = fc
  .record({
    attachDelayMs: fc.constantFrom(0, 300, 4 * SECOND),
    detachDelayMs: fc.constantFrom(0, 300, 4 * SECOND),
    provisionDelayMs: fc.constantFrom(0, 200, 3 * SECOND),
    failures: fc.record({ attach: fc.constantFrom(0, 0, 1, 3), detach: fc.constantFrom(0, 0, 1, 3), provision: fc.constantFrom(0, 0, 2) }),
    attachRequired: fc.constantFrom(undefined, undefined, undefined, false as const),
    volumesPerNode: fc.constantFrom(undefined, undefined, 2, 3),
    volumeBindingMode: fc.constantFrom('Immediate', 'WaitForFirstConsumer'),
    reclaimPolicy: fc.constantFrom('Delete', 'Retain'),
  })
  .map(({ volumeBindingMode, reclaimPolicy, ...rest }) => ({
    name: DRIVER,
    ...present(rest),
    storageClasses: [{ name: 'disks', volumeBindingMode, reclaimPolicy }],
  }));

const podWith = (name: string, claimName: string, more: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 2,
    containers: [{ name: 'c', image: 'sim:1' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    ...more,
  },
});
const set = (replicas: number, tolerationSeconds: number | undefined): Step =>
  writing(
    'apply',
    headless(SET.name),
    workload(
      'StatefulSet',
      SET.name,
      { replicas, serviceName: SET.name, podManagementPolicy: 'Parallel', ...CLAIM_TEMPLATES },
      { containers: [MOUNTING], ...tolerating(tolerationSeconds) },
    ),
  );
const single: Step = writing(
  'apply',
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'own' }, spec: DISK_CLAIM },
  podWith('single', 'own'),
);

/** Pods that mount a volume of the set, one on each node; the later one waits. */
const RIVALS = NODES.map((node) => `rival-${node}`);
const pods = fc.constantFrom('db-0', 'db-1', 'db-2', 'single', ...RIVALS);
const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.nat(MOST).map((replicas) => patching(SET, { spec: { replicas } })),
  {
    weight: 2,
    arbitrary: fc
      .tuple(pods, fc.constantFrom(undefined, 0))
      .map(([name, grace]) => deleting({ kind: 'Pod', name }, present({ gracePeriodSeconds: grace }))),
  },
  fc.constantFrom(...NODES).map((name) => deleting({ kind: 'Node', name })),
  fc.constantFrom('data-db-0', 'data-db-1', 'own').map((name) => deleting({ kind: 'PersistentVolumeClaim', name })),
  fc.integer({ min: 1, max: 3 }).map((nth) => deleting({ kind: 'VolumeAttachment', nth })),
);
const rivals: fc.Arbitrary<Step> = fc
  .constantFrom(...NODES)
  .map((nodeName) => later(0, writing('apply', podWith(`rival-${nodeName}`, 'data-db-0', { nodeName }))));

const WITHOUT_CLAIM = {
  kind: 'Pod',
  cel: {
    cel: "!objects('PersistentVolumeClaim').exists(c, c.metadata.name == self.spec.volumes[0].persistentVolumeClaim.claimName && !has(c.metadata.deletionTimestamp))",
  },
} as const;

/** Conditions: an attachment for each mounted volume on the node of its pod, and no other. */
const attached = (required: boolean): readonly string[] =>
  required
    ? [
        "objects('Pod').all(p, objects('VolumeAttachment').exists(a, a.spec.nodeName == p.spec.nodeName && a.status.attached && a.spec.source.persistentVolumeName == object('PersistentVolumeClaim/' + p.spec.volumes[0].persistentVolumeClaim.claimName).spec.volumeName))",
        "objects('VolumeAttachment').size() == objects('Pod').size()",
      ]
    : ["objects('VolumeAttachment').size() == 0"];
const settled = (replicas: number, required: boolean): readonly string[] => [
  `objects('Pod').filter(p, p.metadata.?labels.?app.orValue('') == 'db').size() == ${replicas} && objects('Pod').all(p, p.status.phase == 'Running')`,
  ...attached(required),
  "objects('Node').all(n, n.status.?volumesAttached.orValue([]).size() == objects('VolumeAttachment').filter(a, a.spec.nodeName == n.metadata.name).size())",
  `objects('Node').all(n, n.status.?volumesInUse.orValue([]).size() == ${required ? "objects('Pod').filter(p, p.spec.nodeName == n.metadata.name).size()" : '0'})`,
  // A claim with WaitForFirstConsumer waits indefinitely when its first consumer is deleted.
  "objects('PersistentVolumeClaim').all(c, c.status.phase == 'Bound' || !objects('Pod').exists(p, p.spec.volumes[0].persistentVolumeClaim.claimName == c.metadata.name))",
  "objects('PersistentVolume').all(v, v.status.phase == 'Bound' || (v.status.phase == 'Released' && v.spec.persistentVolumeReclaimPolicy == 'Retain'))",
  "['Pod', 'PersistentVolumeClaim', 'PersistentVolume', 'VolumeAttachment', 'Node'].all(k, objects(k).all(o, !has(o.metadata.deletionTimestamp)))",
];

const PROCESSES = ['controller-manager', 'scheduler', `storage-driver/${DRIVER}`];
const AGENTS = NODES.map((node) => `agent/${node}`);

/**
 * Returns scenarios with a set with claims and a single pod, on two nodes and one driver. Each ends without faults: pods run, exactly the
 * needed attachments exist, claims are bound, no object is being deleted.
 */
export const volumeScenarios = ({ maxSteps = 8 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: NODES,
    setup: fc.record({
      driver: drivers,
      replicas: fc.integer({ min: 1, max: MOST }),
      last: fc.nat(MOST),
      withSingle: fc.boolean(),
      tolerationSeconds: fc.constantFrom(undefined, 10),
    }),
    steps: fc.oneof(
      { weight: 2, arbitrary: operations },
      rivals,
      faultsOf([...PROCESSES, ...PROCESSES, ...AGENTS]),
      silencesOf(NODES),
      pauses,
    ),
    maxSteps,
    make: ({ driver, replicas, last, withSingle, tolerationSeconds }, steps) => ({
      cluster: { storageDrivers: [driver] },
      steps: [
        set(replicas, tolerationSeconds),
        ...(withSingle ? [single] : []),
        ...steps,
        ...mended(MINUTE, [...PROCESSES, ...AGENTS], NODES),
        ...returning(AGENTS),
        patching(SET, { spec: { replicas: last } }),
        ...RIVALS.map((name) => deleting({ kind: 'Pod', name })),
        // A claim that is being deleted stays while a pod uses it, and a set creates claims only for pods that it creates, so such pods
        // are deleted by a user.
        later(2 * MINUTE, deleting(WITHOUT_CLAIM)),
        // Volumes are force-detached from a deleted node after six minutes.
        later(25 * MINUTE, expecting(...settled(last, driver.attachRequired !== false))),
      ],
    }),
  });

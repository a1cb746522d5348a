/**
 * Random scenarios around volumes: drivers that are slow, fail or need no attachment, nodes with few attachable volumes, pods, claims,
 * attachments and nodes that users delete, faults of processes.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step } from '../scenario/index.ts';
import type { StorageDriver } from '../../controlplane/agents/index.ts';
import {
  deleting,
  expecting,
  faulting,
  found,
  headless,
  latencies,
  mended,
  MINUTE,
  patching,
  pauses,
  SECOND,
  seeds,
  silences,
  troubles,
  waits,
} from './steps.ts';

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
    attachRequired: fc.constantFrom(true, true, true, false),
    volumesPerNode: fc.constantFrom(undefined, undefined, 2, 3),
    volumeBindingMode: fc.constantFrom('Immediate', 'WaitForFirstConsumer'),
    reclaimPolicy: fc.constantFrom('Delete', 'Retain'),
  })
  .map(({ volumesPerNode, attachRequired, volumeBindingMode, reclaimPolicy, ...rest }) => ({
    name: DRIVER,
    ...rest,
    ...(attachRequired ? {} : { attachRequired }),
    ...(volumesPerNode === undefined ? {} : { volumesPerNode }),
    storageClasses: [{ name: 'disks', volumeBindingMode, reclaimPolicy }],
  }));

const claimed = { storageClassName: 'disks', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const container = { name: 'c', image: 'sim:1' };
const podWith = (name: string, claimName: string, more: object = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    terminationGracePeriodSeconds: 2,
    containers: [container],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    ...more,
  },
});
const creating = (...objects: readonly Manifest[]): Step => ({
  timing: { when: 'next' },
  verb: 'apply',
  objects: objects.map((object) => ({ object })),
});

const set = (replicas: number, tolerationSeconds: number | undefined): Step =>
  creating(headless(SET.name), {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: SET.name },
    spec: {
      replicas,
      serviceName: 'db',
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: {
          terminationGracePeriodSeconds: 2,
          containers: [{ ...container, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
          ...(tolerationSeconds === undefined
            ? {}
            : {
                tolerations: ['not-ready', 'unreachable'].map((key) => ({
                  key: `node.orch.io/${key}`,
                  operator: 'Exists',
                  effect: 'NoExecute',
                  tolerationSeconds,
                })),
              }),
        },
      },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimed }],
    },
  });
const single: Step = creating(
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'own' }, spec: claimed },
  podWith('single', 'own'),
);

/** Pods that mount a volume of the set, one on each node; the later one waits. */
const RIVALS = NODES.map((node) => `rival-${node}`);
const pods = fc.constantFrom('db-0', 'db-1', 'db-2', 'single', ...RIVALS);
const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(waits, fc.nat(MOST)).map(([ms, replicas]) => patching(ms, SET, { spec: { replicas } })),
  fc.tuple(waits, pods).map(([ms, name]) => deleting(ms, { kind: 'Pod', name })),
  fc.tuple(waits, pods).map(([ms, name]) => deleting(ms, { kind: 'Pod', name }, { gracePeriodSeconds: 0 })),
  fc.tuple(waits, fc.constantFrom(...NODES)).map(([ms, name]) => deleting(ms, { kind: 'Node', name })),
  fc
    .tuple(waits, fc.constantFrom('data-db-0', 'data-db-1', 'own'))
    .map(([ms, name]) => deleting(ms, { kind: 'PersistentVolumeClaim', name })),
  fc.tuple(waits, fc.integer({ min: 1, max: 3 })).map(([ms, nth]) => deleting(ms, { kind: 'VolumeAttachment', nth })),
);
const rivals: fc.Arbitrary<Step> = fc.tuple(waits, fc.constantFrom(...NODES)).map(([afterMs, nodeName]): Step => ({
  ...creating(podWith(`rival-${nodeName}`, 'data-db-0', { nodeName })),
  timing: { when: 'after', afterMs },
}));

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

/** Options of scenarios with volumes and their attachments. */
export interface VolumeScenarioOptions {
  /** The maximum number of operations and faults; default 8. */ readonly maxSteps?: number;
}

/**
 * Returns scenarios with a set with claims and a single pod, on two nodes and one driver. Each ends without faults: pods run, exactly the
 * needed attachments exist, claims are bound, no object is being deleted.
 */
export const volumeScenarios = ({ maxSteps = 8 }: VolumeScenarioOptions = {}): fc.Arbitrary<Scenario> => {
  const processes = ['controller-manager', 'scheduler', `storage-driver/${DRIVER}`];
  const agents = NODES.map((node) => `agent/${node}`);
  const workloadOperation = fc.oneof(
    operations,
    operations,
    rivals,
    troubles([...processes, ...processes, ...agents]),
    silences(NODES),
    pauses,
  );
  return fc
    .record({
      driver: drivers,
      replicas: fc.integer({ min: 1, max: MOST }),
      finally: fc.integer({ min: 0, max: MOST }),
      withSingle: fc.boolean(),
      tolerationSeconds: fc.constantFrom(undefined, 10),
      steps: fc.array(workloadOperation, { maxLength: maxSteps, size: 'max' }),
      latency: latencies,
      seed: seeds,
    })
    .map(({ driver, replicas, finally: last, withSingle, tolerationSeconds, steps, latency, seed }) =>
      found({
        seed,
        nodes: NODES,
        cluster: { latency, storageDrivers: [driver], podBehaviors: [{ startDelayMs: 200, terminationDelayMs: 100 }] },
        steps: [
          set(replicas, tolerationSeconds),
          ...(withSingle ? [single] : []),
          ...steps,
          ...mended(MINUTE, [...processes, ...agents], NODES),
          // An agent registers its node at its start, so one whose Node was deleted must restart.
          ...agents.map((agent) => faulting(SECOND, 'crash', agent, { restartAfter: SECOND })),
          patching(0, SET, { spec: { replicas: last } }),
          ...RIVALS.map((name) => deleting(0, { kind: 'Pod', name })),
          // A claim that is being deleted stays while a pod uses it, and a set creates claims only for pods that it creates, so such pods
          // are deleted by a user.
          deleting(2 * MINUTE, WITHOUT_CLAIM),
          // Volumes are force-detached from a deleted node after six minutes.
          expecting(25 * MINUTE, ...settled(last, driver.attachRequired !== false)),
        ],
      }),
    );
};

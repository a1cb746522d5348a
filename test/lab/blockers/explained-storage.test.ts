/** What each explainer says, from a moment made by hand: storage and deletions. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { checkAll, objectOf, processOf, readiness, timeAt } from './moment.ts';

const CLUSTER = { namespace: undefined };
const SPACE = objectOf('Namespace', 'default', { metadata: CLUSTER });
const pod = (spec: object, status: object = {}, metadata: object = {}): ApiObject => objectOf('Pod', 'p', { metadata, spec, status });
const SCHEDULER = { processes: [processOf('scheduler', ['scheduler']), processOf('agent/n', ['pod-runner'])] };
const READY = { conditions: [{ type: 'Ready', status: 'True' }] };
const data = { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }, { name: 'e' }] };

describe('storage', () => {
  const claim = (spec: object, annotations: object = {}): ApiObject =>
    objectOf('PersistentVolumeClaim', 'c', { metadata: { annotations }, spec, status: { phase: 'Pending' } });
  const storage = (more: object = {}): ApiObject =>
    objectOf('StorageClass', 'disks', { metadata: CLUSTER, provisioner: 'disks.example', ...more });
  const binder = processOf('controller-manager', ['volume-binder']);
  const driver = processOf('storage-driver/disks.example', ['provisioner: PersistentVolumeClaim', 'attacher: VolumeAttachment']);
  const BOTH = { processes: [binder, driver] };
  const lazy = storage({ volumeBindingMode: 'WaitForFirstConsumer' });
  const volume = objectOf('PersistentVolume', 'v', { metadata: CLUSTER, spec: {} });

  it('is explained in every state', () => {
    checkAll([
      [[claim({ volumeName: 'v' })], ['waits for a volume v, which does not exist (spec.volumeName)'], BOTH],
      [[claim({ volumeName: 'v' }), volume], ['waits to be bound to volume v'], BOTH],
      [[claim({})], ['waits for a matching volume: it names no class, so no driver provisions one'], BOTH],
      [[claim({ storageClassName: 'disks' })], ['waits for a class disks, which does not exist (spec.storageClassName)'], BOTH],
      [
        [claim({ storageClassName: 'disks' }), storage({ provisioner: 'orch.io/no-provisioner' })],
        ['waits for a matching volume of class disks: the class provisions none'],
        BOTH,
      ],
      [[claim({ storageClassName: 'disks' }), storage()], ['waits for driver disks.example to provision a volume'], BOTH],
      [
        [claim({ storageClassName: 'disks' }), storage()],
        ['waits for driver disks.example to provision a volume, and there is no such driver (spec.cluster.storageDrivers)'],
        { processes: [binder] },
      ],
      [
        [claim({ storageClassName: 'disks' }), storage()],
        ['waits for driver disks.example: storage-driver/disks.example is slow'],
        { ...BOTH, faults: [{ process: 'storage-driver/disks.example', says: 'is slow' }] },
      ],
      [
        [claim({ storageClassName: 'disks' }), lazy],
        ['waits for its first consumer: no pod uses it, and class disks binds no sooner (volumeBindingMode: WaitForFirstConsumer)'],
        BOTH,
      ],
      [
        [claim({ storageClassName: 'disks' }), lazy, pod(data)],
        [
          'waits for p to get a node (volumeBindingMode: WaitForFirstConsumer)',
          '  Pod p waits for a node, which no process of this cluster runs',
        ],
        BOTH,
      ],
      [
        [claim({ storageClassName: 'disks' }, { 'volume.orch.io/selected-node': 'n' }), lazy],
        ['waits for driver disks.example to provision a volume for n'],
        BOTH,
      ],
      [[claim({})], ['waits for a volume, which no process of this cluster runs']],
    ]);
  });

  const attachment = (status: object, metadata: object = {}, nodeName = 'n'): ApiObject =>
    objectOf('VolumeAttachment', 'a', {
      metadata: { ...CLUSTER, ...metadata },
      spec: { attacher: 'disks.example', nodeName, source: { persistentVolumeName: 'v' } },
      status,
    });
  const AWAITS = 'waits for driver disks.example to attach it to n';
  it('is attached', () => {
    checkAll([
      [[attachment({ attached: true })], [], BOTH],
      [[attachment({})], [AWAITS], BOTH],
      [[attachment({})], [`${AWAITS}: there is no such driver (spec.cluster.storageDrivers)`], { processes: [binder] }],
      [[attachment({ attachError: { time: timeAt(5), message: 'no' } })], [`${AWAITS}: its last attempt failed at 5.000s: no`], BOTH],
      [[attachment({ attachError: {} })], [`${AWAITS}: its last attempt failed: the driver gave no message`], BOTH],
      [
        [attachment({ detachError: { message: 'busy' } }, { deletionTimestamp: timeAt(9) })],
        ['could not be detached from n: its last attempt failed: busy'],
        BOTH,
      ],
      [[attachment({}, { deletionTimestamp: timeAt(9) })], [], BOTH],
      [
        [attachment({}, { deletionTimestamp: timeAt(9), finalizers: ['external-attacher/disks-example'] })],
        ['is being deleted, but keeps the finalizer external-attacher/disks-example until storage-driver/disks.example has detached it'],
        BOTH,
      ],
    ]);
  });

  const bound = objectOf('PersistentVolumeClaim', 'c', { spec: { volumeName: 'v' }, status: { phase: 'Bound' } });
  const uses = (nodeName: string, status: object = {}): ApiObject => pod({ nodeName, ...data }, status);
  const START = 'waits for the agent of n to start it';
  it('is mounted by a pod', () => {
    checkAll([
      [[uses('n'), SPACE], [START, 'waits for claim c, which does not exist'], SCHEDULER],
      [
        [uses('n'), claim({})],
        [START, 'waits for claim c to be bound', '  PersistentVolumeClaim c waits for a volume, which no process of this cluster runs'],
        SCHEDULER,
      ],
      [[uses('n'), bound], [START], SCHEDULER],
      [[uses('n'), bound, attachment({ attached: true })], [START], SCHEDULER],
      [
        [uses('n'), bound, attachment({})],
        [
          START,
          'waits for volume v to be attached to n',
          `  VolumeAttachment a ${AWAITS}: there is no such driver (spec.cluster.storageDrivers)`,
        ],
        SCHEDULER,
      ],
      [
        [uses('n'), bound, attachment({ attached: true }, {}, 'm'), objectOf('Node', 'm', { metadata: CLUSTER, spec: {}, status: READY })],
        [START, 'waits for volume v to be detached from m', '  Node m is reported ready, but it has no agent'],
        SCHEDULER,
      ],
      [[uses('n', { containerStatuses: [{ state: { running: {} } }] })], [START], SCHEDULER],
    ]);
  });
});

describe('an object that is being deleted', () => {
  const map = (finalizers: readonly string[], kind = 'ConfigMap', parts: object = {}): ApiObject =>
    objectOf(kind, 'c', { metadata: { deletionTimestamp: timeAt(90), finalizers }, ...parts });
  const keeps = (finalizer: string, until: string): string => `is being deleted, but keeps the finalizer ${finalizer} until ${until}`;
  const all = {
    processes: [processOf('controller-manager', ['garbage-collector', 'job', 'claim-protection', 'volume-protection', 'namespace'])],
  };
  const child = objectOf('Secret', 's', { metadata: { ownerReferences: [{ uid: 'uid-c', blockOwnerDeletion: true }] } });
  const write = (finalizers: readonly string[], more: object): object => ({
    type: 'write',
    actor: 'kubectl',
    change: { kind: 'ConfigMap', object: { metadata: { uid: 'uid-c', finalizers } } },
    ...more,
  });

  it('is explained in every state', () => {
    checkAll([
      [[map(['foregroundDeletion'])], [keeps('foregroundDeletion', 'the garbage collector has processed it')], all],
      [
        [map(['foregroundDeletion']), child, objectOf('Secret', 't', { metadata: { ownerReferences: [{ uid: 'uid-c' }] } })],
        [keeps('foregroundDeletion', 'its dependents are gone: Secret s')],
        all,
      ],
      [
        [map(['foregroundDeletion'])],
        [
          `${keeps('foregroundDeletion', 'the garbage collector has processed it')}; it waits for garbage-collector, which no process of this cluster runs`,
        ],
      ],
      [[map(['orphan'])], [keeps('orphan', 'the garbage collector has orphaned its dependents')], all],
      [[map(['batch.orch.io/job-tracking'])], [keeps('batch.orch.io/job-tracking', 'the job controller has counted it')], all],
      [
        [map(['orch.io/pvc-protection'], 'PersistentVolumeClaim')],
        [keeps('orch.io/pvc-protection', 'claim-protection has processed it')],
        all,
      ],
      [
        [map(['orch.io/pvc-protection'], 'PersistentVolumeClaim', { spec: {}, status: {} }), pod({ nodeName: 'n', ...data }, readiness(5))],
        [
          keeps('orch.io/pvc-protection', 'no pod uses it: Pod p'),
          '  Pod p waits for its node: there is no agent of a node n',
          '  Pod p waits for claim c to be bound',
        ],
        all,
      ],
      [
        [map(['orch.io/pv-protection'], 'PersistentVolume', { spec: {} })],
        [keeps('orch.io/pv-protection', 'volume-protection has processed it')],
        all,
      ],
      [
        [map(['orch.io/pv-protection'], 'PersistentVolume', { spec: { claimRef: { namespace: 'default', name: 'd' } } }), SPACE],
        [keeps('orch.io/pv-protection', 'no claim is bound to it: PersistentVolumeClaim d')],
        all,
      ],
      [
        [map(['example.com/x'])],
        [
          'is being deleted, but keeps the finalizer example.com/x: no controller of this cluster removes it, so its owner has to (patch: { metadata: { finalizers: null } })',
        ],
        all,
      ],
      [
        [map(['example.com/x'])],
        [
          'is being deleted, but keeps the finalizer example.com/x, which mine set: no controller of this cluster removes it, so its owner has to (patch: { metadata: { finalizers: null } })',
        ],
        { ...all, entries: [write([], {}), write(['example.com/x'], { controller: 'mine' }), write(['example.com/x'], {})] },
      ],
    ]);
  });

  const space = objectOf('Namespace', 'c', { metadata: { ...CLUSTER, deletionTimestamp: timeAt(90) }, spec: { finalizers: ['orch'] } });
  it('may be a namespace', () => {
    checkAll([
      [[space], ['waits for the namespace controller to process it'], all],
      [[space], ['waits for the namespace controller, which no process of this cluster runs']],
      [
        [space, objectOf('ConfigMap', 'a', { metadata: { namespace: 'c' } }), objectOf('Event', 'e', { metadata: { namespace: 'c' } })],
        ['waits for its contents to be deleted: 1 object, ConfigMap a'],
        all,
      ],
      [
        [
          space,
          objectOf('ConfigMap', 'a', { metadata: { namespace: 'c', deletionTimestamp: timeAt(90) } }),
          objectOf('ConfigMap', 'b', { metadata: { namespace: 'c', deletionTimestamp: timeAt(90), finalizers: ['example.com/x'] } }),
        ],
        [
          'waits for its contents to be deleted: 2 objects, ConfigMap a and ConfigMap b',
          '  ConfigMap b is being deleted, but keeps the finalizer example.com/x: no controller of this cluster removes it, so its owner has to (patch: { metadata: { finalizers: null } })',
        ],
        all,
      ],
    ]);
  });
});

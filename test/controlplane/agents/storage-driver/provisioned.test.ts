/** What a provisioner writes for a claim, whole; and the hold of a driver on its volumes. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { PersistentVolume } from '../../../../src/apiserver/kinds/index.ts';
import { provisioner, reclaimer } from '../../../../src/controlplane/agents/storage-driver/provisioner.ts';
import type { StorageDriver } from '../../../../src/controlplane/agents/specs.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, observingWith, resume } from '../../../support/reconcile.ts';
import { claimOf, volumeOf } from '../../controllers/volume-attachment/objects.ts';
import { driverOf } from './objects.ts';

const DRIVER = 'csi.fake.example';
const asked = { 'volume.kubernetes.io/storage-provisioner': DRIVER };
const selected = { ...asked, 'volume.kubernetes.io/selected-node': 'n' };
const claim = (annotations: object = asked, spec: object = {}): ApiObject => {
  const made = claimOf('data', undefined, 'Pending', { annotations, resourceVersion: '7' });
  return { ...made, spec: { ...made.spec, storageClassName: 'fast', ...spec } };
};
const classWith = (more: object = {}): ApiObject =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: DRIVER,
    reclaimPolicy: 'Delete',
    ...more,
  }) as unknown as ApiObject;
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { zone: 'one' } } } as unknown as ApiObject;
const csiNode = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: 'n' },
  spec: { drivers: [{ name: DRIVER, nodeID: 'n', topologyKeys: ['zone'] }] },
} as unknown as ApiObject;

const DONE = { doneAt: at(0), failed: 0 };
function outcome(driver: Partial<StorageDriver>, objects: readonly ApiObject[], gates = {}, memory: object | undefined = DONE): Outcome {
  return decide(provisioner(driverOf(driver)), { objects, gates, memory });
}
const volume = (spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pvc-uid-data', annotations: { 'pv.kubernetes.io/provisioned-by': DRIVER }, ...metadata },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName: 'fast',
    claimRef: {
      kind: 'PersistentVolumeClaim',
      namespace: 'default',
      name: 'data',
      uid: 'uid-data',
      apiVersion: 'v1',
      resourceVersion: '7',
    },
    csi: { driver: DRIVER, volumeHandle: 'pvc-uid-data' },
    ...spec,
  },
});
const written = (object: object) => [{ op: 'create', tolerate: ['AlreadyExists'], object }];

describe('a provisioned volume', () => {
  it('has what its claim and its class say', () => {
    const parameters = { type: 'ssd', 'csi.storage.k8s.io/fstype': 'xfs', 'csi.storage.k8s.io/pv/name': 'x' };
    const storage = classWith({ parameters, mountOptions: ['ro'], reclaimPolicy: 'Retain' });
    expect(outcome({ parameters: ['type'] }, [claim(asked, { volumeMode: 'Block' }), storage], { HonorPVReclaimPolicy: true })).toEqual({
      why: 'the volume is provisioned',
      writes: written(
        volume({
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Block',
          mountOptions: ['ro'],
          csi: { driver: DRIVER, volumeHandle: 'pvc-uid-data', fsType: 'xfs', volumeAttributes: { type: 'ssd' } },
        }),
      ),
    });
  });

  it('has a finalizer with its gate, if it is to be deleted', () => {
    const finalizers = ['external-provisioner.volume.kubernetes.io/finalizer'];
    expect(outcome({}, [claim(), classWith()], { HonorPVReclaimPolicy: true }).writes).toEqual(written(volume({}, { finalizers })));
    expect(outcome({}, [claim(), classWith()]).writes).toEqual(written(volume({})));
  });

  it('has the size zero if its claim asks for none', () => {
    expect(outcome({}, [claim(asked, { resources: {} }), classWith()]).writes).toEqual(written(volume({ capacity: { storage: '0' } })));
  });

  it('lies in its segment, and is kept in mind until it is seen', () => {
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['one'] }] }] } };
    const driver = { topologyKeys: ['zone'] };
    const made = volume({ nodeAffinity });
    expect(outcome(driver, [claim(selected), classWith(), node, csiNode])).toEqual({
      why: 'the volume is provisioned',
      writes: written(made),
      actions: [made],
    });
    const controller = provisioner(driverOf(driver));
    const state = new Map();
    const context = observingWith(state);
    controller.act?.(made, context);
    expect(state).toEqual(new Map([['pvc-uid-data', made]]));
    controller.observe?.({ type: 'ADDED', kind: 'PersistentVolume', key: 'pvc-uid-data', object: made as never, old: undefined }, context);
    expect(state.size).toBe(0);
  });
});

describe('provisioning', () => {
  it.each([
    ['nothing is asked of a driver', [claim({}), classWith()], { why: 'it needs nothing from this driver', writes: [], memory: null }],
    [
      'another driver is asked',
      [claim({ 'volume.kubernetes.io/storage-provisioner': 'other' }), classWith()],
      { why: 'it needs nothing from this driver', writes: [], memory: null },
    ],
    [
      'it has a volume',
      [claim(asked, { volumeName: 'pv' }), classWith()],
      { why: 'it needs nothing from this driver', writes: [], memory: null },
    ],
    ['its class is gone', [claim()], { why: 'its StorageClass is gone', writes: [] }],
    ['it has no class', [claim(asked, { storageClassName: undefined })], { why: 'its StorageClass is gone', writes: [] }],
  ])('does not take place if %s', (_name, objects, expected) => {
    expect(outcome({}, objects)).toEqual(expected);
  });

  it('takes the time of the driver, a millisecond at least', () => {
    const begun = (provisionDelayMs: number) => decide(provisioner(driverOf({ provisionDelayMs })), { objects: [claim(), classWith()] });
    expect(begun(200)).toEqual({ why: 'start to provision', writes: [], memory: { doneAt: at(0.2), failed: 0 }, wakeAt: at(0.2) });
    expect(begun(0)).toMatchObject({ memory: { doneAt: at(0) }, wakeAt: at(0) + 1 });
    expect(outcome({}, [claim(), classWith()], {}, { doneAt: at(0) + 1, failed: 0 })).toEqual({
      why: 'provisioning is in progress',
      writes: [],
      wakeAt: at(0) + 1,
    });
  });

  const failed = (why: string, ...release: readonly unknown[]) => ({
    why: `it cannot be provisioned: ${why}`,
    writes: [
      expect.objectContaining({
        op: 'event',
        event: expect.objectContaining({
          type: 'Warning',
          reason: 'ProvisioningFailed',
          message: `failed to provision volume with StorageClass "fast": ${why}`,
        }),
      }),
      ...release,
    ],
    memory: { doneAt: at(4.2), failed: 3 },
    wakeAt: at(4.2),
    background: true,
  });
  const TWICE = { doneAt: at(0), failed: 2 };

  it('fails with a parameter that the driver does not know', () => {
    const storage = classWith({ parameters: { 'csi.storage.k8s.io/fstype': 'xfs', type: 'ssd', tier: '1' } });
    expect(outcome({ parameters: ['type'] }, [claim(), storage], {}, TWICE)).toEqual(
      failed('rpc error: code = InvalidArgument desc = unknown parameter "tier"'),
    );
  });

  it('fails without a segment, and keeps the selected node', () => {
    expect(outcome({ topologyKeys: ['zone'] }, [claim(selected), classWith(), node], {}, TWICE)).toEqual(
      failed('error generating accessibility requirements: no topology key found on CSINode n'),
    );
  });

  it('fails without capacity, and asks for another node', () => {
    const driver = { capacity: [{ topology: {}, size: '1023Mi' }] };
    const release = {
      op: 'patch',
      kind: 'PersistentVolumeClaim',
      namespace: 'default',
      name: 'data',
      patchType: 'merge',
      patch: { metadata: { annotations: { 'volume.kubernetes.io/selected-node': null } } },
    };
    const why = 'rpc error: code = ResourceExhausted desc = there is no room for a volume of this size';
    expect(outcome(driver, [claim(selected), classWith()], {}, TWICE)).toEqual(failed(why, expect.objectContaining(release)));
    expect(outcome(driver, [claim(), classWith()], {}, TWICE)).toEqual(failed(why));
  });
});

describe('with HonorPVReclaimPolicy a volume', () => {
  const HOLD = 'external-provisioner.volume.kubernetes.io/finalizer';
  const held = (phase: string, policy: string, finalizers: readonly string[] | undefined, more: object = {}): PersistentVolume => {
    const made = volumeOf('pv', 'data', { persistentVolumeReclaimPolicy: policy });
    const metadata = {
      ...made.metadata,
      resourceVersion: '5',
      annotations: { 'pv.kubernetes.io/provisioned-by': DRIVER },
      finalizers,
      ...more,
    };
    return { ...made, metadata, status: { phase } } as unknown as PersistentVolume;
  };
  const gates = { HonorPVReclaimPolicy: true };
  const patch = (...finalizers: readonly string[]): unknown =>
    expect.objectContaining({
      op: 'patch',
      kind: 'PersistentVolume',
      name: 'pv',
      patch: { metadata: { resourceVersion: '5', finalizers } },
      tolerate: ['NotFound', 'Conflict'],
    });
  const read = expect.objectContaining({ op: 'get', kind: 'PersistentVolume', name: 'pv' });
  const deleted = expect.objectContaining({ op: 'delete', kind: 'PersistentVolume', name: 'pv' });
  const leaving = { deletionTimestamp: '2024-01-01T00:00:00Z' };
  const RECLAIMED = 'its claim is gone and its policy is Delete';

  it.each([
    ['in use is held', held('Bound', 'Delete', undefined), 'hold the volume', [patch(HOLD)]],
    ['keeps its other finalizers', held('Bound', 'Delete', ['x']), 'hold the volume', [patch('x', HOLD)]],
    ['to be retained is not held', held('Bound', 'Retain', ['x']), 'another driver deletes it', []],
    ['to be retained is held no more', held('Bound', 'Retain', ['x', HOLD]), 'its policy is not Delete', [patch('x')]],
    ['that is being deleted is not held', held('Bound', 'Delete', ['x'], leaving), 'another driver deletes it', []],
    ['that is held stays so', held('Bound', 'Delete', [HOLD]), 'another driver deletes it', []],
    ['that is released is read first', held('Released', 'Delete', [HOLD]), `${RECLAIMED}: read it from the API server`, [read]],
    [
      'that is released without a hold is read first',
      held('Released', 'Delete', undefined),
      `${RECLAIMED}: read it from the API server`,
      [read],
    ],
    [
      'that is released and deleted is let go',
      held('Released', 'Delete', [HOLD, 'x'], leaving),
      'the driver has deleted the volume',
      [patch('x')],
    ],
    ['that is released, deleted and not held is left', held('Released', 'Delete', ['x'], leaving), 'it is being deleted', []],
  ])('%s', (_name, object, why, writes) => {
    expect(decide(reclaimer(driverOf()), { objects: [object], gates })).toEqual({ why, writes });
  });

  it('that the API server shows as released is let go and deleted', () => {
    const live = (object: ApiObject | undefined) =>
      resume(
        reclaimer(driverOf()),
        { objects: [held('Bound', 'Delete', [])], gates },
        { write: { op: 'get', kind: 'PersistentVolume', name: 'pv' }, object },
      );
    expect(live(held('Released', 'Delete', ['x', HOLD]))).toEqual({ why: RECLAIMED, writes: [patch('x'), deleted] });
    expect(live(held('Released', 'Delete', []))).toEqual({ why: RECLAIMED, writes: [deleted] });
    expect(live(undefined)).toEqual({ why: 'it is gone', writes: [] });
  });

  it('is not held without the gate', () => {
    expect(decide(reclaimer(driverOf()), { objects: [held('Bound', 'Delete', undefined)] })).toEqual({
      why: 'another driver deletes it',
      writes: [],
    });
  });
});

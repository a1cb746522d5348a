import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { PersistentVolume } from '../../../../src/apiserver/kinds/index.ts';
import { installation } from '../../../../src/controlplane/agents/storage-driver/index.ts';
import { provisioner, reclaimer } from '../../../../src/controlplane/agents/storage-driver/provisioner.ts';
import { at } from '../../../support/objects.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { decide, phrase, resume } from '../../../support/reconcile.ts';
import { claimOf, volumeOf } from '../../controllers/volume-attachment/objects.ts';
import { driverOf } from './objects.ts';

const asked = { 'volume.kubernetes.io/storage-provisioner': 'csi.fake.example' };
const claim = (annotations: object = asked, volumeName?: string): ApiObject => {
  const made = claimOf('data', volumeName, 'Pending', { annotations });
  return { ...made, spec: { ...made.spec, storageClassName: 'fast' } };
};
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'csi.fake.example',
  reclaimPolicy: 'Delete',
  mountOptions: ['ro'],
} as unknown as ApiObject;

describe('provisioning', () => {
  it('is for unbound claims of this driver', () => {
    expect(decide(provisioner(driverOf()), { objects: [claim({}), storageClass] }).writes).toEqual([]);
    expect(decide(provisioner(driverOf()), { objects: [claim(asked, 'pv'), storageClass] })).toMatchObject({ writes: [], memory: null });
    expect(decide(provisioner(driverOf()), { objects: [claim()] }).writes).toEqual([]);
  });

  it("takes the driver's time", () => {
    expect(decide(provisioner(driverOf()), { objects: [claim(), storageClass] })).toMatchObject({
      writes: [],
      memory: { doneAt: at(0.2), failed: 0 },
      wakeAt: at(0.2),
    });
  });

  it("makes a volume named by the claim's uid, bound to it, as its class says", () => {
    expect(
      decide(provisioner(driverOf()), { objects: [claim(), storageClass], memory: { doneAt: at(0), failed: 0 } }).writes,
    ).toMatchObject([
      {
        op: 'create',
        tolerate: ['AlreadyExists'],
        object: {
          kind: 'PersistentVolume',
          metadata: { name: 'pvc-uid-data', annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.fake.example' } },
          spec: {
            capacity: { storage: '1Gi' },
            persistentVolumeReclaimPolicy: 'Delete',
            storageClassName: 'fast',
            mountOptions: ['ro'],
            claimRef: { namespace: 'default', name: 'data', uid: 'uid-data' },
            csi: { driver: 'csi.fake.example', volumeHandle: 'pvc-uid-data' },
          },
        },
      },
    ]);
  });

  it('backs off 1, 2, 4 … 300 seconds after failures', () => {
    const wakes = [0, 1, 2, 9].map((failed) =>
      decide(provisioner(driverOf({ failures: { provision: 10 } })), {
        objects: [claim(), storageClass],
        memory: { doneAt: at(0), failed },
      }),
    );
    expect(wakes.map(({ wakeAt }) => wakeAt)).toEqual([at(1.2), at(2.2), at(4.2), at(300.2)]);
    expect(wakes[1]).toMatchObject({ writes: [], memory: { failed: 2, doneAt: at(2.2) } });
    expect(
      decide(provisioner(driverOf({ failures: { provision: 1 } })), {
        objects: [claim(), storageClass],
        memory: { doneAt: at(0), failed: 1 },
      }).writes.map(phrase),
    ).toEqual(['create PersistentVolume pvc-uid-data']);
  });
});

describe('capacity', () => {
  const inZone = (zone: string) => ({ topology: { zone }, size: '1Gi' });
  const driver = driverOf({ topologyKeys: ['zone'], capacity: [inZone('a'), inZone('b')] });
  const places = ['a', 'b'].flatMap((zone): readonly ApiObject[] => [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: zone, labels: { zone } } } as unknown as ApiObject,
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: zone },
      spec: { drivers: [{ name: driver.name, nodeID: zone, topologyKeys: ['zone'] }] },
    } as unknown as ApiObject,
  ]);
  const madeIn = (zone: string) => {
    const matchExpressions = [{ key: 'zone', operator: 'In', values: [zone] }];
    return {
      metadata: { name: `pvc-${zone}` },
      spec: {
        capacity: { storage: '1Gi' },
        csi: { driver: driver.name },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      },
    };
  };

  it.each([
    ['none', [], 'create PersistentVolume pvc-uid-data'],
    ['one', ['a'], 'create PersistentVolume pvc-uid-data'],
    ['each', ['a', 'b'], 'event ProvisioningFailed'],
  ])('counts the volumes that it has made and not seen yet: in %s of two segments', (_, full, wanted) => {
    const state = new Map(full.map((zone) => [`pvc-${zone}`, madeIn(zone)]));
    const controller = { ...provisioner(driver), start: () => state };
    const { writes } = decide(controller, { objects: [claim(), storageClass, ...places], memory: { doneAt: at(0), failed: 0 } });
    expect(writes.map(phrase)).toEqual([wanted]);
  });
});

describe('reclaiming', () => {
  const released = (
    policy: string,
    annotations: object = { 'pv.kubernetes.io/provisioned-by': 'csi.fake.example' },
    phase = 'Released',
  ): PersistentVolume => {
    const volume = volumeOf('pv', 'data', { persistentVolumeReclaimPolicy: policy });
    return { ...volume, metadata: { ...volume.metadata, annotations }, status: { phase } } as unknown as PersistentVolume;
  };
  const OTHERS: readonly (readonly [string, PersistentVolume])[] = [
    ['one to be retained', released('Retain')],
    ["another's", released('Delete', {})],
    ['one in use', released('Delete', undefined, 'Bound')],
  ];
  const asked: Write = { op: 'get', kind: 'PersistentVolume', name: 'pv' };

  it('deletes one it made, released and to be deleted, once the server says so too', () => {
    const objects = [released('Delete')];
    expect(decide(reclaimer(driverOf()), { objects }).writes.map(phrase)).toEqual(['get PersistentVolume pv']);
    expect(resume(reclaimer(driverOf()), { objects }, { write: asked, object: objects[0] }).writes.map(phrase)).toEqual([
      'delete PersistentVolume pv',
    ]);
    expect(resume(reclaimer(driverOf()), { objects }, { write: asked, object: undefined }).writes).toEqual([]);
  });

  it.each(OTHERS)('leaves %s alone, whether its cache or only the server shows that', (_what, volume) => {
    expect(decide(reclaimer(driverOf()), { objects: [volume] }).writes).toEqual([]);
    expect(resume(reclaimer(driverOf()), { objects: [released('Delete')] }, { write: asked, object: volume }).writes).toEqual([]);
  });
});

describe('an installation', () => {
  it('creates classes, and a CSIDriver only when there is nothing to attach', () => {
    const driver = driverOf({ storageClasses: [{ name: 'fast', isDefault: true, volumeBindingMode: 'WaitForFirstConsumer' }] });
    expect(decide(installation(driver), { objects: [], key: 'install' }).writes).toMatchObject([
      {
        object: {
          kind: 'StorageClass',
          provisioner: 'csi.fake.example',
          volumeBindingMode: 'WaitForFirstConsumer',
          metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        },
      },
    ]);
    expect(decide(installation({ ...driver, attachRequired: false }), { objects: [], key: 'install' }).writes[1]).toMatchObject({
      object: { kind: 'CSIDriver', spec: { attachRequired: false } },
    });
  });
});

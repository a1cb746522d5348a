/** The processes of a driver: which sidecars it has, under which names they write, and what. */
import { expect, it } from 'vitest';
import { attacher } from '../../../../src/controlplane/agents/storage-driver/attacher.ts';
import { storageDrivers } from '../../../../src/controlplane/agents/storage-driver/index.ts';
import { provisioner } from '../../../../src/controlplane/agents/storage-driver/provisioner.ts';
import type { StorageDriver } from '../../../../src/controlplane/agents/specs.ts';
import { driverOf } from './objects.ts';

const sidecars = (more: Partial<StorageDriver>): readonly unknown[] =>
  storageDrivers
    .processes([], { storageDrivers: [driverOf(more)] } as never)
    .flatMap(({ controllers }) =>
      controllers.map(({ name, component, writes, watches = [] }) => [name, component, writes, watches.map(({ kind }) => kind)]),
    );

it('a driver has the sidecars that its capabilities need', () => {
  const driver = 'csi.fake.example';
  const always = [
    ['attacher', driver, ['VolumeAttachment'], ['PersistentVolume']],
    ['reclaimer', driver, ['PersistentVolume'], []],
  ];
  const installation = ['installation', undefined, ['StorageClass', 'CSIDriver'], []];
  const writes = ['PersistentVolume', 'PersistentVolumeClaim'];
  const everywhere = ['provisioner', driver, writes, ['StorageClass']];
  const inPlaces = ['provisioner', driver, writes, ['StorageClass', 'Node', 'CSINode', 'PersistentVolume']];
  expect(sidecars({})).toEqual([installation, everywhere, ...always]);
  expect(sidecars({ topologyKeys: [] })).toEqual([installation, inPlaces, ...always]);
  expect(sidecars({ expandDelayMs: 1, capacity: [] })).toEqual([
    installation,
    inPlaces,
    ...always,
    ['resizer', `external-resizer ${driver}`, ['PersistentVolumeClaim', 'PersistentVolume'], ['PersistentVolume']],
    ['capacity-publisher', driver, ['CSIStorageCapacity'], ['PersistentVolume', 'CSIStorageCapacity']],
  ]);
});

it('its sidecars have nothing to remember of an object that is gone', () => {
  for (const sidecar of [attacher(driverOf()), provisioner(driverOf())])
    expect(sidecar.reconcileAbsent?.({} as never)).toEqual({ why: 'it is gone', writes: [], memory: null });
});

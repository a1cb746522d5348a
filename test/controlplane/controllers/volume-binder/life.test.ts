/** The life of volumes and claims, from the writes that bind them to those that reclaim them. */
import { expect, it } from 'vitest';
import { claimBinder } from '../../../../src/controlplane/controllers/volume-binder/claim.ts';
import { volumeBinder } from '../../../../src/controlplane/controllers/volume-binder/volume.ts';
import { living } from '../lives.ts';

const volume = (more: object = {}) => ({
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: '/tmp/x' },
    persistentVolumeReclaimPolicy: 'Delete',
    ...more,
  },
});
const claim = { spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } } };

it('a volume is bound to a claim, and deleted after it', () => {
  const { cluster, make, patch, drop, pass, writes } = living([claimBinder, volumeBinder]);
  make('PersistentVolume', 'pv', volume());
  pass(10);
  make('PersistentVolumeClaim', 'data', claim, 'default');
  pass(10);
  expect(writes()).toEqual([
    '0 volume-binder: patch PersistentVolume/status pv',
    '10 claim-binder: patch PersistentVolume pv',
    '10 claim-binder: patch PersistentVolumeClaim default/data',
    '10 claim-binder: patch PersistentVolumeClaim/status default/data',
    '10 volume-binder: patch PersistentVolume/status pv',
  ]);
  make('PersistentVolumeClaim', 'more', claim, 'default');
  pass(30_000);
  make('PersistentVolume', 'later', volume());
  pass(20_000);
  expect(writes()).toEqual([
    '20 persistentvolume-controller: FailedBinding',
    '15000 persistentvolume-controller: FailedBinding',
    '30000 persistentvolume-controller: FailedBinding',
    '30020 volume-binder: patch PersistentVolume/status later',
    '45000 claim-binder: patch PersistentVolume later',
    '45000 claim-binder: patch PersistentVolumeClaim default/more',
    '45000 claim-binder: patch PersistentVolumeClaim/status default/more',
    '45000 volume-binder: patch PersistentVolume/status later',
  ]);
  drop('PersistentVolumeClaim', 'data', 'default');
  patch('PersistentVolumeClaim', 'data', { metadata: { finalizers: null } }, undefined, 'default');
  pass(20_000);
  expect(writes()).toEqual(['50020 volume-binder: patch PersistentVolume/status pv', '50020 volume-binder: delete PersistentVolume pv']);
  expect(cluster.store.get('PersistentVolume', 'pv')?.metadata.deletionTimestamp).toBeDefined();
});

import { describe, expect, it } from 'vitest';
import type { ApiObject, PersistentVolume } from '../../../../src/cluster/api/index.ts';
import { volumeBinder } from '../../../../src/cluster/controllers/volume-binder/volume.ts';
import { decide } from '../../../support/reconcile.ts';
import { claimOf, volumeOf } from '../volume-attachment/objects.ts';

const inPhase = (volume: PersistentVolume, phase: string, annotations?: object): PersistentVolume => ({ ...volume, metadata: { ...volume.metadata, ...(annotations === undefined ? {} : { annotations }) }, status: { phase } } as unknown as PersistentVolume);
const patches = (objects: readonly ApiObject[]): readonly unknown[] => decide(volumeBinder, { objects }).writes.map((write) => (write.op === 'patch' ? write.patch : write.op));

describe('the phase of a volume', () => {
  it.each([
    ['Available', 'no claim has it', [inPhase(volumeOf('pv', 'x', { claimRef: undefined }), 'Pending')]],
    ['Available', 'the claim it was made for is not there yet', [inPhase(volumeOf('pv', 'x', { claimRef: { namespace: 'default', name: 'data' } }), 'Pending')]],
    ['Bound', 'its claim has it', [inPhase(volumeOf('pv', 'data'), 'Available'), claimOf('data', 'pv')]],
    ['Bound', 'its claim is being bound to it', [inPhase(volumeOf('pv', 'data'), 'Pending'), claimOf('data', undefined, 'Pending')]],
    ['Released', 'its claim is gone', [volumeOf('pv', 'data')]],
    ['Released', 'another claim of that name is there', [volumeOf('pv', 'data'), claimOf('data', undefined, 'Pending', { uid: 'new' })]],
  ])('is %s when %s', (phase, _when, objects) => {
    expect(patches(objects)).toEqual([{ status: { phase } }]);
    const [volume, ...others] = objects;
    expect(patches([inPhase(volume as PersistentVolume, phase), ...others])).toEqual([]);
  });

  it('stays Failed when reclaiming failed', () => { expect(patches([inPhase(volumeOf('pv', 'data'), 'Failed')])).toEqual([]); });
});

describe('a volume whose claim went to another one', () => {
  const elsewhere = claimOf('data', 'other');

  it('is released when it was provisioned and is to be deleted', () => {
    const provisioned = (phase: string) => inPhase(volumeOf('pv', 'data', { persistentVolumeReclaimPolicy: 'Delete' }), phase, { 'pv.kubernetes.io/provisioned-by': 'csi.fake.example' });
    expect(patches([provisioned('Bound'), elsewhere])).toEqual([{ status: { phase: 'Released' } }]);
    expect(patches([provisioned('Failed'), elsewhere])).toEqual([]);
  });

  it('is free again when the controller had bound it', () => {
    expect(patches([inPhase(volumeOf('pv', 'data'), 'Bound', { 'pv.kubernetes.io/bound-by-controller': 'yes' }), elsewhere])).toMatchObject([{ metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } }, spec: { claimRef: null } }]);
  });

  it('waits again for the claim it was made for otherwise', () => {
    expect(patches([volumeOf('pv', 'data'), elsewhere])).toMatchObject([{ spec: { claimRef: { uid: null } } }]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { PersistentVolume } from '../../../../src/apiserver/kinds/index.ts';
import { volumeBinder } from '../../../../src/controlplane/controllers/volume-binder/volume.ts';
import { at } from '../../../support/objects.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { decide, enqueued, resume } from '../../../support/reconcile.ts';
import { claimOf, volumeOf } from '../volume-attachment/objects.ts';

const inPhase = (volume: PersistentVolume, phase: string, annotations?: object): PersistentVolume =>
  ({
    ...volume,
    metadata: { ...volume.metadata, ...(annotations === undefined ? {} : { annotations }) },
    status: { phase },
  }) as unknown as PersistentVolume;
/** The outcome; a live read of a claim finds it in `there`. */
const outcomeOf = (objects: readonly ApiObject[], there: readonly ApiObject[] = objects): Outcome => {
  const outcome = decide(volumeBinder, { objects });
  const [first] = outcome.writes;
  return first?.op === 'get'
    ? resume(
        volumeBinder,
        { objects },
        { write: first, object: there.find(({ kind, metadata }) => kind === first.kind && metadata.name === first.name) },
      )
    : outcome;
};
const patches = (objects: readonly ApiObject[], there?: readonly ApiObject[]): readonly unknown[] =>
  outcomeOf(objects, there).writes.map((write) => (write.op === 'patch' ? write.patch : write.op));

describe('the phase of a volume', () => {
  it.each([
    ['Available', 'no claim has it', [inPhase(volumeOf('pv', 'x', { claimRef: undefined }), 'Pending')]],
    [
      'Available',
      'the claim it was made for is not there yet',
      [inPhase(volumeOf('pv', 'x', { claimRef: { namespace: 'default', name: 'data' } }), 'Pending')],
    ],
    ['Bound', 'its claim has it', [inPhase(volumeOf('pv', 'data'), 'Available'), claimOf('data', 'pv')]],
    ['Bound', 'its claim is being bound to it', [inPhase(volumeOf('pv', 'data'), 'Pending'), claimOf('data', undefined, 'Pending')]],
    ['Released', 'its claim is gone', [volumeOf('pv', 'data')]],
    ['Released', 'another claim of that name is there', [volumeOf('pv', 'data'), claimOf('data', undefined, 'Pending', { uid: 'new' })]],
  ])('is %s when %s', (phase, _when, objects) => {
    const asSeen = { metadata: { resourceVersion: objects[0]?.metadata.resourceVersion } };
    expect(patches(objects)).toEqual([{ ...(phase === 'Released' ? asSeen : {}), status: { phase } }]);
    const [volume, ...others] = objects;
    expect(patches([inPhase(volume as PersistentVolume, phase), ...others])).toEqual([]);
  });

  it('is Bound when its claim exists and only the cache does not show it', () => {
    const bound = inPhase(volumeOf('pv', 'data'), 'Bound');
    expect(decide(volumeBinder, { objects: [bound] }).writes).toMatchObject([{ op: 'get', kind: 'PersistentVolumeClaim', name: 'data' }]);
    expect(patches([bound], [claimOf('data', 'pv')])).toEqual([]);
    expect(patches([bound, claimOf('data', 'pv', 'Bound', { uid: 'old' })], [claimOf('data', 'pv')])).toEqual([]);
  });

  it('follows a claim that the cache shows, without a live read', () => {
    const bound = inPhase(volumeOf('pv', 'data'), 'Available');
    expect(decide(volumeBinder, { objects: [bound, claimOf('data', 'pv')] }).writes).toMatchObject([{ op: 'patch', name: 'pv' }]);
  });

  it('stays Failed when reclaiming failed', () => {
    expect(patches([inPhase(volumeOf('pv', 'data'), 'Failed')])).toEqual([]);
  });
});

describe('a volume whose claim is gone', () => {
  const released = (spec: object, annotations?: object) => inPhase(volumeOf('pv', 'data', spec), 'Released', annotations);
  const reported = (volume: PersistentVolume): readonly string[] =>
    decide(volumeBinder, { objects: [volume] }).writes.flatMap((write) =>
      write.op === 'event' ? [`${write.event.type} ${write.event.reason}: ${write.event.message}`] : [],
    );

  it.each([
    [
      'of a driver that did not provision it',
      { persistentVolumeReclaimPolicy: 'Delete' },
      'VolumeFailedDelete',
      'error getting deleter volume plugin for volume "pv": no deletable volume plugin matched',
    ],
    [
      'on a host, elsewhere than in /tmp',
      { persistentVolumeReclaimPolicy: 'Delete', csi: undefined, hostPath: { path: '/srv/data' } },
      'VolumeFailedDelete',
      'host_path deleter only supports /tmp/.+ but received provided /srv/data',
    ],
    [
      'of a driver, that is to be recycled',
      { persistentVolumeReclaimPolicy: 'Recycle' },
      'VolumeFailedRecycle',
      'No recycler plugin found for the volume!',
    ],
  ])('%s, has failed', (_what, spec, reason, message) => {
    expect(patches([released(spec)])).toEqual([{ status: { phase: 'Failed', message } }, 'event']);
    expect(reported(released(spec))).toEqual([`Warning ${reason}: ${message}`]);
  });

  it.each([
    ['is kept', { persistentVolumeReclaimPolicy: 'Retain' }, undefined, []],
    [
      'is left to the driver that provisioned it',
      { persistentVolumeReclaimPolicy: 'Delete' },
      { 'pv.kubernetes.io/provisioned-by': 'csi.fake.example' },
      [],
    ],
    [
      'is left to be scrubbed',
      { persistentVolumeReclaimPolicy: 'Recycle', csi: undefined, nfs: { server: 'n', path: '/' } },
      undefined,
      [],
    ],
    [
      'in /tmp is deleted',
      { persistentVolumeReclaimPolicy: 'Delete', csi: undefined, hostPath: { path: '/tmp/data' } },
      undefined,
      ['delete'],
    ],
  ])('%s', (_what, spec, annotations, writes) => {
    expect(patches([released(spec, annotations)])).toEqual(writes);
  });
});

describe('a claim that was deleted before it named its volume', () => {
  it('enqueues the volume at the next resync, and one that named it at once', () => {
    const objects = [volumeOf('pv', 'data')];
    const gone = claimOf('data', undefined, 'Pending');
    expect(enqueued(volumeBinder, { objects, now: at(7) }, { type: 'DELETED', object: gone, old: gone })).toEqual([
      { key: 'pv', afterMs: 8_000 },
    ]);
    expect(
      enqueued(volumeBinder, { objects, now: at(7) }, { type: 'DELETED', object: claimOf('data', 'pv'), old: claimOf('data', 'pv') }),
    ).toEqual(['pv']);
  });
});

describe('a volume whose claim was bound to another one', () => {
  const elsewhere = claimOf('data', 'other');

  it('is released when it was provisioned and is to be deleted', () => {
    const provisioned = (phase: string) =>
      inPhase(volumeOf('pv', 'data', { persistentVolumeReclaimPolicy: 'Delete' }), phase, {
        'pv.kubernetes.io/provisioned-by': 'csi.fake.example',
      });
    expect(patches([provisioned('Bound'), elsewhere])).toMatchObject([{ status: { phase: 'Released' } }]);
    expect(patches([provisioned('Failed'), elsewhere])).toEqual([]);
  });

  it('is available again when the controller had bound it', () => {
    expect(patches([inPhase(volumeOf('pv', 'data'), 'Bound', { 'pv.kubernetes.io/bound-by-controller': 'yes' }), elsewhere])).toMatchObject(
      [{ metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': null } }, spec: { claimRef: null } }],
    );
  });

  it('waits again for the claim that it is pre-bound to otherwise', () => {
    expect(patches([volumeOf('pv', 'data'), elsewhere])).toMatchObject([{ spec: { claimRef: { uid: null } } }]);
  });
});

/** A claim that requests more than its volume has is expanded by the driver. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { resizer } from '../../../../src/controlplane/agents/storage-driver/resizer.ts';
import { at } from '../../../support/objects.ts';
import { decide, enqueued } from '../../../support/reconcile.ts';
import { claimOf, volumeOf } from '../../controllers/volume-attachment/objects.ts';
import { driverOf } from './objects.ts';

const controller = () => resizer(driverOf(), 3_000);
const claim = (requested: string, has: string | undefined, phase = 'Bound'): ApiObject => {
  const made = claimOf('data', 'pv', phase);
  const capacity = has === undefined ? {} : { capacity: { storage: has } };
  return { ...made, spec: { ...made.spec, resources: { requests: { storage: requested } } }, status: { phase, ...capacity } };
};
const volume = volumeOf('pv', 'data');
const NOTHING = { why: 'it needs nothing from this driver', writes: [], memory: null };
const status = (body: object) => ({
  op: 'patch',
  kind: 'PersistentVolumeClaim',
  namespace: 'default',
  name: 'data',
  subresource: 'status',
  patchType: 'merge',
  patch: { status: body },
  tolerate: ['NotFound'],
});

describe('a claim', () => {
  it.each([
    ['is not bound', [claim('2Gi', '1Gi', 'Pending'), volume], NOTHING],
    ['has no volume', [claim('2Gi', '1Gi')], NOTHING],
    [
      'has a volume of another driver',
      [claim('2Gi', '1Gi'), volumeOf('pv', 'data', { csi: { driver: 'other', volumeHandle: 'h' } })],
      NOTHING,
    ],
    ['has a volume of no driver', [claim('2Gi', '1Gi'), volumeOf('pv', 'data', { csi: undefined })], NOTHING],
    ['has its size', [claim('1Gi', '1024Mi'), volume], { why: 'it has the requested size', writes: [], memory: null }],
    ['has more', [claim('1Gi', '2Gi'), volume], { why: 'it has the requested size', writes: [], memory: null }],
  ])('that %s is left as it is', (_name, objects, expected) => {
    expect(decide(controller(), { objects, memory: { wanted: '9Gi', doneAt: 0 } })).toEqual(expected);
  });

  it('that requests more gets a condition, and the driver begins', () => {
    const begun = (has: string | undefined, from: string, memory?: object): void =>
      expect(decide(controller(), { objects: [claim('2Gi', has), volume], memory })).toEqual({
        why: `resize its volume from ${from} to 2Gi`,
        writes: [
          status({ conditions: [{ type: 'Resizing', status: 'True', lastProbeTime: null, lastTransitionTime: '2024-01-01T00:00:00Z' }] }),
          expect.objectContaining({
            op: 'event',
            event: expect.objectContaining({ type: 'Normal', reason: 'Resizing', message: 'External resizer is resizing volume pv' }),
          }),
        ],
        memory: { wanted: '2Gi', doneAt: at(3) },
        wakeAt: at(3),
      });
    begun('1Gi', '1Gi');
    begun(undefined, '0');
    // Another size was requested meanwhile.
    begun('1Gi', '1Gi', { wanted: '4Gi', doneAt: at(-1) });
  });

  it('is woken after its event at the earliest', () => {
    expect(decide(resizer(driverOf(), 0), { objects: [claim('2Gi', '1Gi'), volume] })).toMatchObject({
      memory: { doneAt: at(0) },
      wakeAt: at(0) + 1,
    });
  });

  it('waits until the driver is done, and then has its size, as its volume has', () => {
    const then = (doneAt: number) => decide(controller(), { objects: [claim('2Gi', '1Gi'), volume], memory: { wanted: '2Gi', doneAt } });
    expect(then(at(0) + 1)).toEqual({ why: 'its volume is being resized', writes: [], wakeAt: at(0) + 1 });
    expect(then(at(0))).toEqual({
      why: 'its volume was resized to 2Gi',
      writes: [
        {
          op: 'patch',
          kind: 'PersistentVolume',
          name: 'pv',
          patchType: 'merge',
          patch: { spec: { capacity: { storage: '2Gi' } } },
          tolerate: [],
        },
        status({ capacity: { storage: '2Gi' }, conditions: null }),
        expect.objectContaining({
          event: expect.objectContaining({ type: 'Normal', reason: 'VolumeResizeSuccessful', message: 'Resize volume succeeded' }),
        }),
      ],
      memory: null,
    });
  });
});

it('a volume of the driver enqueues its claim', () => {
  const after = (spec: object) => enqueued(controller(), { objects: [] }, { type: 'MODIFIED', object: volumeOf('pv', 'data', spec) });
  expect(
    [{}, { claimRef: { name: 'data' } }, { claimRef: undefined }, { csi: undefined }, { csi: { driver: 'other' } }].map(after),
  ).toEqual([['default/data'], ['default/data'], [], [], []]);
  expect(controller().reconcileAbsent?.({} as never)).toEqual({ why: 'it is gone', writes: [] });
});

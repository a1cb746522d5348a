import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { PersistentVolume } from '../../../../src/apiserver/kinds/index.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { attacher } from '../../../../src/controlplane/agents/storage-driver/attacher.ts';
import { at } from '../../../support/objects.ts';
import { decide, enqueued, observingWith } from '../../../support/reconcile.ts';
import { attachmentOf, volumeOf } from '../../controllers/volume-attachment/objects.ts';
import { driverOf } from './objects.ts';

const FINALIZER = 'external-attacher/csi-fake-example';
const held = { finalizers: [FINALIZER] };
const going = { ...held, deletionTimestamp: '2024-01-01T00:00:00Z' };
const annotated = (annotations: object): PersistentVolume =>
  ({ ...volumeOf('pv', 'data'), metadata: { ...volumeOf('pv', 'data').metadata, annotations } }) as unknown as PersistentVolume;
const decided = (objects: readonly ApiObject[], memory?: object, driver = driverOf(), now = at(0)): Outcome =>
  decide(attacher(driver), { objects, memory, now });
/** The patches of an outcome; those of the status with their subresource. */
const patches = ({ writes }: Outcome): readonly unknown[] =>
  writes.map((write) =>
    write.op !== 'patch' ? write.op : write.subresource === undefined ? write.patch : { of: write.subresource, ...(write.patch as object) },
  );
const trying = (operation: 'attach' | 'detach', failed = 0, doneAt = at(0)) => ({ operation, doneAt, failed });

describe('attaching', () => {
  it("begins with the finalizer, and takes the driver's delay", () => {
    const outcome = decided([attachmentOf('pv', 'n', {}, { finalizers: ['mine'] })]);
    expect(patches(outcome)).toEqual([{ metadata: { finalizers: ['mine', FINALIZER] } }]);
    expect(outcome).toMatchObject({ memory: trying('attach', 0, at(0.5)), wakeAt: at(0.5) });
    expect(decided([attachmentOf('pv', 'n', {}, held)], trying('attach', 0, at(0.5)))).toMatchObject({ writes: [], wakeAt: at(0.5) });
  });

  it('keeps the finalizer that it has, and is woken after its event at the earliest', () => {
    expect(decided([attachmentOf('pv', 'n', {}, held)], undefined, driverOf({ attachDelayMs: 0 }))).toEqual({
      why: 'start to attach it',
      writes: [],
      memory: trying('attach'),
      wakeAt: at(0) + 1,
    });
  });

  it('ends with the status, and the metadata for later mounts', () => {
    expect(
      patches(decided([attachmentOf('pv', 'n', {}, held), annotated({ 'sim.orch.io/attach-metadata': '{"lun":"3"}' })], trying('attach'))),
    ).toEqual([{ of: 'status', status: { attached: true, attachError: null, detachError: null, attachmentMetadata: { lun: '3' } } }]);
    expect(
      patches(decided([attachmentOf('pv', 'n', {}, held), annotated({ 'sim.orch.io/attach-metadata': 'no json' })], trying('attach'))),
    ).toEqual([{ of: 'status', status: { attached: true, attachError: null, detachError: null } }]);
  });

  it('fails as often as the driver is configured to, with a back-off of 1, 2, 4 … 300 seconds', () => {
    const driver = driverOf({ failures: { attach: 20 } });
    const outcome = decided([attachmentOf('pv', 'n', {}, held)], trying('attach'), driver);
    expect(patches(outcome)).toEqual([
      {
        of: 'status',
        status: { attachError: { time: '2024-01-01T00:00:00Z', message: 'rpc error: code = Internal desc = fake attach failure' } },
      },
    ]);
    expect(outcome).toMatchObject({ why: 'the driver failed to attach: attempt 1', memory: trying('attach', 1, at(1.5)), wakeAt: at(1.5) });
    expect([1, 2, 8, 9, 19].map((failed) => decided([attachmentOf('pv', 'n', {}, held)], trying('attach', failed), driver).wakeAt)).toEqual(
      [at(2.5), at(4.5), at(256.5), at(300.5), at(300.5)],
    );
  });

  it("fails as often as the volume's annotation says, which overrides the driver", () => {
    const objects = [attachmentOf('pv', 'n', {}, held), annotated({ 'sim.orch.io/attach-errors': '1' })];
    expect(patches(decided(objects, trying('attach')))).toMatchObject([{ status: { attachError: {} } }]);
    expect(patches(decided(objects, trying('attach', 1), driverOf({ failures: { attach: 5 } })))).toMatchObject([
      { status: { attached: true, attachError: null } },
    ]);
  });

  it("does nothing for an attached volume, or another driver's", () => {
    expect(decided([attachmentOf('pv', 'n', { attached: true }, held)])).toMatchObject({ writes: [], memory: null });
    const object = attachmentOf('pv', 'n', {});
    const keys = [driverOf({ name: 'other' }), driverOf()].map((driver) =>
      attacher(driver).self?.enqueue?.({ type: 'ADDED', kind: object.kind, key: 'a', object, old: undefined }, observingWith({}) as never),
    );
    expect(keys).toEqual([undefined, 'a']);
    expect(enqueued(attacher(driverOf({ name: 'other' })), { objects: [] }, { type: 'ADDED', object: volumeOf('pv', 'data') })).toEqual([]);
  });
});

describe('detaching', () => {
  it('begins when the attachment is deleted, also while it was still attaching', () => {
    expect(decided([attachmentOf('pv', 'n', { attached: true }, going)], trying('attach', 3))).toMatchObject({
      writes: [],
      memory: trying('detach', 0, at(0.3)),
      wakeAt: at(0.3),
    });
  });

  it('ends with the status first, then with the removal of the finalizer', () => {
    expect(patches(decided([attachmentOf('pv', 'n', { attached: true }, going)], trying('detach')))).toEqual([
      { of: 'status', status: { attached: false, attachError: null, detachError: null } },
      { metadata: { finalizers: [] } },
    ]);
    expect(patches(decided([attachmentOf('pv', 'n', {}, { ...going, finalizers: ['mine', FINALIZER] })], trying('detach')))[1]).toEqual({
      metadata: { finalizers: ['mine'] },
    });
    expect(decided([attachmentOf('pv', 'n', {}, { ...going, finalizers: ['mine'] })])).toEqual({
      why: 'its finalizer is removed',
      writes: [],
    });
  });

  it('fails and is retried', () => {
    const outcome = decided(
      [attachmentOf('pv', 'n', { attached: true }, going)],
      trying('detach', 1),
      driverOf({ failures: { detach: 2 } }),
    );
    expect(patches(outcome)).toEqual([
      {
        of: 'status',
        status: { detachError: { time: '2024-01-01T00:00:00Z', message: 'rpc error: code = Internal desc = fake detach failure' } },
      },
    ]);
    expect(outcome.wakeAt).toBe(at(2.3));
  });
});

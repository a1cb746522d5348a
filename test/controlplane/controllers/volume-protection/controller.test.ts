import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/engine/index.ts';
import { keyOf, type ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { PersistentVolume, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { claimProtection, volumeProtection } from '../../../../src/controlplane/controllers/volume-protection/controller.ts';
import type { Cache, Write } from '../../../../src/controlplane/runtime/index.ts';
import { claimsOf } from '../../../../src/controlplane/shared/index.ts';
import { barePod } from '../../../support/objects.ts';
import { decide, enqueued, observingWith, resume } from '../../../support/reconcile.ts';
import { claimOf, mounting, names, volumeOf } from '../volume-attachment/objects.ts';

const CLAIM = 'kubernetes.io/pvc-protection';
const VOLUME = 'kubernetes.io/pv-protection';
const deletionTimestamp = '2024-01-01T00:00:00Z';
const going = claimOf('data', 'pv', 'Bound', { deletionTimestamp, finalizers: ['mine', CLAIM] });
const finalizersIn = (controller: object, objects: readonly ApiObject[]): readonly unknown[] =>
  decide(controller, { objects }).writes.map((write) =>
    write.op === 'patch' ? (write.patch as { metadata: { finalizers: unknown } }).metadata.finalizers : write.op,
  );

/** The outcome for a claim after the live list of pods. */
const afterListing = (claim: ApiObject, pods: readonly ApiObject[]) =>
  resume(
    claimProtection,
    { objects: [claim] },
    { write: decide(claimProtection, { objects: [claim] }).writes[0] as Write, object: undefined, objects: pods },
  );
const ASKS = ['list'];

describe('a claim being deleted', () => {
  it('loses the finalizer when neither the cache nor the server has a pod that uses it; other finalizers stay', () => {
    expect(finalizersIn(claimProtection, [going])).toEqual(ASKS);
    expect(afterListing(going, []).writes).toMatchObject([{ op: 'patch', patch: { metadata: { finalizers: ['mine'] } } }]);
  });
  it('is held by a pod that only the server has', () => {
    expect(afterListing(going, [mounting('p', 'data', 'n')])).toEqual({ why: '1 pod uses it', writes: [] });
  });
  it('is held by a pod that has a node, even one that has ended', () => {
    expect(finalizersIn(claimProtection, [going, mounting('p', 'data', 'n')])).toEqual([]);
    expect(finalizersIn(claimProtection, [going, mounting('p', 'data', 'n', { phase: 'Succeeded' })])).toEqual([]);
  });
  it('is not held by a pod without a node, or of another claim', () => {
    expect(finalizersIn(claimProtection, [going, mounting('p', 'data', undefined), mounting('q', 'other', 'n')])).toEqual(ASKS);
    expect(afterListing(going, [mounting('p', 'data', undefined), mounting('q', 'other', 'n')]).writes).toHaveLength(1);
  });
  it('is held by the pod of its ephemeral volume, until that has ended', () => {
    const pod = barePod('p', 'Running', { spec: { volumes: [{ name: 'scratch', ephemeral: {} }] } });
    expect(claimsOf(pod)).toEqual(['default/p-scratch']);
    const owned = (uid: string) =>
      claimOf('p-scratch', 'pv', 'Bound', {
        deletionTimestamp,
        finalizers: [CLAIM],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true }],
      });
    const mine = owned(pod.metadata.uid);
    expect(finalizersIn(claimProtection, [mine, pod])).toEqual([]);
    expect(finalizersIn(claimProtection, [owned('of-a-namesake'), pod])).toEqual(ASKS);
    const over: Pod = { ...pod, metadata: { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 } };
    expect(finalizersIn(claimProtection, [mine, over])).toEqual(ASKS);
    expect(enqueued(claimProtection, { objects: [mine] }, { type: 'MODIFIED', object: over, old: pod })).toEqual(['default/p-scratch']);
  });
  it('is enqueued when it is being deleted, or lacks its finalizer', () => {
    const held = { finalizers: [CLAIM] };
    const keys = [held, { finalizers: ['mine'] }, {}, { ...held, deletionTimestamp }].map((meta) => {
      const object = claimOf('data', 'pv', 'Bound', meta);
      const context = observingWith(new Map());
      return claimProtection.self?.enqueue?.({ type: 'ADDED', kind: object.kind, key: 'k', object, old: undefined }, context as never);
    });
    expect(keys).toEqual([undefined, 'k', 'k', 'k']);
  });
  it("is enqueued when its last pod is deleted, and not when a pod's status changes", () => {
    const pod = mounting('p', 'data', 'n');
    expect(enqueued(claimProtection, { objects: [going] }, { type: 'DELETED', object: pod })).toEqual(['default/data']);
    expect(enqueued(claimProtection, { objects: [going] }, { type: 'MODIFIED', object: { ...pod, status: {} }, old: pod })).toEqual([]);
  });
  it('loses the finalizer when its pods are gone, or no longer mount it', () => {
    const users =
      claimProtection.start?.({ names, gates: {}, now: 0, process: 'test', random: createRandom(1).stream('test') }) ?? new Map();
    const context = observingWith(users);
    const cache = context.cache as Cache;
    cache.open('Pod');
    const held = (): boolean => {
      const input = { key: 'default/data', self: going, names, state: users, cache } as unknown as Parameters<
        typeof claimProtection.reconcile
      >[0];
      return claimProtection.reconcile(input).writes.length === 0;
    };
    const see = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Pod, old?: Pod): boolean => {
      cache.set('Pod', keyOf(object), type === 'DELETED' ? undefined : object);
      claimProtection.observe?.({ type, kind: 'Pod', key: keyOf(object), object, old }, context);
      return held();
    };
    const [waits, has] = [mounting('p', 'data', undefined), mounting('p', 'data', 'n')];
    expect([see('ADDED', waits), see('MODIFIED', has, waits), see('MODIFIED', mounting('p', 'other', 'n'), has)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([see('ADDED', has), see('DELETED', has, has)]).toEqual([true, false]);
  });
});

describe('a volume being deleted', () => {
  const volume = (phase: string): PersistentVolume => ({
    ...volumeOf('pv', 'data'),
    metadata: { ...volumeOf('pv', 'data').metadata, deletionTimestamp, finalizers: [VOLUME] },
    status: { phase },
  });
  it('is held while a claim has it', () => {
    expect(finalizersIn(volumeProtection, [volume('Bound')])).toEqual([]);
  });
  it.each(['Released', 'Available', 'Failed'])('loses the finalizer when %s', (phase) => {
    expect(finalizersIn(volumeProtection, [volume(phase)])).toEqual([[]]);
  });
});

describe('an object that is not being deleted', () => {
  it('has the finalizer, restored if necessary', () => {
    expect(finalizersIn(claimProtection, [claimOf('data', 'pv', 'Bound', { finalizers: ['mine'] })])).toEqual([['mine', CLAIM]]);
    expect(finalizersIn(claimProtection, [claimOf('data', 'pv', 'Bound', { finalizers: [CLAIM] })])).toEqual([]);
    expect(finalizersIn(volumeProtection, [volumeOf('pv', 'data')])).toEqual([[VOLUME]]);
  });
});

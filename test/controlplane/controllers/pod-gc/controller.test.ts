import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { keyOf, namesFor, type ApiObject, type Status } from '../../../../src/apiserver/machinery/index.ts';
import { podGc as podGcOf } from '../../../../src/controlplane/controllers/pod-gc/controller.ts';
import type { Cache, Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, barePod, nodeOf } from '../../../support/objects.ts';
import { decide, observingWith, phrase, recover, resume } from '../../../support/reconcile.ts';

const podGcWith = (terminatedPodThreshold: number) => podGcOf(kindsFor(namesFor('k8s.io')), { terminatedPodThreshold });
const podGc = podGcWith(100);
const terminated = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    barePod(`p${i}`, 'Succeeded', { meta: { creationTimestamp: `2024-01-01T00:00:${String(59 - (i % 60)).padStart(2, '0')}Z` } }),
  );

describe('the pod collector', () => {
  it('has nothing to do for pods of existing nodes', () => {
    expect(decide(podGc, { objects: [nodeOf('node-0'), barePod('p')] })).toMatchObject({ writes: [], memory: null });
  });

  it('deletes the oldest terminated pods beyond the threshold', () => {
    const writes = decide(podGc, { objects: [nodeOf('node-0'), ...terminated(102)] }).writes;
    expect(writes.map(phrase)).toEqual(['delete Pod p59', 'delete Pod p58']);
    expect(writes[0]).toMatchObject({ gracePeriodSeconds: 0 });
  });

  it('is asked once at its next check for pods that end beyond the threshold, however many end in an instant', () => {
    const collector = podGcWith(1);
    const context = observingWith({ startedAt: at(0), suspects: new Set<string>(), out: new Set<string>() });
    const cache = context.cache as Cache;
    for (const kind of ['Pod', 'Node']) cache.open(kind);
    for (const aggregate of collector.aggregates ?? []) cache.addAggregate(aggregate);
    const [first, second] = [barePod('first', 'Succeeded'), barePod('second', 'Succeeded')];
    const keysOf = (object: ApiObject, phase: string): unknown => {
      const old = { ...object, status: { phase } };
      cache.set('Pod', keyOf(object), object);
      return collector.watches?.[0]?.enqueue?.({ type: 'MODIFIED', kind: 'Pod', key: keyOf(object), object, old }, context);
    };
    expect(keysOf(first, 'Running')).toBeUndefined();
    expect(keysOf(second, 'Running')).toMatchObject({ key: 'pods', afterMs: 20_000 });
    expect(keysOf(second, 'Succeeded')).toBeUndefined();
  });

  it('keeps all of them when switched off', () => {
    expect(decide(podGcWith(0), { objects: [nodeOf('node-0'), ...terminated(102)] }).writes).toEqual([]);
  });

  it('gives a missing node 40 seconds from the tick that missed it', () => {
    const missed = decide(podGc, { objects: [barePod('p')] });
    expect(missed).toMatchObject({ writes: [], memory: { missedAt: { 'node-0': at(0) } }, wakeAt: at(20) });
    expect(decide(podGc, { objects: [nodeOf('node-0'), barePod('p')], memory: missed.memory }).memory).toBeNull();
  });

  it('reads a missing node live, and keeps the pods of one that exists, or whose read fails', () => {
    const situation = { objects: [barePod('p')], memory: { missedAt: { 'node-0': at(-40) }, doubtful: [], gone: [] } };
    const asked = decide(podGc, situation);
    expect(asked.writes).toMatchObject([{ op: 'get', kind: 'Node', name: 'node-0', resume: true }]);
    const [write] = asked.writes as [Write];
    const answered = { ...situation, memory: asked.memory };
    expect(resume(podGc, answered, { write, object: undefined }).writes.map(phrase)).toEqual(['delete Pod p']);
    const missedAnew = { writes: [], memory: { missedAt: { 'node-0': at(0) } }, wakeAt: at(20) };
    expect(resume(podGc, answered, { write, object: nodeOf('node-0') })).toMatchObject(missedAnew);
    expect(recover(podGc, answered, { write, status: { reason: 'Timeout' } as Status, dropped: [] })).toMatchObject(missedAnew);
  });

  it('suspects a node name from its first pod until the node is added, and again when the node is deleted', () => {
    const state = { startedAt: at(0), suspects: new Set<string>(), out: new Set<string>() };
    const context = observingWith(state);
    const cache = context.cache as Cache;
    for (const kind of ['Pod', 'Node']) cache.open(kind);
    /** The suspected nodes after the object was added, or deleted. */
    const after = (kind: 'Pod' | 'Node', object: ApiObject, type: 'ADDED' | 'DELETED' = 'ADDED'): readonly string[] => {
      cache.set(kind, keyOf(object), type === 'DELETED' ? undefined : object);
      podGc.observe?.({ type, kind, key: keyOf(object), object, old: type === 'DELETED' ? object : undefined }, context);
      return [...state.suspects];
    };
    const [node, pod] = [nodeOf('node-0'), barePod('p')];
    expect(after('Pod', pod)).toEqual(['node-0']);
    expect(after('Node', node)).toEqual([]);
    expect(after('Node', node, 'DELETED')).toEqual(['node-0']);
    expect(after('Pod', pod, 'DELETED')).toEqual([]);
  });

  it('deletes pods that were deleted before they were scheduled', () => {
    const pod = barePod('p', 'Pending', {
      spec: { nodeName: undefined },
      meta: { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
    });
    expect(decide(podGc, { objects: [pod] }).writes.map(phrase)).toEqual(['delete Pod p']);
  });
});

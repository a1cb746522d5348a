/**
 * The work of invariants per change does not depend on the number of objects: the objects that they receive and their look-ups are counted,
 * not timed.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namesFor, type ApiObject } from '../../src/apiserver/machinery/index.ts';
import { isOf } from '../../src/apiserver/kinds/index.ts';
import type { Change } from '../../src/apiserver/store/index.ts';
import { invariants, type Facts } from '../../src/lab/invariants/index.ts';

const START = Date.UTC(2024, 0, 1);
const looks = { count: 0, on: false };
const { get: mapGet, has: mapHas, set: mapSet } = Map.prototype;
const { has: setHas, add: setAdd } = Set.prototype;
const counted = <A extends unknown[], R>(act: (...given: A) => R) =>
  function (this: unknown, ...given: A): R {
    if (looks.on) looks.count++;
    return Reflect.apply(act, this, given);
  };

beforeEach(() => {
  Object.assign(Map.prototype, { get: counted(mapGet), has: counted(mapHas), set: counted(mapSet) });
  Object.assign(Set.prototype, { has: counted(setHas), add: counted(setAdd) });
});
afterEach(() => {
  Object.assign(Map.prototype, { get: mapGet, has: mapHas, set: mapSet });
  Object.assign(Set.prototype, { has: setHas, add: setAdd });
});

/** A world that passes every change to all invariants and counts the objects that they read. */
function watchedWorld() {
  const checkers = invariants.map((invariant) => ({ kinds: new Set(invariant.kinds), checker: invariant.check() }));
  const objects = new Map<string, ApiObject>();
  let now = START;
  let revision = 1;
  const handed = <T>(value: T, count: number): T => {
    looks.count += count;
    return value;
  };
  const facts: Facts = {
    get now() {
      return now;
    },
    startAt: START,
    names: namesFor('orch.io'),
    gates: { MaxUnavailableStatefulSet: true },
    get<K extends string>(kind: K, key: string) {
      const object = objects.get(`${kind}/${key}`);
      return handed(isOf(kind, object) ? object : undefined, 1);
    },
    by(kind, index, value) {
      const found = [...objects.values()]
        .filter((object) => isOf(kind, object))
        .filter(({ metadata }) => index !== 'nodeName' && metadata.ownerReferences?.some(({ uid }) => uid === value) === true);
      return handed(found, found.length + 1);
    },
    list: (kind) => handed([...objects.values()], objects.size).filter((object) => isOf(kind, object)),
  };
  return {
    wait: (ms: number): void => {
      now += ms;
    },
    change(type: Change['type'], object: ApiObject, controller?: string): void {
      const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      const previous = objects.get(`${object.kind}/${key}`);
      if (type === 'DELETED') objects.delete(`${object.kind}/${key}`);
      else objects.set(`${object.kind}/${key}`, object);
      revision++;
      const change: Change = {
        type,
        kind: object.kind,
        key,
        object,
        at: now,
        revision,
        entry: revision,
        ...(previous === undefined ? {} : { previous }),
      };
      for (const { kinds, checker } of checkers) {
        if (!kinds.has(object.kind) && !kinds.has('*')) continue;
        looks.on = true;
        const broken = checker.onChange?.(change, facts, controller, 'controller-manager');
        looks.on = false;
        if (broken !== undefined) throw new Error(broken.message);
      }
    },
  };
}

const owner = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'v1', kind, name: 'web', uid: 'owner', controller: true, blockOwnerDeletion: true }],
});
const pod = (kind: string, at: number, status: object, more: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `web-${at}`,
    namespace: 'default',
    uid: `pod-${at}`,
    resourceVersion: '1',
    creationTimestamp: '2024-01-01T00:00:00Z',
    labels: { 'controller-revision-hash': 'new' },
    ...owner(kind),
    ...more,
  },
  spec: { nodeName: 'node-0' },
  status,
});
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

/**
 * Pods of a set are created in order, every tenth becomes unhealthy, an update replaces it, and all are deleted in reverse: reads per
 * change.
 */
function looksOfSet(replicas: number): number {
  const world = watchedWorld();
  const set = (wanted: number, generation: number): ApiObject => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'owner',
      generation,
      resourceVersion: '1',
      creationTimestamp: '2024-01-01T00:00:00Z',
    },
    spec: { replicas: wanted, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '50%' } } },
    status: { replicas: wanted, observedGeneration: generation, currentRevision: 'old', updateRevision: 'newer' },
  });
  let changes = 0;
  const change: typeof world.change = (...given) => {
    changes++;
    world.change(...given);
  };
  looks.count = 0;
  change('ADDED', set(replicas, 1));
  for (let at = 0; at < replicas; at++) {
    change('ADDED', pod('StatefulSet', at, { phase: 'Pending' }), 'stateful-set');
    change('MODIFIED', pod('StatefulSet', at, READY), 'node');
  }
  world.wait(60_000);
  const dying = { deletionTimestamp: '2024-01-01T00:01:00Z' };
  for (let at = replicas - 1; at > replicas / 2; at -= 10) change('MODIFIED', pod('StatefulSet', at, READY, dying), 'stateful-set');
  for (let at = replicas - 1; at > replicas / 2; at -= 10) {
    change('DELETED', pod('StatefulSet', at, READY, dying), 'node');
    change('ADDED', pod('StatefulSet', at, READY, { uid: `again-${at}` }), 'user');
  }
  world.wait(60_000);
  change('MODIFIED', set(0, 2));
  for (let at = replicas - 1; at >= 0; at--) {
    const uid = at > replicas / 2 && (replicas - 1 - at) % 10 === 0 ? { uid: `again-${at}` } : {};
    change('MODIFIED', pod('StatefulSet', at, READY, { ...dying, ...uid }), 'stateful-set');
    change('DELETED', pod('StatefulSet', at, READY, { ...dying, ...uid }), 'node');
  }
  return looks.count / changes;
}

describe('invariants', () => {
  it('read no more for a change of a StatefulSet of 10,000 pods than for one of 100', () => {
    const [few, many] = [looksOfSet(100), looksOfSet(10_000)];
    // Marks by ordinal cost a logarithm: twice the digits.
    expect(many).toBeLessThan(few * 2);
  });
});

/** The most objects of a cluster: creations beyond it are refused, and everything else works. */
import { describe, expect, it } from 'vitest';
import { MAX_OBJECTS } from '../../../src/apiserver/handlers/index.ts';
import { setup } from '../handlers/setup.ts';

const WHERE = { namespace: 'default' } as const;
const map = (name: string) =>
  ({ ...WHERE, verb: 'create', kind: 'ConfigMap', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } } as never }) as const;
const event = (name: string) =>
  ({
    ...WHERE,
    verb: 'create',
    kind: 'Event',
    body: { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'default' }, involvedObject: { namespace: 'default' } } as never,
  }) as const;
const lease = {
  ...WHERE,
  verb: 'create',
  kind: 'Lease',
  body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } } as never,
} as const;

/** The number of objects of a new server. */
const AT_FIRST = setup().store.total;

describe('a cluster', () => {
  it('has room for 150,000 objects, unless it is to have more or less', () => {
    expect([setup().server.capacity.limit, MAX_OBJECTS, setup('k8s.io', {}, { maxObjects: 70 }).server.capacity.limit]).toEqual([
      150_000, 150_000, 70,
    ]);
  });

  it('that is full refuses new objects, and no other request', () => {
    const limit = AT_FIRST + 2;
    const { ok, refused, server } = setup('k8s.io', {}, { maxObjects: limit });
    const { capacity } = server;
    for (const name of ['a', 'b']) ok(map(name));
    expect([capacity.used, capacity.refused, capacity.why]).toEqual([limit, 0, undefined]);
    const why = (kind: string, name: string) =>
      `this cluster is full: it has ${limit} objects, the maximum, and ${kind} "${name}" would exceed it`;
    const ADVICE = 'delete some, or allow more (serve --max-objects N, in a scenario spec.limits.objects)';
    expect(refused(map('c'))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "c" is forbidden: ${why('ConfigMap', 'c')}; ${ADVICE}`,
      reason: 'Forbidden',
      details: { name: 'c', kind: 'configmaps' },
      code: 403,
    });
    expect([capacity.refused, capacity.why]).toEqual([1, why('ConfigMap', 'c')]);
    expect(refused(lease)).toMatchObject({ details: { name: 'l', group: 'coordination.k8s.io', kind: 'leases' } });
    expect([capacity.refused, capacity.why]).toEqual([2, why('Lease', 'l')]);
    ok({ ...WHERE, verb: 'patch', kind: 'ConfigMap', name: 'a', patchType: 'merge', body: { data: { k: 'v' } } });
    expect(
      server.handle({
        request: { ...WHERE, verb: 'delete', kind: 'ConfigMap', name: 'a' },
        by: { process: 'c', incarnation: 0 },
        causes: [],
      }).ok,
    ).toBe(true);
    ok(map('c'));
    expect([capacity.used, capacity.refused]).toEqual([limit, 2]);
  });

  it('counts Events by themselves: four times as many', () => {
    const limit = AT_FIRST + 1;
    const { ok, refused, server } = setup('k8s.io', {}, { maxObjects: limit });
    for (let nth = 0; nth < 4 * limit; nth++) ok(event(`e${nth}`));
    expect(refused(event('last'))).toMatchObject({
      code: 403,
      message: expect.stringContaining(`this cluster is full: it has ${4 * limit} Events, the maximum, and Event "last" would exceed it;`),
    });
    expect(server.capacity.used).toBe(AT_FIRST);
    ok(map('a'));
    expect(refused(map('b'))).toMatchObject({ code: 403 });
  });
});

/** Graceful deletions: the grace period, its start, and the effect of a second deletion. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from './setup.ts';

const IN_DEFAULT = { kind: 'Pod', namespace: 'default', name: 'p' } as const;
const HELD = { finalizers: ['example.org/hold'] };

/** Returns a server with a scheduled pod, with the default grace period of 30 s. */
function bound(metadata: object = {}): Setup {
  const world = setup();
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  world.ok({ ...IN_DEFAULT, verb: 'create', body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec } });
  return world;
}
const stored = ({ store }: Setup): ApiObject | undefined => store.get('Pod', 'default/p');

describe('a second deletion', () => {
  it.each([
    ['an equal grace period', { gracePeriodSeconds: 30 }],
    ['a longer grace period', { gracePeriodSeconds: 31 }],
    ['no grace period', {}],
  ])('that grants %s changes nothing, whatever else it asks for', (_, grace) => {
    const world = bound();
    world.ok({ ...IN_DEFAULT, verb: 'delete' });
    const before = stored(world);
    world.advance(5_000);
    expect(world.ok({ ...IN_DEFAULT, verb: 'delete', ...grace, propagationPolicy: 'Foreground' })).toBe(before);
    expect(stored(world)).toBe(before);
  });

  it('with a shorter grace period counts from the first', () => {
    const world = bound();
    world.ok({ ...IN_DEFAULT, verb: 'delete' });
    world.advance(10_000);
    expect(world.ok({ ...IN_DEFAULT, verb: 'delete', gracePeriodSeconds: 15 }).metadata).toMatchObject({
      deletionTimestamp: '2024-03-01T00:00:15Z',
      deletionGracePeriodSeconds: 15,
    });
  });

  it('keeps the first deletion timestamp of an object that waits for finalizers', () => {
    const world = setup();
    const map = { kind: 'ConfigMap', namespace: 'default', name: 'c' } as const;
    world.ok({ ...map, verb: 'create', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...HELD } } });
    const first = world.ok({ ...map, verb: 'delete' });
    expect(first.metadata.deletionTimestamp).toBe('2024-03-01T00:00:00Z');
    world.advance(5_000);
    expect(world.ok({ ...map, verb: 'delete' })).toBe(first);
  });
});

describe('a pod that is deleted', () => {
  it.each([
    ['Succeeded', undefined],
    ['Failed', undefined],
    ['Running', 30],
  ])('while it is %s is left seconds: %s', (phase, seconds) => {
    const world = bound();
    world.ok({ ...IN_DEFAULT, verb: 'patch', subresource: 'status', patchType: 'merge', body: { status: { phase } } });
    world.ok({ ...IN_DEFAULT, verb: 'delete' });
    expect(stored(world)?.metadata.deletionGracePeriodSeconds).toBe(seconds);
  });
});

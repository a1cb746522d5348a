/** Limits of patches. */
import { expect, it } from 'vitest';
import { setup } from './setup.ts';

it('the size of an object is limited, although each patch is small', () => {
  const world = setup();
  const map = { kind: 'ConfigMap', namespace: 'default', name: 'c' } as const;
  world.ok({ ...map, verb: 'create', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } } });
  const adding = (letter: string) => ({
    ...map,
    verb: 'patch' as const,
    patchType: 'merge' as const,
    body: { data: Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`${letter}${n}`, ''])) },
  });
  world.ok(adding('a'));
  const before = world.ok(adding('b'));
  expect(world.refused(adding('c'))).toMatchObject({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: expect.stringContaining('limit is 40000 values in the object that a patch makes'),
  });
  expect(world.store.get('ConfigMap', 'default/c')).toBe(before);
});

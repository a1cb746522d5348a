/** The execution of a decision's writes: failure counts, checks, expectations. */
import { describe, expect, it } from 'vitest';
import { about, making, refusing, START, world } from './config-maps.ts';

describe('a decision', () => {
  it('that succeeds resets the failures: the next back-off is the first again', () => {
    let failures = 0;
    const { cluster, make, set, pass, decisions } = world(
      about({
        reconcile: ({ self: { metadata, data } }) =>
          metadata.name === 'a'
            ? { why: 'it tries', writes: [{ ...making(`a-${data?.['value'] ?? 0}`), tolerate: ['AlreadyExists'] }] }
            : { why: 'it stays', writes: [] },
      }),
      { latency: { api: 0, watch: 0 } },
    );
    refusing(cluster, () => failures-- > 0);
    make('a');
    pass(1_000);
    failures = 3;
    set('a', '1');
    pass(1_000);
    failures = 2;
    set('a', '2');
    pass(1_000);
    expect(decisions('a')).toEqual([0, 1_000, 1_005, 1_015, 1_035, 2_000, 2_005, 2_015]);
  });

  it.each<[string, (uid: string) => string, readonly string[], boolean]>([
    ['goes on where the object is there', (uid) => uid, [], true],
    ['does not go on where a namesake has its place', () => 'another', [], false],
    ['does not go on where it is on its way out', (uid) => uid, ['example.org/hold'], false],
  ])('with a live read %s', (_, uidOf, finalizers, goesOn) => {
    const { make, drop, pass, enqueue, stored, seen } = world(
      about({
        reconcile: ({ self: { metadata } }) =>
          metadata.name !== 'a' || metadata.annotations === undefined
            ? { why: 'it is none of its concern', writes: [] }
            : {
                why: 'it goes on if that is there',
                writes: [
                  { op: 'check', kind: 'ConfigMap', namespace: 'default', name: 'a', uid: uidOf(metadata.uid) },
                  { ...making('made'), tolerate: ['AlreadyExists'] },
                ],
              },
      }),
    );
    make('a', { annotations: { checked: 'yes' }, finalizers });
    if (finalizers.length > 0) drop('a');
    pass(100);
    enqueue('a');
    pass(0);
    expect(stored('made') !== undefined).toBe(goesOn);
    expect(seen.some((one) => one.type === 'timer' && one.because === 'backoff')).toBe(!goesOn);
  });

  it('made before the cache shows its own deletion has unsatisfied expectations, and the next one has not', () => {
    const asked: string[] = [];
    const { make, pass, enqueue, stored } = world(
      about({
        reconcile: ({ self: { metadata }, expectationsSatisfied, cache, now }) => {
          if (metadata.name !== 'a') return { why: 'it stays', writes: [] };
          const spare = cache.get('ConfigMap', 'default', 'spare');
          asked.push(`${now - START}: ${spare === undefined ? 'gone' : 'there'}, ${expectationsSatisfied}`);
          return spare === undefined || !expectationsSatisfied
            ? { why: 'it waits', writes: [] }
            : { why: 'it is too much', writes: [{ op: 'delete', kind: 'ConfigMap', namespace: 'default', name: 'spare' }] };
        },
      }),
    );
    make('spare');
    make('a');
    pass(60);
    expect(stored('spare')).toBeUndefined();
    enqueue('a');
    pass(60);
    enqueue('a');
    pass(0);
    expect(asked).toEqual(['50: there, true', '60: there, false', '120: gone, true']);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OrdinalSet, Timeline } from '../../../src/controlplane/shared/index.ts';

it('a timeline equals a sorted list', () => {
  const moment = fc.oneof(fc.nat(20), fc.constant(Infinity));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(12), fc.option(moment, { nil: undefined }))), fc.nat(22), (changes, instant) => {
      const times = new Timeline<number, OrdinalSet>(() => new OrdinalSet());
      const model = new Map<number, number>();
      for (const [ordinal, since] of changes) {
        const before = model.get(ordinal);
        if (before !== undefined) {
          times.remove(ordinal, before);
          model.delete(ordinal);
        }
        if (since !== undefined) {
          times.add(ordinal, since);
          model.set(ordinal, since);
        }
      }
      const later = [...model].filter(([, since]) => since >= instant);
      expect(times.size).toBe(model.size);
      const ordinals = (sets: Iterable<OrdinalSet>) => [...sets].flatMap((set) => [...set.range(0, Infinity)]);
      const inOrder = (list: readonly (readonly [number, number])[]) =>
        list.toSorted(([a, from], [b, to]) => (from === to ? a - b : from < to ? -1 : 1)).map(([ordinal]) => ordinal);
      expect(ordinals(times.since(instant))).toEqual(inOrder(later));
      expect(ordinals(times.before(instant))).toEqual(inOrder([...model].filter(([, since]) => since < instant)));
      expect([ordinals(times.before(undefined)), ordinals(times.since(undefined))]).toEqual([inOrder([...model]), []]);
      expect(times.firstSince(instant)).toBe(later.map(([, since]) => since).sort((a, b) => a - b)[0]);
    }),
    { seed: 24, numRuns: 300 },
  );
});

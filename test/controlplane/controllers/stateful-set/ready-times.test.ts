import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReadyTimes } from '../../../../src/controlplane/controllers/stateful-set/ordinal-set.ts';

it('ready times equal a sorted list', () => {
  const moment = fc.oneof(fc.nat(20), fc.constant(Infinity));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(12), fc.option(moment, { nil: undefined }))), fc.nat(22), (changes, instant) => {
      const times = createReadyTimes();
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
      expect(times.countSince(instant)).toBe(later.length);
      expect(times.firstSince(instant)).toBe(later.map(([ordinal]) => ordinal).sort((a, b) => a - b)[0]);
      expect(times.earliestSince(instant)).toBe(later.map(([, since]) => since).sort((a, b) => a - b)[0]);
    }),
    { seed: 24, numRuns: 300 },
  );
});

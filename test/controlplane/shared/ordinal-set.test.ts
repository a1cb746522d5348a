import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrdinalSet } from '../../../src/controlplane/shared/index.ts';

const ordinal = fc.oneof(fc.nat(70), fc.nat(5000), fc.constantFrom(0, 31, 32, 1023, 1024, 2047, 2_000_000_000));
const changes = fc.array(fc.tuple(fc.boolean(), ordinal), { maxLength: 120 });

function play(list: readonly (readonly [boolean, number])[]): { readonly set: OrdinalSet; readonly model: readonly number[] } {
  const set = new OrdinalSet();
  const model = new Set<number>();
  for (const [adds, at] of list) {
    expect(adds ? set.add(at) : set.delete(at)).toBe(model.has(at) !== adds);
    if (adds) model.add(at);
    else model.delete(at);
  }
  return { set, model: [...model].sort((a, b) => a - b) };
}

describe('a set of ordinals', () => {
  it('equals a sorted list', () => {
    fc.assert(
      fc.property(changes, ordinal, (list, at) => {
        const { set, model } = play(list);
        expect(set.size).toBe(model.length);
        expect(set.has(at)).toBe(model.includes(at));
        expect(set.next(at)).toBe(model.find((member) => member >= at));
        expect(set.previous(at)).toBe(model.findLast((member) => member <= at));
        let absent = at;
        while (model.includes(absent)) absent++;
        expect(set.nextAbsent(at)).toBe(absent);
        let before = at;
        while (model.includes(before)) before--;
        expect(set.previousAbsent(at)).toBe(before < 0 ? undefined : before);
        expect(set.countBelow(at)).toBe(model.filter((member) => member < at).length);
        expect(set.intervals().flatMap(({ first, last }) => [first, last])).toEqual(
          model.flatMap((member) => [...(model.includes(member - 1) ? [] : [member]), ...(model.includes(member + 1) ? [] : [member])]),
        );
      }),
      { seed: 24, numRuns: 400 },
    );
  });

  it('has the difference that sorted lists have', () => {
    fc.assert(
      fc.property(changes, changes, fc.nat(100), fc.nat(6000), (one, other, from, bound) => {
        const a = play(one);
        const b = play(other);
        expect([...a.set.range(from, bound, b.set)]).toEqual(
          a.model.filter((member) => member >= from && member < bound && !b.model.includes(member)),
        );
      }),
      { seed: 24, numRuns: 300 },
    );
  });

  it('keeps the list of intervals until they change', () => {
    const set = new OrdinalSet();
    for (const at of [1, 2]) set.add(at);
    const before = set.intervals();
    set.add(2);
    expect(set.intervals()).toBe(before);
    set.add(3);
    expect(set.intervals()).toEqual([{ first: 1, last: 3 }]);
  });

  it('finds the only gap among ten thousand', () => {
    const set = new OrdinalSet();
    for (let at = 0; at < 10_000; at++) set.add(at);
    set.delete(7777);
    expect([set.nextAbsent(0), set.previousAbsent(9999), set.countBelow(7778)]).toEqual([7777, 7777, 7777]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyWith, present } from '../../../src/schema/values/index.ts';

const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString', '1', '0');
const records = fc.array(fc.tuple(keys, fc.constantFrom<unknown>(1, 'x', null, undefined))).map((entries) => Object.fromEntries(entries));
/** The members in their order, with `__proto__` as an ordinary one. */
const entriesOf = (value: object): unknown => [Object.getPrototypeOf(value) === Object.prototype, Object.entries(value)];

describe('copies made member by member', () => {
  it('equal those of a spread, for any keys', () => {
    fc.assert(
      fc.property(records, records, (object, members) => {
        expect(entriesOf(copyWith<object>(object, members))).toEqual(entriesOf({ ...object, ...members }));
        const left = Object.entries(object).filter(([, value]) => value !== undefined);
        expect(entriesOf(present(object))).toEqual(entriesOf(Object.fromEntries(left)));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('do not read what an object inherits', () => {
    const asked: string[] = [];
    const shared = Object.defineProperty({}, 'inherited', { enumerable: true, get: () => asked.push('inherited') });
    const object: object = Object.assign(Object.create(shared) as object, { own: 1 });
    expect([copyWith(object, {}), present(object)]).toEqual([{ own: 1 }, { own: 1 }]);
    expect(asked).toEqual([]);
  });
});

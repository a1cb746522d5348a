import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  milliUnitsOf,
  parseQuantity,
  quantity,
  quantityValue,
  subQuantities,
  unitsOf,
} from '../../../src/schema/values/index.ts';
import type { Quantity } from '../../../src/schema/values/index.ts';

const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'e3', 'e-3', 'E6');
const texts = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom('', '.5', '.25', '.001'), suffix)
  .map(([whole, fraction, unit]) => `${whole}${fraction}${unit}`);

const same = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) === 0;

describe('quantities', () => {
  it('keep their value when printed, and print the same text again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // From 10^21 on, of either sign, no decimal suffix is left, and upstream prints a bare number.
        const q = addQuantities(quantity(text), quantity('0'));
        const printed = formatQuantity(q);
        const beyond =
          q.format === 'DecimalSI' && (compareQuantities(q, quantity('1000E')) >= 0 || compareQuantities(q, quantity('-1000E')) <= 0);
        return beyond || (same(quantity(printed), q) && formatQuantity(addQuantities(quantity(printed), quantity('0'))) === printed);
      }),
      { examples: [['-1000000P'], ['1000000P'], ['-999999P']] },
    );
  });

  it('add and subtract exactly', () => {
    fc.assert(fc.property(texts, texts, (a, b) => same(subQuantities(addQuantities(quantity(a), quantity(b)), quantity(b)), quantity(a))));
  });

  it('are totally ordered', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => compareQuantities(quantity(a), quantity(b)) + compareQuantities(quantity(b), quantity(a)) === 0),
    );
  });

  it('are numbers on hot paths, rounded up', () => {
    expect([unitsOf('8Gi'), unitsOf('1500m'), milliUnitsOf('1500m'), milliUnitsOf('0.1'), milliUnitsOf('4')]).toEqual([
      8_589_934_592, 2, 1500, 100, 4000,
    ]);
  });

  it('lose their suffix above 10^18, as upstream prints them', () => {
    expect(formatQuantity(quantity('1000E'))).toBe('1');
  });

  it('explain refusals, and throw on a text that has not been validated', () => {
    expect(parseQuantity('1 Gi').error).toContain('quantities must match the regular expression');
    expect(parseQuantity('1gib').error).toContain('quantities must match the regular expression');
    expect(() => quantity('much')).toThrow('not a quantity: "much"');
  });

  it.each([
    '1e2147483647',
    '1e-2147483648',
    '1E999999999',
    '12345678901234567890e999999999',
    `0.${'0'.repeat(20_000)}1`,
    '9'.repeat(20_000),
    `${'0'.repeat(50_000)}x`,
    `1${'0'.repeat(50_000)}Gi`,
  ])('answer at once for %.20s…', (text) => {
    const { value } = parseQuantity(text);
    if (value === undefined) return;
    expect(formatQuantity(value)).not.toBe('');
    expect(typeof quantityValue(value)).toBe('bigint');
    expect(compareQuantities(value, quantity('1'))).not.toBe(0);
    expect(compareQuantities(addQuantities(value, quantity('1n')), quantity('0'))).toBe(1);
  });
});

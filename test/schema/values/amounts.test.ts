/** Quantities are compared, added and rounded at any distance, and printed in their form. */
import { describe, expect, it } from 'vitest';
import * as values from '../../../src/schema/values/index.ts';

const { quantity, formatQuantity } = values;

describe('quantities', () => {
  it('are ordered by value, however they are written', () => {
    const ordered = [
      '-2e9000',
      '-1e9000',
      '-1e40',
      '-2E',
      '-1.5',
      '-1',
      '-900m',
      '-1n',
      '0',
      '1n',
      '1u',
      '1m',
      '0.5',
      '999m',
      '1',
      '1001m',
      '1k',
      '1Ki',
      '1M',
      '1Mi',
      '1.5Gi',
      '2E',
      '1e30',
      '2e30',
      '1e40',
      '1e300',
      '1e9000',
      '12e9000',
    ];
    for (const [at, one] of ordered.entries())
      for (const [beside, other] of ordered.entries())
        expect([one, other, values.compareQuantities(quantity(one), quantity(other))]).toEqual([one, other, Math.sign(at - beside)]);
  });

  it('are equal where their value is', () => {
    const pairs = [
      ['1', '1000m'],
      ['1Ki', '1024'],
      ['0', '0Gi'],
      ['1e3', '1k'],
      ['-1.50', '-1500m'],
      ['0e9999', '0'],
      ['10e299', '1e300'],
    ] as const;
    expect(pairs.map(([a, b]) => values.compareQuantities(quantity(a), quantity(b)))).toEqual(pairs.map(() => 0));
    expect(['-1n', '0', '0Ki', '1n'].map((text) => values.quantitySign(quantity(text)))).toEqual([-1, 0, 0, 1]);
  });

  it.each([
    ['1', '2', '3', '-1'],
    ['1', '1m', '1001m', '999m'],
    ['1Gi', '1Mi', '1025Mi', '1023Mi'],
    ['1Gi', '1k', '1073742824', '1073740824'],
    ['0', '1Gi', '1Gi', '-1Gi'],
    ['1Gi', '0', '1Gi', '1Gi'],
    ['0', '0', '0', '0'],
    ['1e3', '5', '1005', '995'],
    ['500m', '500m', '1', '0'],
  ])('%s and %s: the sum is %s, the difference %s', (a, b, sum, difference) => {
    expect(formatQuantity(values.addQuantities(quantity(a), quantity(b)))).toBe(sum);
    expect(formatQuantity(values.subQuantities(quantity(a), quantity(b)))).toBe(difference);
  });

  it('are rounded away from zero', () => {
    const rounded = (text: string, scale: number) => formatQuantity(values.roundedUp(quantity(text), scale));
    expect([
      rounded('1.1', 0),
      rounded('-1.1', 0),
      rounded('1', 0),
      rounded('1500', 3),
      rounded('1n', -3),
      rounded('0', 3),
      rounded('5k', 0),
    ]).toEqual(['2', '-2', '1', '2k', '1m', '0', '5k']);
    expect(['1.1', '-1.1', '1m', '0', '1Ki', '9223372036854775807'].map((text) => values.quantityValue(quantity(text)))).toEqual([
      2n,
      -2n,
      1n,
      0n,
      1024n,
      9223372036854775807n,
    ]);
    expect(['1.1', '1u', '-1500u', '2'].map((text) => values.quantityMilliValue(quantity(text)))).toEqual([1100n, 1n, -2n, 2000n]);
    expect([values.unitsOf('1500m'), values.milliUnitsOf('1500m'), values.unitsOf('2Gi')]).toEqual([2, 1500, 2147483648]);
  });

  it('are printed in their form', () => {
    const texts = [
      '1000',
      '1024',
      '1500',
      '1536Ki',
      '1Gi',
      '1025Ki',
      '1000Ki',
      '0.5Gi',
      '1.5',
      '100m',
      '1e3',
      '1e4',
      '12e5',
      '1E',
      '1000E',
      '-1Ki',
      '-2048Ki',
      '1023',
    ];
    expect(texts.map((text) => formatQuantity(quantity(text)))).toEqual([
      '1k',
      '1024',
      '1500',
      '1536Ki',
      '1Gi',
      '1025Ki',
      '1000Ki',
      '512Mi',
      '1500m',
      '100m',
      '1e3',
      '10e3',
      '1200e3',
      '1E',
      '1',
      '-1Ki',
      '-2Mi',
      '1023',
    ]);
  });

  it('must be valid to be read without a check', () => {
    expect(() => quantity('x')).toThrow('not a quantity: "x"');
  });
});

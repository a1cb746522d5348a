import { expect, it } from 'vitest';
import { decode, findMisfits } from '../../../src/schema/shape/index.ts';
import { int32, list, map, obj, quantity, str, time } from '../../../src/schema/shape/index.ts';

const schema = obj('Thing', {
  size: int32,
  names: list(str()),
  labels: map(str()),
  amount: quantity,
  at: time,
  inner: obj('Inner', { size: int32 }),
});

it('finds every value that does not fit, where decoding reports only the first', () => {
  const value = { size: '2', names: ['a', 1, null], labels: { a: true, b: 'x' }, amount: 'lots', at: 'noon', inner: [], other: 1 };
  expect(findMisfits(schema, value).map(({ steps }) => steps.join('.'))).toEqual(['size', 'names.1', 'labels.a', 'amount', 'at', 'inner']);
  expect(() => decode(schema, value)).toThrow('quantities must match');
});

it('finds nothing in a document that decodes', () => {
  const value = { size: 2, names: ['a'], labels: {}, amount: 3, at: '2024-03-01T00:00:00Z', inner: { size: 1.0 } };
  expect(findMisfits(schema, value)).toEqual([]);
  expect(() => decode(schema, value)).not.toThrow('quantities must match');
});

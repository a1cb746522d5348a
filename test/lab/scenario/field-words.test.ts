/** What an error says was expected, where a number has bounds. */
import { expect, it } from 'vitest';
import { describeField } from '../../../src/lab/scenario/field-types.ts';

it.each([
  [{}, 'a whole number'],
  [{ minimum: 1 }, 'a whole number, at least 1'],
  [{ maximum: 5 }, 'a whole number'],
  [{ minimum: 1, maximum: 5 }, 'a whole number from 1 to 5'],
])('%o', (bounds, words) => {
  expect(describeField({ type: 'integer', description: '', ...bounds })).toBe(words);
});

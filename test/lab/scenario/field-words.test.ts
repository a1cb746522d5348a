/** What an error says was expected, where a number has bounds. */
import { expect, it } from 'vitest';
import { describeField } from '../../../src/lab/scenario/field-types.ts';

it.each([
  [{}, 'a whole number'],
  [{ min: 1 }, 'a whole number, at least 1'],
  [{ max: 5 }, 'a whole number'],
  [{ min: 1, max: 5 }, 'a whole number from 1 to 5'],
])('%o', (bounds, words) => {
  expect(describeField({ type: 'integer', ...bounds })).toBe(words);
});

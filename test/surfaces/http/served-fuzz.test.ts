/** The fuzzer of `npm run fuzz` against a real `orchsim serve`, limited in time. */
import { expect, it } from 'vitest';
import { fuzzServed } from '../../../bench/fuzz.ts';

const REQUESTS = 300;

it(`${REQUESTS} hostile requests to a served cluster: no internal error, nothing changed by a refusal`, { timeout: 120_000 }, async () => {
  const { requests, codes, problems } = await fuzzServed(REQUESTS, 1);
  expect(problems).toEqual([]);
  expect([...codes.values()].reduce((sum, times) => sum + times, 0)).toBe(requests);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzedKinds } from '../../apiserver/handlers/fuzz.ts';
import { tapeOf, tapes } from '../../support/hostile.ts';
import { hostileHttp, problemWith, shown, worldOf } from './fuzz.ts';

const ROUNDS = 120;
const EACH = 12;

describe('malformed texts, queries, paths and headers', () => {
  it(`${ROUNDS * EACH} requests are answered: no throw, no internal error, nothing changed by a refusal`, async () => {
    const codes = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fuzzedKinds), fc.array(tapes, { minLength: EACH, maxLength: EACH }), async (kind, drawn) => {
        const world = worldOf(kind);
        for (const numbers of drawn) {
          const request = hostileHttp(world, tapeOf(numbers));
          const problem = await problemWith(world, request, (code) => codes.set(code, (codes.get(code) ?? 0) + 1));
          expect(problem, shown(request)).toBeUndefined();
        }
      }),
      { numRuns: ROUNDS },
    );
    for (const code of [200, 201, 400, 404, 405, 406, 415, 422, 500])
      expect(codes.get(code) ?? 0, `answers of ${code}: ${JSON.stringify([...codes])}`).toBeGreaterThan(EACH / 2);
  });
});

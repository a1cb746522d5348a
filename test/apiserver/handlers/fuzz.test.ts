import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tapeOf, tapes } from '../../support/hostile.ts';
import { fuzzedKinds, hostileRequest, problemWith, shown, worldOf } from './fuzz.ts';

const ROUNDS = 800;
const EACH = 12;

describe('invalid bodies, patches and options', () => {
  it(`${ROUNDS * EACH} requests get valid responses: nothing is thrown, no unexpected 500, and refusals change nothing`, () => {
    const codes = new Map<number, number>();
    fc.assert(
      fc.property(fc.constantFrom(...fuzzedKinds), fc.array(tapes, { minLength: EACH, maxLength: EACH }), (kind, drawn) => {
        const world = worldOf(kind, tapeOf(drawn[0] ?? []));
        for (const numbers of drawn) {
          const request = hostileRequest(kind, world.store, tapeOf(numbers));
          const problem = problemWith(world, request, (code) => codes.set(code, (codes.get(code) ?? 0) + 1));
          expect(problem, shown(request)).toBeUndefined();
        }
      }),
      { numRuns: ROUNDS },
    );
    // If all requests were refused at an early check, the later code would not be tested.
    for (const code of [200, 201, 400, 404, 409, 422, 500])
      expect(codes.get(code) ?? 0, `answers of ${code}: ${JSON.stringify([...codes])}`).toBeGreaterThan(EACH);
  });
});

import { expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import { newUid } from '../../../src/apiserver/write/create.ts';

it('a uid is drawn from its stream: the same seed gives the same ones, in order', () => {
  const two = (seed: number): readonly string[] => {
    const stream = createRandom(seed).stream('server');
    return [newUid({ random: stream }), newUid({ random: stream })];
  };
  expect(two(7)).toEqual(two(7));
  expect(new Set([...two(7), ...two(8)]).size).toBe(4);
  for (const uid of [...two(7), ...two(8)]) expect(uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  // Four words for the digits and one for the variant: a consumer after it draws as recorded.
  const [stream, counted] = [createRandom(7).stream('server'), createRandom(7).stream('server')];
  newUid({ random: stream });
  for (const bound of [2 ** 32, 2 ** 32, 2 ** 32, 2 ** 32, 4]) counted.below(bound);
  expect(stream.fraction()).toBe(counted.fraction());
});

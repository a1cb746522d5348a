import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/engine/index.ts';

describe('random streams', () => {
  it('draw the same for the same seed and name, and differently otherwise', () => {
    const draw = (seed: number | string, name: string): number[] => {
      const stream = createRandom(seed).stream(name);
      return [stream.below(1000), stream.below(1000), stream.below(1000)];
    };
    expect(draw(7, 'a')).toEqual(draw(7, 'a'));
    expect(draw(7, 'a')).not.toEqual(draw(7, 'b'));
    expect(draw(1, 'a')).not.toEqual(draw(11, 'a'));
  });

  it('do not shift each other', () => {
    const alone = createRandom(3);
    const together = createRandom(3);
    together.stream('newcomer').below(10);
    expect(together.stream('old').hex(16)).toBe(alone.stream('old').hex(16));
  });

  it('are pinned: a changed generator would change every digest', () => {
    const stream = createRandom(1).stream('pinned');
    expect([stream.below(1_000_000), stream.below(1_000_000), stream.hex(8), stream.between(5, 7)]).toMatchInlineSnapshot(`
      [
        945234,
        902147,
        "653d5b79",
        7,
      ]
    `);
  });
});

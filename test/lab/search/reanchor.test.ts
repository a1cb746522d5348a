/** A choice that only shifts the points of others can be removed when those are shifted. */
import { expect, it } from 'vitest';
import type { PointChoice } from '../../../src/lab/scenario/index.ts';
import { reanchored } from '../../../src/lab/search/shrink/reanchor.ts';

const decide = (nth: number, ms: number): PointChoice => ({ at: `decide m job default/a w0+${nth}`, injectedFault: { do: 'hold', ms } });
const crash: PointChoice = { at: 'decide m job default/a w0+1', injectedFault: { do: 'crash', when: 'before', restartAfterMs: 1 } };
const elsewhere: PointChoice = { at: 'write m other default/b: create Pod #1', injectedFault: { do: 'lose' } };

/** A run of three decisions; each crash repeats a decision under the next number. It breaks where the third is held. */
const run = (choices: readonly PointChoice[]) => {
  const addresses: string[] = [];
  let held = 0;
  let nth = 0;
  for (let decision = 1; decision <= 3; decision++) {
    for (;;) {
      const at = `decide m job default/a w0+${++nth}`;
      addresses.push(at);
      const injectedFault = choices.find((choice) => choice.at === at)?.injectedFault;
      if (injectedFault?.do === 'hold') held = decision;
      if (injectedFault?.do !== 'crash') break;
    }
  }
  return { addresses: [...addresses, elsewhere.at], broken: held === 3 };
};
const reproduction = {
  breaks: (choices: readonly PointChoice[]): boolean => run(choices).broken,
  addresses: (choices: readonly PointChoice[]): readonly string[] => run(choices).addresses,
};

it('removes a choice that only shifted the point of another, which moves to the new point', () => {
  expect(reproduction.breaks([crash, decide(4, 5)])).toBe(true);
  expect(reproduction.breaks([decide(4, 5)])).toBe(false);
  expect(reanchored([crash, decide(4, 5)], reproduction)).toEqual([decide(3, 5)]);
  expect(reanchored([crash, { ...crash, at: 'decide m job default/a w0+2' }, decide(5, 5)], reproduction)).toEqual([decide(3, 5)]);
});

it('moves later choices up, which would otherwise mean other points', () => {
  const refuse = (nth: number): PointChoice => ({
    at: `write m job default/a: update Job #${nth}`,
    injectedFault: { do: 'refuse', code: 500 },
  });
  /** It breaks where two attempts in a row are refused, after any number of attempts; each refusal causes another attempt. */
  const attempts = {
    breaks: (choices: readonly PointChoice[]): boolean => {
      const nths = choices.map(({ at }) => Number(at.slice(at.indexOf('#') + 1)));
      return nths.includes(1) && nths.some((nth) => nth === nths.length) && nths.length > 1;
    },
    addresses: (choices: readonly PointChoice[]): readonly string[] =>
      Array.from({ length: choices.length + 1 }, (_, at) => refuse(at + 1).at),
  };
  expect(attempts.breaks([refuse(1), refuse(3)])).toBe(false);
  expect(reanchored([refuse(1), refuse(2), refuse(3)], attempts)).toEqual([refuse(1), refuse(2)]);
});

it('keeps all choices where none can be removed', () => {
  expect(reanchored([decide(3, 5)], reproduction)).toEqual([decide(3, 5)]);
  expect(reanchored([elsewhere, decide(3, 5)], reproduction)).toEqual([elsewhere, decide(3, 5)]);
});

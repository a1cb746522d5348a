/**
 * The suggestions of the lessons as two futures: each ends with a sentence, which the second run itself has checked. All lessons are read;
 * some are run, because the records of `test/golden.test.ts` rehearse every suggestion with the same checks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../../src/lab/scenario/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';

const FOLDER = 'scenarios/lessons';
const lessons = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

function triesIn(file: string, text: string) {
  const read = readScenarios(text, { file });
  if (!('scenarios' in read)) throw new Error(file);
  const [scenario] = read.scenarios;
  return itemsOf(scenario?.steps ?? []).flatMap(({ step, taken }) => (step.tries ?? []).map((tried, at) => ({ ...tried, taken, at })));
}

it.each(lessons)('%s: every suggestion ends with a sentence that is checked', (file) => {
  const tries = triesIn(file, readFileSync(`${FOLDER}/${file}`, 'utf8'));
  expect(tries.length).toBeGreaterThan(0);
  for (const { say, shows, then, breaks } of tries) {
    expect([say, (shows ?? '').length > 10]).toEqual([say, true]);
    expect([say, then.length > 0 || breaks !== undefined]).toEqual([say, true]);
  }
});

describe('two futures', () => {
  /** The answers to all suggestions of a lesson. */
  function tried(file: string, text: string) {
    const bench = createBench();
    const first = bench.answer({ ask: 'run', scenario: { file, text } });
    if (first.is !== 'run') throw new Error(first.is);
    const step = first.run.trace.entries.length;
    return triesIn(file, text).map(({ say, taken, at }) =>
      bench.answer({ ask: 'second', how: { is: 'fork', step, said: say, injectedFault: { try: [taken, at] } } }),
    );
  }

  it.each(['02-retries.yaml', '12-invariant.yaml'])('of %s end with it', (file) => {
    const answers = tried(file, readFileSync(`${FOLDER}/${file}`, 'utf8'));
    for (const answer of answers) expect(answer).toMatchObject({ is: 'second', shows: expect.stringMatching(/.{10}/) });
    if (file.startsWith('02')) expect(answers.every((answer) => answer.is === 'second' && (answer.showsAtMs ?? 0) > 0)).toBe(true);
  });

  it('end with it at the moment of the fork, where it is true at once', () => {
    const text = readFileSync(`${FOLDER}/02-retries.yaml`, 'utf8');
    const momentOf = (after: string) => {
      const [answer] = tried('02-retries.yaml', text.replace('after: 2s', `after: ${after}`).replace('is: 3 }', 'is: 2 }'));
      return answer?.is === 'second' ? answer.showsAtMs : undefined;
    };
    const atOnce = momentOf('0s');
    expect(atOnce).toBeGreaterThan(0);
    expect(momentOf('1ms')).toBe((atOnce ?? 0) + 1);
  });

  it('do not end with a sentence that their run contradicts', () => {
    const text = readFileSync(`${FOLDER}/02-retries.yaml`, 'utf8');
    // A third pod is claimed to be a fifth.
    const wrong = text.replace('count: { of: { kind: Pod }, is: 3 }', 'count: { of: { kind: Pod }, is: 5 }');
    expect(wrong).not.toBe(text);
    const [first, ...others] = tried('02-retries.yaml', wrong);
    expect(first).toMatchObject({ is: 'second', run: { verdict: 'broken' } });
    expect(first !== undefined && 'shows' in first).toBe(false);
    expect(others.every((answer) => 'shows' in answer)).toBe(true);
  });
});

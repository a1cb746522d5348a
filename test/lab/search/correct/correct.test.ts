/** Correct controllers: every story holds without faults, and some are searched. `npm run measures -- --only correct` searches all. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { baseline } from '../../../../src/lab/search/index.ts';
import { hunted } from '../bugs/hunt.ts';
import { definitionsOf, scenarioOf } from './model.ts';
import { CORRECT } from './registry.ts';

const STORIES = CORRECT.flatMap((correct) =>
  Object.entries(correct.stories).map(([told, story]) => ({ name: `${correct.name}, ${told}`, correct, told, story })),
);
/** Controllers whose life is searched here, and the runs of each search. */
const SAMPLE: readonly string[] = ['owner-child, recreate', 'finalizer, delete', 'two-writers, update', 'lock, create'];
const RUNS = 32;

describe('correct controllers', () => {
  it('has a line for each file', () => {
    const files = readdirSync(new URL('.', import.meta.url))
      .filter((file) => !/^(?:model|registry|correct\.test)\.ts$/.test(file))
      .map((file) => file.replace('.ts', ''));
    expect(CORRECT.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
    expect(CORRECT.length).toBeGreaterThanOrEqual(15);
    for (const { idiom } of CORRECT) expect(idiom).toMatch(/\.$/);
  });

  it.each(STORIES)('$name: holds without faults', ({ correct, told, story }) => {
    const looked = baseline(scenarioOf(correct, told, story), { with: definitionsOf(correct) });
    expect('unfit' in looked ? [looked.unfit, ...looked.messages] : []).toEqual([]);
  });

  it.each(STORIES.filter(({ name }) => SAMPLE.includes(name)))('$name: a search is quiet', ({ correct, told, story }) => {
    expect(hunted(scenarioOf(correct, told, story), definitionsOf(correct), RUNS).causes).toEqual([]);
  });
});

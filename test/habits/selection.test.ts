import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldersBeside, importersOf, reaching } from './graph.ts';
import { reported } from './quick.ts';
import { COMMON, selected, type Circumstances } from './selection.ts';
import { rounded, timingsOf } from './timings.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'src/a/one.ts': 'export const one = 1;',
  'src/a/two.ts': "import { one } from './one.ts';\nimport type { Three } from './three.ts';",
  'src/a/three.ts': 'export interface Three {}',
  'src/b/far.ts': "export { two } from '../a/two.ts';",
  'test/a/one.test.ts': "import { one } from '../../src/a/one.ts';",
  'test/a/beside.test.ts': "import { two } from '../../src/a/two.ts';",
  'test/b/far.test.ts': "const { two } = await import('../../src/b/far.ts');",
  'test/b/program.test.ts': "const path = new URL('../../src/b/far.ts', import.meta.url);",
  'test/lab/explore/deep.test.ts': "import { one } from '../../../src/a/one.ts';",
  'test/golden.test.ts': '',
};
const files = Object.keys(SOURCES);
const importers = importersOf(files, (path) => SOURCES[path] ?? '');
const tests = files.filter((path) => path.endsWith('.test.ts'));
const chosenFor = (changed: readonly string[], rest: Partial<Circumstances> = {}) =>
  selected({ tests, importers, changed, timings: timingsOf({ 'test/b/far.test.ts': 5_000 }), budgetMs: 60_000, ...rest });

describe('the tests that a change reaches', () => {
  it('are found by static and dynamic imports and paths, and not by types', () => {
    expect(Object.fromEntries(reaching(importers, ['src/a/two.ts']))).toEqual({
      'src/a/two.ts': 0,
      'src/b/far.ts': 1,
      'test/a/beside.test.ts': 1,
      'test/b/far.test.ts': 2,
      'test/b/program.test.ts': 2,
    });
    expect([...reaching(importers, ['src/a/three.ts']).keys()]).toEqual(['src/a/three.ts']);
  });

  it('begin with the common part, then those beside the file, then the nearest', () => {
    expect(chosenFor(['src/a/one.ts']).chosen).toEqual([
      'test/golden.test.ts',
      'test/a/beside.test.ts',
      'test/a/one.test.ts',
      'test/b/program.test.ts',
      'test/b/far.test.ts',
    ]);
  });

  it('end where the time is used up; a shorter one may still fit', () => {
    const { chosen, left } = chosenFor(['src/b/far.ts'], { budgetMs: 1_000 });
    expect([chosen, left]).toEqual([['test/golden.test.ts', 'test/b/program.test.ts'], ['test/b/far.test.ts']]);
  });

  it('leave searches, browsers and copies to the whole, and say so of a test that has changed', () => {
    expect(chosenFor(['src/a/one.ts'])).toMatchObject({ wholeOnly: ['test/lab/explore/deep.test.ts'], changedTests: [] });
    expect(chosenFor(['test/lab/explore/deep.test.ts'])).toMatchObject({ changedTests: ['test/lab/explore/deep.test.ts'] });
  });

  it('are those that read changed data', () => {
    expect(chosenFor(['scenarios/job/01-a.yaml', 'package.json'])).toMatchObject({
      chosen: ['test/golden.test.ts'],
      unknown: ['package.json'],
    });
  });

  it('are reported with what is left out', () => {
    const timings = timingsOf({ 'test/b/far.test.ts': 5_000 });
    expect(reported(chosenFor(['src/b/far.ts'], { budgetMs: 1_000 }), { base: 'abc', changed: 1, tests: tests.length, timings })).toEqual([
      '1 files differ from abc: 2 of 6 test files run (1 s), the common ones among them',
      'left out: 1 more test files that the change reaches (5 s), farther away; 3 that it does not reach. All of them: npm run test:all',
    ]);
  });
});

it('the folders beside a file are the nearest first', () => {
  expect(foldersBeside('src/apiserver/kinds/job.ts')).toEqual(['test/apiserver/kinds/', 'test/apiserver/']);
  expect(foldersBeside('test/lab/search/sets.ts')).toEqual(['test/lab/search/', 'test/lab/']);
});

it('the common tests exist', () => {
  expect(COMMON.filter((path) => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([]);
});

it('timings of a run are committed where they matter, the longest first', () => {
  expect(Object.entries(rounded({ 'a.test.ts': 20, 'b.test.ts': 1_260, 'c.test.ts': 9_000 }))).toEqual([
    ['c.test.ts', 9_000],
    ['b.test.ts', 1_300],
  ]);
});

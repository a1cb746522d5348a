/** What an import prints about the log that it has read. */
import { expect, it } from 'vitest';
import type { Incident } from '../../../src/lab/incident/index.ts';
import { importedLines, PLAIN } from '../../../src/surfaces/report/index.ts';

const NAMES = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay'];
/** The printed lines of a log of so many files, with requests of so many clients. */
function printed(many: number): string {
  const named = NAMES.slice(0, many);
  const log = { records: [], lines: 9, renewals: new Map(), leftOut: new Map(), problems: [], isNeutral: false };
  const incident = { clients: named, steps: 9, writes: 1, leftOut: [] } as unknown as Incident;
  return importedLines({ files: named.map((name) => `${name}.log`), log, incident }, PLAIN).join('\n');
}

it('the first five clients are named, and dots stand only for more of them', () => {
  expect(printed(1)).toContain('9 requests of 1 client are steps (ann);');
  expect(printed(5)).toContain('9 requests of 5 clients are steps (ann, ben, cleo, dan, eve);');
  expect(printed(6)).toContain('9 requests of 6 clients are steps (ann, ben, cleo, dan, eve, …);');
});

it('the first five files are named, and the others are counted', () => {
  expect(printed(5)).toMatch(/^incident: ann\.log, ben\.log, cleo\.log, dan\.log, eve\.log$/m);
  expect(printed(6)).toMatch(/^incident: ann\.log, ben\.log, cleo\.log, dan\.log, eve\.log and 1 more$/m);
});

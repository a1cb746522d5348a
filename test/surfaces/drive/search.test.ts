/** A search for faults on an operator: the planted bug is found, confirmed, reduced and written; mended nothing is found. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawFaults, weaker, withFaults } from '../../../src/surfaces/drive/search/draws.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { cli, folderWith } from '../cli/cli.ts';

const GREETED = readFileSync(join(import.meta.dirname, 'greeted.yaml'), 'utf8');
const GREETER = [process.execPath, join(import.meta.dirname, 'operators/greeter.mjs')];
const read = readScenarios(GREETED);
const [scenario] = 'scenarios' in read ? read.scenarios : [];

/** Programs run on real time, which a busy machine takes from them: what a program does must show in one of three tries. */
const REAL_TIME = { retry: 2 } as const;

describe('a search with a program', REAL_TIME, () => {
  it('finds the planted bug, and says how often it broke', { timeout: 120_000 }, async () => {
    const cwd = folderWith({ 'greeted.yaml': GREETED });
    // The first run of this seed has a lag of one kind, so that the test is short.
    const words = [
      'search',
      'greeted.yaml',
      '--budget',
      '60 runs',
      '--seed',
      '1085',
      '--until-found',
      '--jobs',
      '1',
      '--confirm',
      '2/2',
      '--faults',
      'lag',
    ];
    const { code, out } = await cli([...words, '--', ...GREETER, '--generate-name'], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('one-greeting: broke 2 of 2 runs') });
    const written = readFileSync(join(cwd, 'found-greeted-1.yaml'), 'utf8');
    expect(written).toMatch(/lag: greeter,?\s+by: \d+s/);
    expect(readScenarios(written)).not.toHaveProperty('problems');
  });
});

describe('the faults of a search', () => {
  it('are drawn by seed and number, are valid, and become weaker', () => {
    if (scenario === undefined) throw new Error('no scenario');
    const draw = (run: number) => drawFaults(1, run, ['greeter'], scenario.steps.length, ['ConfigMap']);
    expect(draw(7)).toEqual(draw(7));
    const all = Array.from({ length: 300 }, (_, run) => draw(run));
    expect(new Set(all.flat().map(({ fault }) => fault.name)).size).toBe(8);
    for (const faults of all) {
      expect(withFaults(scenario, faults).steps).toHaveLength(scenario.steps.length + faults.length);
      // Reduction ends: a weaker form has fewer faults, or a shorter time.
      const size = (each: typeof faults): number =>
        each.reduce(
          (sum, { fault }) =>
            sum + 1e9 + Object.values(fault.parameters).reduce((ms: number, value) => ms + (typeof value === 'number' ? value : 0), 0),
          0,
        );
      for (const each of weaker(faults)) expect(size(each)).toBeLessThan(size(faults));
    }
  });
});

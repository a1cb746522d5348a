import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { determinismLines } from '../../../src/surfaces/cli/commands/check-determinism.ts';
import { checkDeterminism, traced, entryLines, type RunOnce } from '../../../src/surfaces/cli/determinism.ts';
import { loadScenarios } from '../../../src/surfaces/cli/load.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

const loaded = () => {
  const [one] = loadScenarios(['a.yaml'], { cwd: folderWith({ 'a.yaml': HOLDS }) });
  if (one === undefined) throw new Error('no scenario');
  return one;
};

/** A planted bug: the second run of a process chooses another pending event. */
const impatient = (): RunOnce => {
  let runs = 0;
  return ({ scenario }, seed) => {
    const late = runs++ > 0;
    let choices = 0;
    const { trace, digest } = simulate(scenario, {
      seed,
      trace: true,
      choose: (candidates) => (late && ++choices > 40 ? candidates.length - 1 : 0),
    });
    if (trace === undefined) throw new Error('no trace');
    return { trace, digest };
  };
};

describe('check-determinism', () => {
  it('finds three runs the same, one of them in a fresh process', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const { code, out, err } = await cli(['check-determinism', 'a.yaml'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^✓ holds {2}three runs of seed 1 are the same in \d+ entries, digest [0-9a-f]{16}\n$/);
  });

  it('gives the fresh process what it has read from standard input', async () => {
    expect(await cli(['check-determinism', '-'], { stdin: () => HOLDS })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ holds {2}three runs/) as string,
    });
  });

  it('names the first entry that differs, with both values', async () => {
    const result = await checkDeterminism(loaded(), { runOnce: impatient() });
    expect(result.difference).toMatchObject({ between: 'two runs in one process' });
    expect(result.difference?.first).not.toBe(result.difference?.second);
    const [headline = '', one = '', other = ''] = determinismLines(result, PLAIN);
    expect(headline).toMatch(/^✗ holds {2}seed 1: two runs in one process differ, first at -?[\dm.]+s, /);
    expect(one).toMatch(/^ +one: +\S/);
    expect(other).toMatch(/^ +other: \S/);
  });

  it('shows which part of an entry differs, and a run that ends early', async () => {
    const tampered = async () =>
      [...entryLines(traced(loaded(), 1).trace)].map((line, at, all) =>
        at === all.length - 20 ? line.replace('"id":', '"was":1,"id":') : line,
      );
    const changed = await checkDeterminism(loaded(), { fresh: tampered });
    expect(changed.difference).toMatchObject({ between: 'a run here and one in a fresh process', changes: [{ path: 'was', after: 1 }] });
    const short = await checkDeterminism(loaded(), { fresh: async () => (await tampered()).slice(0, -30) });
    expect(short.difference?.second).toBeUndefined();
    expect(determinismLines(short, PLAIN).join('\n')).toContain('other: it had ended');
  });
});

import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { determinismLines } from '../../../src/surfaces/cli/commands/check-determinism.ts';
import { checkDeterminism, traced, entryLines, type RunOnce } from '../../../src/surfaces/cli/determinism.ts';
import { loadScenarios } from '../../../src/surfaces/cli/load.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

const SMALL = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: small }
spec:
  cluster: { nodes: { count: 1 } }
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web } }
    - { at: 1s, note: Done. }
`;
const loaded = (text = HOLDS) => {
  const [one] = loadScenarios(['a.yaml'], { cwd: folderWith({ 'a.yaml': text }) });
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

  const different = (line: string): string => line.replace('"id":', '"was":1,"id":');
  const NODE = '-49.500s  #0     node-lifecycle     node-0           decides to wait   its heartbeat is recent';
  const FIRST = '-49.500s  #-57   server             orch-system      create Namespace  rv 2';
  it.each<[string, (lines: readonly string[]) => readonly string[], at: string, one: string, other: string, change?: string]>([
    [
      'before the start',
      ([one = '', ...rest]) => [different(one), ...rest],
      '-49.500s, 58 entries before the start',
      FIRST,
      FIRST,
      'was = 1',
    ],
    [
      'just before the start',
      (lines) => lines.with(57, different(lines[57] ?? '')),
      '-49.500s, 1 entry before the start',
      NODE,
      NODE,
      'was = 1',
    ],
    [
      'in the first entry',
      (lines) => lines.with(58, different(lines[58] ?? '')),
      '0.000s, step #1',
      '0.000s  #1     scenario                            apply ConfigMap/web',
      '0.000s  #1     scenario                            apply ConfigMap/web',
      'was = 1',
    ],
    [
      'in a run that ends early',
      (lines) => lines.slice(0, -1),
      '1.000s, step #4',
      '1.000s  #4     note                                Done.',
      'it had ended',
    ],
    [
      'in a run that goes on',
      (lines) => [...lines, lines.at(-1) ?? ''],
      '1.000s, step #5',
      'it had ended',
      '1.000s  #5     note                                Done.',
    ],
  ])('shows a difference %s', async (_, tamper, at, one, other, change) => {
    const small = loaded(SMALL);
    const lines = [...entryLines(traced(small, 1).trace)];
    const result = await checkDeterminism(small, { fresh: async () => tamper(lines) });
    expect(determinismLines(result, PLAIN)).toEqual([
      `✗ small  seed 1: a run here and one in a fresh process differ, first at ${at}`,
      `    one:   ${one}`,
      `    other: ${other}`,
      ...(change === undefined ? [] : [`      ${change}`]),
      "    likely causes: the host's clock or chance (Date, Math.random), the order of object keys or of a sort without comparator,",
      '    state kept between runs in a module, floating point beyond + - * /',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { BREAKS, cli, folderWith, HOLDS, RACE } from './cli.ts';

describe('a sweep', () => {
  it('is the same whatever the number of threads', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const [one, three] = await Promise.all(
      ['1', '3'].map((jobs) => cli(['run', '.', '--seeds', '1..6', '--jobs', jobs, '--json'], { cwd })),
    );
    expect(one?.code).toBe(1);
    expect(three).toEqual(one);
  });

  it('prints a line for each scenario, and failing seeds with a replay command', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const { out } = await cli(['run', '.', '--seeds', '5..9', '--jobs', '2'], { cwd });
    expect(out).toMatch(/^✗ breaks +0 of 5 seeds held$/m);
    expect(out).toMatch(/^ +5 seeds 5, 6, 7, 8, 9\n +npx orchsim run breaks\.yaml --seed 5 -v$/m);
    expect(out).toMatch(/^✓ holds +all 5 seeds held$/m);
  });

  it('runs scenarios in threads too, with the same explanations', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const [here, there] = await Promise.all(['1', '2'].map((jobs) => cli(['run', '.', '--jobs', jobs], { cwd })));
    expect(there).toEqual(here);
  });

  it('does not keep its runs', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    const { code, err } = await cli(['run', '.', '--seeds', '1..2', '--trace', 't'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('--trace: a sweep does not keep its runs');
  });

  interface Document {
    readonly sweeps: readonly { readonly failing: readonly { readonly seed: number }[]; readonly common: readonly object[] }[];
  }

  it('lists features that failing seeds share and others lack', async () => {
    const cwd = folderWith({ 'race.yaml': RACE });
    const sweep = ['run', 'race.yaml', '--seeds', '1..30', '--jobs', '1'];
    const text = await cli(sweep, { cwd });
    expect(text.code).toBe(1);
    expect(text.out).toMatch(
      /^ +expected 3 of Pod, found 2\n +4 seeds 19, 21, 25, 28\n +common to these seeds, and absent in those that held:$/m,
    );
    expect(text.out).toMatch(/^ +it lacks: job trio create Pod trio-… \(time 3\) \(4 of these, 0 of the others compared\)$/m);
    const { sweeps } = JSON.parse((await cli([...sweep, '--json'], { cwd })).out) as Document;
    expect(sweeps[0]?.failing.map(({ seed }) => seed)).toEqual([19, 21, 25, 28]);
    expect(sweeps[0]?.common).toEqual([
      {
        failure: 'expected 3 of Pod, found 2',
        seeds: [19, 21, 25, 28],
        comparedWith: 'held',
        features: [{ text: 'it lacks: job trio create Pod trio-… (time 3)', here: 4, elsewhere: 0 }],
      },
    ]);
  });

  it('is JUnit too: a case for each seed, failing ones with their common features', async () => {
    const cwd = folderWith({ 'race.yaml': RACE });
    const { code, out } = await cli(['run', 'race.yaml', '--seeds', '18..20', '--format', 'junit'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="orchsim" tests="3" failures="1" errors="0">/);
    expect([...out.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'race seed 18',
      'race seed 19',
      'race seed 20',
    ]);
    expect(out).toMatch(
      /race seed 19"[^\n]*>\n +<properties>\s+<property name="virtual-time" value="71\.\d{3}"\/>\s+<\/properties>\n +<failure type="expectation" message="expected 3 of Pod, found 2">[^<]*common to these seeds[^<]*--seed 19 -v<\/failure>/,
    );
    expect(out.endsWith('</testsuites>\n')).toBe(true);
  });

  it('compares nothing if every seed has the same failure', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS });
    const { sweeps } = JSON.parse((await cli(['run', '.', '--seeds', '1..3', '--json'], { cwd })).out) as Document;
    expect(sweeps[0]?.common).toMatchObject([{ comparedWith: 'nothing', features: [] }]);
  });
});

import { describe, expect, it } from 'vitest';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

describe('a sweep', () => {
  it('is the same whatever the number of threads', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const [one, three] = await Promise.all(
      ['1', '3'].map((jobs) => cli(['run', '.', '--seeds', '1..12', '--jobs', jobs, '--json'], { cwd })),
    );
    expect(one?.code).toBe(1);
    expect(three).toEqual(one);
  });

  it('is a line a scenario, and the seeds that failed with the command that replays one', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const { out } = await cli(['run', '.', '--seeds', '5..9', '--jobs', '2'], { cwd });
    expect(out).toMatch(/^✗ breaks +0 of 5 seeds held$/m);
    expect(out).toMatch(/^ +5 seeds 5, 6, 7, 8, 9\n +npx orchsim run breaks\.yaml --seed 5 -v$/m);
    expect(out).toMatch(/^✓ holds +all 5 seeds held$/m);
  });

  it('runs scenarios on threads too, and explains as without', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const [here, there] = await Promise.all(['1', '2'].map((jobs) => cli(['run', '.', '--jobs', jobs], { cwd })));
    expect(there).toEqual(here);
  });

  it('keeps nothing of its runs', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    const { code, err } = await cli(['run', '.', '--seeds', '1..2', '--trace', 't'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('--trace: a sweep keeps nothing of its runs');
  });
});

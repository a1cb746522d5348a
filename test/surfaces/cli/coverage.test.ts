/** `run --coverage`: the coverage of one run, of several, of sweeps with threads. */
import { describe, expect, it } from 'vitest';
import { branchesIn } from '../../../src/build/branches.mjs';
import { faults } from '../../../src/lab/faults/index.ts';
import { cli, folderWith, HOLDS, ROOT } from './cli.ts';

const CRASHES = HOLDS.replace('name: holds', 'name: crashes').replace(
  '    - when: settled',
  '    - at: 1s\n      fault: { crash: controller-manager, restartAfter: 1s }\n    - when: settled',
);

interface Report {
  readonly runs: number;
  readonly faults: readonly { readonly fault: string; readonly injected: number; readonly controllers: Readonly<Record<string, number>> }[];
  readonly invariants: readonly { readonly name: string; readonly exercised: number }[];
  readonly reasons: readonly {
    readonly of: string;
    readonly taken: readonly { readonly reason: string }[];
    readonly missed: readonly string[];
  }[];
}
const reportOf = async (...words: readonly string[]): Promise<Report> => {
  const cwd = folderWith({ 'holds.yaml': HOLDS, 'crashes.yaml': CRASHES });
  const { out } = await cli(['run', ...words, '--coverage', '--json'], { cwd });
  return (JSON.parse(out) as { readonly coverage: Report }).coverage;
};

describe('coverage', () => {
  it('has every fault, and the controllers that were active around it', async () => {
    const { faults: reported } = await reportOf('crashes.yaml');
    expect(reported.map(({ fault }) => fault)).toEqual(faults.map(({ name }) => name));
    const crash = reported.find(({ fault }) => fault === 'crash');
    expect(crash).toMatchObject({ injected: 1, controllers: { job: 1, scheduler: 1 } });
    expect(crash?.controllers).not.toHaveProperty('stateful-set');
    expect(reported.find(({ fault }) => fault === 'lag')).toEqual({ fault: 'lag', injected: 0, controllers: {} });
  });

  it('lists exercised and unexercised invariants', async () => {
    const { invariants } = await reportOf('holds.yaml');
    expect(invariants.find(({ name }) => name === 'job/never-stuck')?.exercised).toBeGreaterThan(0);
    expect(invariants.find(({ name }) => name.startsWith('stateful-set/'))?.exercised).toBe(0);
  });

  it('compares reasons with those in the sources', async () => {
    const there = branchesIn(ROOT);
    const { reasons } = await reportOf('holds.yaml');
    expect(
      Object.fromEntries(reasons.map(({ of, taken, missed }) => [of, [...taken.map(({ reason }) => reason), ...missed].sort()])),
    ).toEqual(there);
    const job = reasons.find(({ of }) => of === 'job');
    expect(job?.taken.map(({ reason }) => reason)).toContain('it has finished');
    expect(job?.missed).toContain('its namespace is being deleted, so no pod can be created');
  });

  it('knows the reasons of functions that end with an outcome', () => {
    const there = branchesIn(ROOT);
    expect(there['garbage-collector']).toEqual(expect.arrayContaining(['it has no owner', 'it is gone', '…, so it is deleted']));
  });

  it('sums files and sweeps, whatever the threads', async () => {
    const [one, both, sweep, threads] = await Promise.all([
      reportOf('crashes.yaml'),
      reportOf('.'),
      reportOf('.', '--seeds', '1..3', '--jobs', '1'),
      reportOf('.', '--seeds', '1..3', '--jobs', '2'),
    ]);
    expect([one?.runs, both?.runs, sweep?.runs]).toEqual([1, 2, 6]);
    expect(sweep?.faults.find(({ fault }) => fault === 'crash')?.injected).toBe(3);
    expect(threads).toEqual(sweep);
  });

  it('is a table, also after a timeline', async () => {
    const cwd = folderWith({ 'crashes.yaml': CRASHES });
    for (const words of [[], ['-v'], ['--seeds', '1..2']]) {
      const { out, code } = await cli(['run', 'crashes.yaml', '--coverage', ...words], { cwd });
      expect(code).toBe(0);
      expect(out).toMatch(/^ {2}faults: 1 of \d+ were injected/m);
      expect(out).toMatch(/^ {4}FAULT +TIMES .*job/m);
      expect(out).toMatch(/^ {4}never: .*lag/m);
      expect(out).toMatch(/^ {2}invariants: \d+ of \d+ were exercised$/m);
      expect(out).toMatch(/^ {4}job +\d+ of \d+ +missing: /m);
    }
    expect((await cli(['run', 'crashes.yaml'], { cwd })).out).not.toContain('coverage');
  });
});

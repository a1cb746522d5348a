/** `orchsim search --exhaustive` and `--deviations 1` in the user interface: their output, and how complete they were. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, isBuilt, program } from './cli.ts';

const POD = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: pod }
spec:
  until: 5s
  cluster: { nodes: { count: 1 }, podBehaviors: [{ startDelay: 200ms }] }
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } } }
    - { at: 5s, expect: { match: { kind: Pod, metadata: { name: p }, status: { phase: Running } } } }
`;

/** It acts on the first observation, and another one may be faster. */
const RACERS = `import { defineConfig, defineController, idle, update, write } from 'orchsim';
const racer = (name) => defineController({
  name, reconciles: 'ConfigMap', writes: ['ConfigMap'],
  reconcile({ self }) {
    if (self.metadata.name !== 'bone' || self.data?.first !== undefined) return idle('it has a first');
    return write(name + ' is first', update(self, (draft) => { draft.data.first = name; }));
  },
});
export default defineConfig({ controllers: [racer('left'), racer('right')] });
`;
const RACE = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: race }
spec:
  until: 3s
  cluster: { nodes: { count: 0 } }
  invariants: [{ name: left-first, foreach: ConfigMap, always: "self.metadata.name != 'bone' || self.data.?first.orValue('left') == 'left'" }]
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { a: "1" } } }
    - { at: 3s, expect: { cel: "has(object('ConfigMap/bone').data.first)" } }
`;

const folder = (): string => folderWith({ 'pod.yaml': POD, 'race.yaml': RACE, 'racers.mjs': RACERS });
const run = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [program, 'search', ...args], { cwd, encoding: 'utf8' });

/** The same in this process, where nothing depends on a process of its own. */
const here = (cwd: string, ...args: readonly string[]) => cli(['search', ...args, '--jobs', '1'], { cwd });

describe.skipIf(!isBuilt)('exhaustive orchsim search', () => {
  it('tries every order, and reports completeness', { timeout: 60_000 }, () => {
    const { status, stdout } = run(folder(), 'pod.yaml', '--exhaustive');
    expect(stdout).toContain('✓ pod: it holds in every order within its instants  1 run · 9 states');
    expect(stdout).toContain('  complete: up to 0 branchings in one run');
    expect(stdout).toContain('the scenario gives no latencies');
    expect(status).toBe(0);
  });

  it('finds the order that breaks an assertion, as a file that reproduces it in any process', { timeout: 60_000 }, () => {
    const cwd = folder();
    const { status, stdout } = run(cwd, 'race.yaml', '--with', 'racers.mjs', '--exhaustive');
    expect(stdout).toContain('✗ race: 1 finding');
    expect(stdout).toContain('- write controller-manager left default/bone: update ConfigMap #1: reaches the server 1ms late');
    expect(stdout).toContain('see it again: npx orchsim run found-race-1.yaml --with racers.mjs -v');
    expect(status).toBe(1);
    const again = spawnSync(process.execPath, [program, 'run', 'found-race-1.yaml', '--with', 'racers.mjs'], { cwd, encoding: 'utf8' });
    expect(again.stdout).toContain('invariant left-first is broken');
    expect(again.status).toBe(1);
  });

  it.each([
    // Orders of the last instants are tried first, and single faults at the first points.
    ['1s', '--exhaustive'],
    ['2s', '--deviations', '1', '--faults', 'late'],
  ])('keeps what it has found when it is interrupted: a Job at %s, %s', { timeout: 120_000 }, async (at, ...args) => {
    // With a Job beside the race, a complete search would take too long.
    const job = `    - { at: ${at}, apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 4, parallelism: 4, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }\n`;
    const [head = '', steps = ''] = RACE.replace('count: 0', 'count: 1')
      .replace('until: 3s', 'until: 30s')
      .replace('at: 3s', 'at: 30s')
      .split('  steps:\n');
    const busy = `${head}  steps:\n${at === '1s' ? job + steps.replace('at: 1s', 'at: 20s') : steps.replace('    - { at: 30s', `${job}    - { at: 30s`)}`;
    const cwd = folderWith({ 'race.yaml': busy, 'racers.mjs': RACERS });
    const controller = new AbortController();
    const { code, out } = await cli(['search', 'race.yaml', '--with', 'racers.mjs', '--budget', 'plateau', ...args], {
      cwd,
      interruption: () => controller.signal,
      errorColumns: 100,
      err: (text) => {
        if (/[1-9]\d* found/.test(text)) controller.abort();
      },
    });
    expect(out).toContain('  interrupted');
    expect(out).toMatch(/✗ race: \d+ findings?/);
    expect(code).toBe(130);
    const again = spawnSync(process.execPath, [program, 'run', 'found-race-1.yaml', '--with', 'racers.mjs'], { cwd, encoding: 'utf8' });
    expect(again.stdout).toContain('✗ found-race-1');
    expect(again.status).toBe(1);
  });

  it('tries every single fault, and stops where the budget ends', { timeout: 60_000 }, async () => {
    const cwd = folder();
    expect((await here(cwd, 'pod.yaml', '--deviations', '1', '--faults', 'lose,refuse')).out).toMatch(
      /✓ pod: no single fault breaks it {2}all \d+ tried\n\n {2}at \d+ points: write \d+\n/,
    );
    const part = await here(cwd, 'pod.yaml', '--deviations', '1', '--budget', '3 runs');
    expect(part.out).toMatch(/no single fault that was tried broke it {2}3 of \d+ tried/);
    expect(part.out).toContain('more --budget tries more');
    const found = await here(cwd, 'race.yaml', '--with', 'racers.mjs', '--deviations', '1', '--faults', 'hold');
    expect(found.out).toContain('see it again: npx orchsim run found-race-1.yaml --with racers.mjs -v');
    expect([found.code, existsSync(join(cwd, 'found-race-1.yaml'))]).toEqual([1, true]);
  });

  it.each([
    ['1 runs', '1 run'],
    ['33', '33 runs'],
  ])('makes as many runs as its budget names: %s', { timeout: 60_000 }, async (budget, reported) => {
    expect((await here(folder(), 'pod.yaml', '--budget', budget, '--faults', 'lose')).out).toMatch(new RegExp(`\\b${reported} · seed 1`));
  });

  it.each([['--exhaustive'], ['--deviations', '1'], ['--budget', '32 runs']])(
    'stops at a scenario that breaks without any choice, and at a claim that nothing exercises: %s',
    { timeout: 60_000 },
    async (...way) => {
      const cwd = folderWith({
        'broken.yaml': POD.replace('phase: Running', 'phase: Failed'),
        'idle.yaml': POD.replace('  until: 5s', '  until: 5s\n  invariants: ["*", job/one-pod-per-index]'),
        'wrong.yaml': POD.replace('  until: 5s', `  until: 5s\n  invariants: [{ name: none, always: "objects('Pod').size() > 90" }]`),
      });
      const broken = await here(cwd, 'broken.yaml', ...way);
      expect(broken.out).toContain('✗ pod: it breaks without any choice');
      expect(broken.out).toContain('  there is nothing to search for until it holds\n  see it: npx orchsim run broken.yaml');
      expect(broken.code).toBe(1);
      const idle = await here(cwd, 'idle.yaml', ...way);
      expect(idle.out).toContain('✗ pod: it has assertions that nothing in its run could break');
      expect(idle.out).toContain('  job/one-pod-per-index: it was never exercised');
      expect(idle.code).toBe(1);
      expect((await here(cwd, 'wrong.yaml', ...way)).out).toContain('✗ pod: it breaks without any choice');
    },
  );

  it('refuses options that exclude each other', async () => {
    expect((await here(folder(), 'pod.yaml', '--depth', '2')).err).toContain('--depth: it needs --exhaustive');
    expect((await here(folder(), 'pod.yaml', '--deviations', '2')).err).toContain('--deviations: expected 1, found "2"');
    expect((await here(folder(), 'pod.yaml', '--exhaustive', '--shard', '1/2')).err).toContain('--exhaustive and --shard');
  });
});

/** `orchsim search` in the user interface: the program, its files, its exit codes, its threads. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBudget, isSpent } from '../../../src/surfaces/cli/search/options.ts';
import { cli, folderWith, isBuilt, program } from './cli.ts';

/** A user-defined controller that creates a ConfigMap for each Service, and trusts its cache. */
const MINE = `import { create, defineConfig, defineController, idle, watch, write } from 'orchsim';

const greeter = defineController({
  name: 'greeter',
  reconciles: 'Service',
  writes: ['ConfigMap'],
  watches: [watch('ConfigMap', () => undefined)],
  reconcile({ self: service, cache }) {
    const { namespace, name, uid } = service.metadata;
    if (cache.controlledBy('ConfigMap', service).length > 0) return idle('it has been greeted');
    return write('nobody has greeted it', create({
      apiVersion: 'v1', kind: 'ConfigMap',
      metadata: { namespace, generateName: name + '-', ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true }] },
    }));
  },
});

export default defineConfig({ controllers: [greeter] });
`;

const GREETED = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: greeted }
spec:
  until: 10s
  cluster: { nodes: { count: 1 }, latency: { api: 2ms, watch: 1ms } }
  invariants: [{ name: greeted-once, always: "objects('ConfigMap').filter(c, c.metadata.name.startsWith('web-')).size() <= 1" }]
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }] } }
    - at: 2s
      patch: { target: Service/web, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - at: 10s
      expect: { match: { kind: Service, metadata: { name: web } } }
`;

/** The same, but it waits until its cache shows its own writes. */
const FIXED = MINE.replace('cache })', 'cache, expectationsSatisfied })').replace(
  'if (cache',
  "if (!expectationsSatisfied) return idle('what it made has not come back yet');\n    if (cache",
);

const folder = (): string => folderWith({ 'mine.ts': MINE, 'fixed.ts': FIXED, 'greeted.yaml': GREETED });
const run = (cwd: string, ...args: readonly string[]) => spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8' });

describe.skipIf(!isBuilt)('orchsim search', () => {
  it('finds the bug of a user-defined controller, and the file it writes breaks in a separate process', { timeout: 120_000 }, () => {
    const cwd = folder();
    const found = run(cwd, 'search', 'greeted.yaml', '--with', 'mine.ts', '--budget', '32 runs', '--faults', 'hold,late', '--jobs', '2');
    expect(found.stderr).toBe('');
    expect(found.status).toBe(1);
    expect(found.stdout).toContain('✗ greeted: 1 finding  32 runs · seed 1');
    expect(found.stdout).toContain('greeted-once');
    expect(found.stdout).toContain('greeted-once  by a decision of greeter (yours)');
    expect(found.stdout).toMatch(
      /saw .* greeter, yours, decided about web, but its cache (lacked|did not show its own earlier create of) ConfigMap web-…/,
    );
    expect(found.stdout).toContain('did     it wrote create ConfigMap web-…, because "nobody has greeted it"');
    expect(found.stdout).toContain('what usually mends it: deterministic name');
    expect(found.stdout).toMatch(
      /tried so far: \d+ of \d+ single faults \(2 kinds at \d+ moments of greeter\); pairs of moments: \d+ of \d+ tried/,
    );
    const [command = ''] = /npx orchsim (run .*)/.exec(found.stdout)?.slice(1) ?? [];
    expect(command).toBe('run found-greeted-1.yaml --with mine.ts -v');
    const again = run(cwd, ...command.split(' '));
    expect(again.status).toBe(1);
    expect(again.stdout).toContain('invariant greeted-once is broken');
    // The failure vanishes with the bug.
    expect(run(cwd, 'run', 'found-greeted-1.yaml', '--with', 'fixed.ts')).toMatchObject({ status: 0 });
  });

  it('finds the same on one thread and on three', { timeout: 120_000 }, () => {
    const cwd = folder();
    const [one, three] = ['1', '3'].map((jobs) => {
      const { stdout } = run(
        cwd,
        'search',
        'greeted.yaml',
        '--with',
        'mine.ts',
        '--budget',
        '16',
        '--jobs',
        jobs,
        '--json',
        '--out',
        `out-${jobs}`,
      );
      return stdout.replaceAll(`out-${jobs}/`, '');
    });
    expect(JSON.parse(one ?? '')).toMatchObject({ exitCode: 1, scenario: 'greeted', runs: 16 });
    expect(three).toBe(one);
  });

  it('overwrites files of a search, and nothing else', { timeout: 120_000 }, async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'found-greeted-1.yaml'), 'mine\n');
    const once = async (): Promise<number> =>
      (await cli(['search', 'greeted.yaml', '--with', 'mine.ts', '--budget', '16', '--faults', 'hold,late', '--jobs', '1'], { cwd })).code;
    expect([await once(), await once()]).toEqual([1, 1]);
    expect(readdirSync(cwd).filter((name) => name.startsWith('found-'))).toEqual(['found-greeted-1.yaml', 'found-greeted-2.yaml']);
  });

  it('keeps everything found when it is interrupted', { timeout: 120_000 }, async () => {
    const cwd = folder();
    const controller = new AbortController();
    const { code, out } = await cli(
      ['search', 'greeted.yaml', '--with', 'mine.ts', '--budget', '1h', '--jobs', '1', '--faults', 'hold,late'],
      {
        cwd,
        errorColumns: 120,
        interruption: () => controller.signal,
        err: (text) => {
          if (/ a second, [1-9]\d* found/.test(text)) controller.abort();
        },
      },
    );
    expect(code).toBe(130);
    expect(out).toMatch(/interrupted after \d+ s/);
    expect(out).toContain('greeted-once');
    expect(run(cwd, 'run', 'found-greeted-1.yaml', '--with', 'mine.ts').status).toBe(1);
  });
});

describe.skipIf(!isBuilt)('faults', () => {
  it('are the default ones, or the named ones, with additions and without exclusions', { timeout: 60_000 }, async () => {
    const cwd = folder();
    const done = async (faults: string): Promise<readonly string[]> => {
      const options = ['--budget', '1 run', '--shard', '1/1', '--report', '-', '--faults', faults];
      const { out } = await cli(['search', 'greeted.yaml', '--with', 'mine.ts', '--jobs', '1', ...options], { cwd });
      return (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { readonly faults: readonly string[] }).faults;
    };
    expect(await done('hold,late')).toEqual(['hold', 'late']);
    expect(await done('-hang')).toEqual([
      'crash',
      'cut',
      'freeze',
      'gap',
      'hold',
      'late',
      'lose',
      'meddle',
      'refuse',
      'relist',
      'skew',
      'slow',
    ]);
    expect(await done('-relist,-crash,+hang')).toEqual([
      'cut',
      'freeze',
      'gap',
      'hang',
      'hold',
      'late',
      'lose',
      'meddle',
      'refuse',
      'skew',
      'slow',
    ]);
  });
});

describe('a scenario that cannot be searched', () => {
  it('is reported: one that breaks by itself, one with choices, bad options', async () => {
    const cwd = folderWith({
      'breaks.yaml': GREETED.replace('name: web } } }', 'name: nobody } } }'),
      'chosen.yaml': `${GREETED}  choices: [{ at: "see a Pod b #1", hold: 1s }]\n`,
      'greeted.yaml': GREETED,
    });
    const breaks = await cli(['search', 'breaks.yaml'], { cwd });
    expect(breaks.code).toBe(1);
    expect(breaks.out).toContain('✗ greeted: it breaks without any choice');
    // The reason too, not only its existence.
    expect(breaks.out).toMatch(/no Service matches[^]*nearest/);
    expect(breaks.out).toContain('see it: npx orchsim run breaks.yaml');
    const chosen = await cli(['search', 'chosen.yaml'], { cwd });
    expect([chosen.code, chosen.err]).toEqual([2, expect.stringContaining('it has choices already')]);
    for (const [option, value, says] of [
      ['--budget', 'soon', 'expected a duration such as 60s'],
      ['--budget', '0', 'expected from 1'],
      ['--faults', 'crahs', 'did you mean "crash"'],
      ['--deeds', 'crash', '--deeds is called --faults now'],
      ['--faults', '-relits', 'did you mean "relist"'],
      ['--faults', 'hold,-hold', 'leaves no fault'],
      ['--seed', 'x', 'expected a whole number'],
      ['--format', 'yaml', 'text, json, junit'],
    ] as const) {
      const { code, err } = await cli(['search', 'greeted.yaml', option, value], { cwd });
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
  });
});

describe('a budget', () => {
  it('is a number of runs, a time, or a plateau', () => {
    expect([readBudget('250 runs'), readBudget('1 run'), readBudget('250'), readBudget('90s'), readBudget('plateau')]).toEqual([
      { runs: 250 },
      { runs: 1 },
      { runs: 250 },
      { ms: 90_000 },
      'plateau',
    ]);
    const spent = (text: string, runs: number, lastNewRun: number, ms: number): boolean =>
      isSpent(readBudget(text), { sinceNewReason: runs - lastNewRun, within: (many) => runs < many }, ms);
    expect([spent('64', 32, 1, 1e9), spent('64', 64, 1, 0), spent('1s', 1e6, 1, 999), spent('1s', 1, 1, 1_000)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([spent('plateau', 255, 0, 0), spent('plateau', 256, 0, 0), spent('plateau', 500, 300, 0)]).toEqual([false, true, false]);
  });
});

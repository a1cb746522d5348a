/** An operator on the informers of the official client, as it is, in a simulated world: under each fault, with a planted bug and its mend. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_DEFINITIONS } from '../../../src/lab/definitions/index.ts';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { cacheViewOf } from '../../../src/lab/trace/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { createActivity } from '../../../src/surfaces/drive/activity.ts';
import { drive, type Driven, type DriveOptions } from '../../../src/surfaces/drive/index.ts';
import { isRunning } from './processes.ts';

const GREETED = readFileSync(join(import.meta.dirname, 'greeted.yaml'), 'utf8');
const GREETER = [process.execPath, join(import.meta.dirname, 'operators/greeter.mjs')];

/** The scenario with faults before its steps. */
function scenarioWith(...faults: readonly string[]): Scenario {
  const read = readScenarios(GREETED.replace('  steps:\n', `  steps:\n${faults.map((each) => `    - fault: ${each}\n`).join('')}`));
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error(JSON.stringify(read));
  return read.scenarios[0];
}

const driven = (scenario: Scenario, words: readonly string[], more: Partial<DriveOptions> = {}): Promise<Driven> =>
  drive({
    scenario,
    seed: 1,
    definitions: NO_DEFINITIONS,
    commands: [{ name: 'greeter', words }],
    cwd: import.meta.dirname,
    pace: { idleMs: 20, timersMs: 0 },
    ready: 'requests',
    readyWithinMs: 60_000,
    graceMs: 5_000,
    patienceMs: 20_000,
    ...more,
  });

const failuresOf = ({ run }: Driven): readonly string[] => run.failures.map(({ invariant, message }) => invariant ?? message);
const FIXED = GREETER;
const BUGGY = [...GREETER, '--generate-name'];
const STALE = '{ lag: greeter, by: 9s, kinds: [ConfigMap] }';

/** Programs run on real time, which a busy machine takes from them: what a program does must show in one of three tries. */
const REAL_TIME = { retry: 2 } as const;

describe('an operator under faults', REAL_TIME, () => {
  it('holds without faults, with its bug too', { timeout: 60_000 }, async () => {
    expect(failuresOf(await driven(scenarioWith(), BUGGY))).toEqual([]);
  });

  it('shows its planted bug with a stale cache, and why; mended it is quiet', { timeout: 60_000 }, async () => {
    const broken = await driven(scenarioWith(STALE), BUGGY);
    expect(failuresOf(broken)[0]).toBe('one-greeting');
    const { trace, failures } = broken.run;
    const view = trace === undefined ? undefined : cacheViewOf(trace, failures[0]?.traceStep ?? 0);
    expect(view).toMatchObject({ process: 'greeter', unseen: [{ kind: 'ConfigMap', how: 'missing' }] });
    expect(view?.reasons[0]?.text).toContain('suffers lag');
    expect(failuresOf(await driven(scenarioWith(STALE), FIXED))).toEqual([]);
  });

  it.each([
    ['{ crash: greeter, beforeWrite: 1, restartAfter: 1s }', '{ closeWatches: greeter, code: 410 }', '{ relist: greeter, staleBy: 2s }'],
    ['{ failRequest: greeter, verb: create, loseResponse: true }', '{ stop: greeter, restartAfter: 500ms }', '{ closeWatches: greeter }'],
    ['{ failRequest: greeter, verb: create, code: 409 }', '{ crash: greeter, afterWrites: 1, restartAfter: 1s }'],
    ['{ failRequest: greeter, code: 500, times: 2 }', '{ pause: greeter, for: 2s }', '{ partition: greeter, for: 3s }'],
  ])('is mended under %s, %s and %s', { timeout: 60_000 }, async (...faults) => {
    expect(failuresOf(await driven(scenarioWith(...faults.filter((each) => each !== undefined)), FIXED))).toEqual([]);
  });
});

describe('an operator that polls', REAL_TIME, () => {
  const polling = (every: number, more: Partial<DriveOptions> = {}): Promise<Driven> =>
    driven(scenarioWith(), [process.execPath, join(import.meta.dirname, 'operators/poller.mjs'), '--every', String(every)], more);

  it.concurrent.each([
    ['each second', 1_000, {}],
    ['ten times a second', 100, {}],
    ['ten times a second, with --timers 100ms', 100, { pace: { idleMs: 20, timersMs: 100 } }],
  ] as const)('is ready, and is not outrun by virtual time: %s', { timeout: 60_000 }, async (_, every, more) => {
    expect(failuresOf(await polling(every, more))).toEqual([]);
  });

  it('and writes again and again lets time pass as real time does', async () => {
    let virtual = 0;
    const activity = createActivity({ idleMs: 5, timersMs: 200 }, () => virtual);
    const passed: boolean[] = [];
    for (let nth = 0; nth < 12; nth++) {
      activity.note({ type: 'request', client: 'a', verb: 'patch', kind: 'ConfigMap', target: '/' });
      activity.note({ type: 'answer', client: 'a', verb: 'patch', kind: 'ConfigMap', target: '/', status: 200 });
      await new Promise((go) => setTimeout(go, 50));
      passed.push(activity.mayPass(500));
    }
    expect([passed[0], passed.at(-1)]).toEqual([false, true]);
    virtual = 500;
    expect(activity.mayPass(600)).toBe(false);
  });

  it('in a tight loop floods', { timeout: 60_000 }, async () => {
    const { run } = await polling(0, { patienceMs: 1_000 });
    expect(run.verdict).toBe('unsettled');
    expect(run.failures[0]?.message).toMatch(
      /^greeter is never idle: \d+ requests in 1 s of real time while the clock stood; virtual time passes when it asks and computes nothing for 20 ms \(--idle\)$/,
    );
  });
});

const hasGo = spawnSync('go', ['version']).status === 0;
/** Faults of every name; all of them with ORCHSIM_LONG=1. */
const GO_FAULTS = [
  '{ failRequest: greeter, verb: create, loseResponse: true }',
  '{ crash: greeter, beforeWrite: 1, restartAfter: 1s }',
  ...(process.env['ORCHSIM_LONG'] === undefined
    ? []
    : [
        '{ crash: greeter, afterWrites: 1, restartAfter: 1s }',
        '{ failRequest: greeter, verb: create, code: 409 }',
        '{ failRequest: greeter, code: 429 }',
        '{ failRequest: greeter, code: 500, times: 2 }',
        '{ lag: greeter, by: 2s }',
        '{ closeWatches: greeter, code: 410 }',
        '{ closeWatches: greeter }',
        '{ relist: greeter, staleBy: 2s }',
        '{ freeze: greeter, for: 3s }',
        '{ partition: greeter, for: 3s }',
        '{ pause: greeter, for: 2s }',
        '{ stop: greeter, restartAfter: 500ms }',
        '{ withholdBookmarks: greeter }',
        '{ slowRequests: greeter, by: 100ms }',
        '{ slowReader: greeter, every: 500ms }',
      ]),
];

describe.skipIf(!hasGo)('the operator in Go', REAL_TIME, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
  const program = join(folder, 'greeter');
  beforeAll(() => {
    const built = spawnSync('go', ['build', '-o', program, join(import.meta.dirname, 'operators/go/main.go')], { encoding: 'utf8' });
    if (built.status !== 0) throw new Error(built.stderr);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(GO_FAULTS)('holds under %s', { timeout: 120_000 }, async (fault) => {
    expect(failuresOf(await driven(scenarioWith(fault), [program]))).toEqual([]);
  });

  it('shows its planted bug where an answer is lost, mended it is quiet', { timeout: 60_000 }, async () => {
    const lost = scenarioWith('{ failRequest: greeter, verb: create, loseResponse: true }');
    expect(failuresOf(await driven(scenarioWith(), [program, '--generate-name']))).toEqual([]);
    expect(failuresOf(await driven(lost, [program, '--generate-name']))[0]).toBe('one-greeting');
  });
});

/** Lets Node read the sources. */
const HOOKS = join(import.meta.dirname, '../../support/typescript.mjs');

describe('a program', REAL_TIME, () => {
  const SLEEPS = 'setInterval(() => {}, 1000)';
  const node = (code: string): readonly string[] => [process.execPath, '-e', code];

  it.each([
    [['./nothing-there'], 'greeter did not start: spawn ./nothing-there ENOENT', []],
    [node('console.log("hello"); process.exit(3)'), 'greeter ended before it was ready: exit code 3', ['0.000s hello']],
    [node(`console.log('hello'); ${SLEEPS}`), 'greeter is not ready after 1 s: it has sent no request', ['0.000s hello']],
  ])('that cannot be driven is told in a sentence: %j', async (words, message, lines) => {
    await expect(driven(scenarioWith(), words, { readyWithinMs: 1_000 })).rejects.toMatchObject({ message, lines });
  });

  it('that ends by itself, floods or ignores SIGTERM is a finding, or a complaint', { timeout: 60_000 }, async () => {
    const ends = await driven(scenarioWith(), node(`setTimeout(() => process.exit(4), 400)`), {
      ready: 'started',
      pace: { idleMs: 2_000, timersMs: 0 },
    });
    expect(failuresOf(ends)).toEqual(['greeter ended by itself at 0.000s: exit code 4']);
    const FLOODS = `setTimeout(() => setInterval(() => fetch(process.argv[1] + '/api/v1/pods').catch(() => {}), 3), 500)`;
    const floods = await driven(scenarioWith(), [...node(FLOODS), '{server}'], {
      ready: 'started',
      patienceMs: 1_000,
      pace: { idleMs: 600, timersMs: 0 },
    });
    expect(floods.run.verdict).toBe('unsettled');
    expect(failuresOf(floods).at(-1)).toMatch(/^greeter is never idle: \d+ requests in 1 s/);
    const stays = await driven(scenarioWith(), node(`process.on('SIGTERM', () => {}); ${SLEEPS}`), { ready: 'started', graceMs: 200 });
    expect(stays.complaints).toEqual(['greeter ignored SIGTERM for 0.2 s, and was killed']);
  });

  it('leaves nothing behind: what it started ends with it, and the port is free', async () => {
    const pids: string[] = [];
    let server = '';
    const started = `const { spawn } = require('node:child_process'); console.log(process.argv[1]); console.log(spawn('sleep', ['60']).pid); ${SLEEPS}`;
    await driven(scenarioWith(), [...node(started), '{server}'], {
      ready: 'started',
      onLine: (_, text) => (text.startsWith('http') ? (server = text) : pids.push(text)),
    });
    expect(pids).toHaveLength(1);
    expect(isRunning(pids[0] ?? '')).toBe(false);
    await expect(fetch(`${server}/readyz`)).rejects.toThrow('fetch failed');
  });

  it('ends with a driver that is killed', async () => {
    const code = `
      const { startProgram } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/surfaces/drive/program.ts'))});
      const sleep = { command: ['sh', '-c', 'sleep 60 & echo $!; wait'], cwd: '/', env: process.env, onExit() {} };
      startProgram({ ...sleep, onLine: (text) => console.log(text) });`;
    const driver = spawn(process.execPath, ['--import', HOOKS, '--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(driver.stdout.setEncoding('utf8'), 'data')) as [string];
    expect(isRunning(pid.trim())).toBe(true);
    driver.kill('SIGKILL');
    await expect.poll(() => isRunning(pid.trim()), { timeout: 10_000 }).toBe(false);
  });
});

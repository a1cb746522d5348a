/** The options of `drive`: what is read, what is refused, and which programs there are. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Undrivable } from '../../../src/surfaces/drive/index.ts';
import {
  checkInCluster,
  driveCommand,
  type DriveFlags,
  readCommands,
  readDrive,
  servedScenario,
  undrivableLines,
} from '../../../src/surfaces/cli/drive/options.ts';
import { BadInput } from '../../../src/surfaces/cli/exit.ts';
import { readWebhooks } from '../../../src/surfaces/cli/serve/webhooks.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { folderWith } from './cli.ts';

const SCENARIO = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: driven }
spec: { clients: { one: { timers: 2s }, two: { timers: 500ms } }, steps: [{ at: 1s, expect: { count: { of: { kind: Pod }, is: 0 } } }] }
`);
const { clients: _, ...ALONE } = SCENARIO;
const FLAGS: DriveFlags = {
  ready: 'requests',
  readyWithin: '30s',
  idle: '20ms',
  grace: '5s',
  patience: '10s',
  webhook: [],
  compat: false,
  replicas: '1',
};
const read = (more: Partial<DriveFlags> = {}, cwd = '/') => readDrive({ ...FLAGS, ...more }, ALONE, cwd);
function saidOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
}

describe('the options', () => {
  it('have values where none are given', () => {
    expect(read()).toEqual({
      pace: { idleMs: 20, timersMs: 0 },
      ready: 'requests',
      readyWithinMs: 30_000,
      graceMs: 5_000,
      patienceMs: 10_000,
      webhooks: undefined,
      compat: false,
      replicas: 1,
    });
  });

  it('are read', () => {
    const given = {
      idle: '0s',
      timers: '3s',
      realtime: '2.5',
      ready: 'http://127.0.0.1:1/readyz',
      readyWithin: '1s',
      grace: '2s',
      patience: '3s',
      compat: true,
      replicas: '4',
    };
    expect(read(given)).toEqual({
      pace: { idleMs: 0, timersMs: 3_000, speed: 2.5 },
      ready: { url: 'http://127.0.0.1:1/readyz' },
      readyWithinMs: 1_000,
      graceMs: 2_000,
      patienceMs: 3_000,
      webhooks: undefined,
      compat: true,
      replicas: 4,
    });
    expect([read({ ready: 'started' }).ready, read({ ready: 'https://a' }).ready]).toEqual(['started', { url: 'https://a' }]);
    expect([read({ realtime: true }).pace.speed, read({ realtime: '100000' }).pace.speed]).toEqual([1, 100_000]);
    expect(read({ webhook: ['default/a=https://127.0.0.1:9443'] }).webhooks).toBeTypeOf('function');
  });

  it('wait for the longest timer of a client, or for that of the option', () => {
    expect(readDrive(FLAGS, SCENARIO, '/').pace.timersMs).toBe(2_000);
    expect(readDrive({ ...FLAGS, timers: '1s' }, SCENARIO, '/').pace.timersMs).toBe(1_000);
  });

  it.each<[Partial<DriveFlags>, string]>([
    [{ ready: 'soon' }, '--ready: expected a URL such as http://127.0.0.1:8081/readyz, started or requests, found "soon"'],
    [{ ready: 'http://' }, '--ready: expected a URL such as http://127.0.0.1:8081/readyz, started or requests, found "http://"'],
    [{ ready: 'x http://a' }, '--ready: expected a URL such as http://127.0.0.1:8081/readyz, started or requests, found "x http://a"'],
    [{ realtime: '0' }, '--realtime: expected a number above 0 and at most 100000, found "0"'],
    [{ realtime: '100001' }, '--realtime: expected a number above 0 and at most 100000, found "100001"'],
    [{ realtime: 'fast' }, '--realtime: expected a number above 0 and at most 100000, found "fast"'],
    [{ idle: 'x' }, '--idle: expected a duration such as 20ms or 5s, found "x"'],
    [{ timers: '' }, '--timers: expected a duration such as 20ms or 5s, found ""'],
    [{ readyWithin: '0.0001s' }, '--ready-within: expected a duration of whole milliseconds, found "0.0001s"'],
    [{ grace: '-1s' }, '--grace: expected a duration such as 20ms or 5s, found "-1s"'],
    [{ patience: '1' }, '--patience: expected a duration such as 20ms or 5s, found "1"'],
    [{ replicas: '0' }, '--replicas: expected a whole number from 1 on, found "0"'],
  ])('are refused: %j', (given, said) => {
    expect(saidOf(() => read(given))).toBe(said);
  });

  it('of webhooks name a service and an address', () => {
    expect(readWebhooks([])).toBeUndefined();
    expect(saidOf(() => readWebhooks(['nothing']))).toMatch(/^--webhook: /);
  });
});

describe('the folder of a service account', () => {
  it('is that of the run, or a new one', () => {
    const cwd = folderWith({ 'in/a': '' });
    expect(read({ inCluster: true }).inCluster).toEqual({});
    expect(read({ inCluster: 'in/x/y' }, cwd).inCluster).toEqual({ folder: join(cwd, 'in/x/y') });
  });

  it('holds none of its files yet, and can be written', () => {
    const cwd = folderWith({ 'a/token': '', 'b/ca.crt': '', 'c/namespace': '', 'd/other': '', file: '' });
    const said = (folder: string): string => saidOf(() => read({ inCluster: folder }, cwd));
    const there = 'is there already, and is not overwritten: name a folder without token, ca.crt and namespace';
    expect(['a', 'b', 'c', 'd', 'file/in'].map(said)).toEqual([
      `--in-cluster: a/token ${there}`,
      `--in-cluster: b/ca.crt ${there}`,
      `--in-cluster: c/namespace ${there}`,
      '',
      `--in-cluster: ${join(cwd, 'file')} is not a folder`,
    ]);
  });

  it('is of one program', () => {
    const commands = (many: number) => Array.from({ length: many }, (__, at) => ({ name: `p${at}`, words: ['x'] }));
    const said = (folder: string | undefined, many: number): string =>
      saidOf(() => checkInCluster({ inCluster: folder === undefined ? {} : { folder } }, commands(many)));
    expect([said('/x', 1), said(undefined, 2), saidOf(() => checkInCluster({}, commands(2)))]).toEqual(['', '', '']);
    expect(said('/x', 2)).toBe(
      '--in-cluster: a folder is of one program, and there are 2: without a folder each has its own, {serviceaccount}',
    );
  });
});

describe('the programs', () => {
  const of = (words: readonly string[], replicas = 1, cwd = '/', scenario = ALONE) => readCommands(words, scenario, replicas, cwd);

  it('are named as the clients of the scenario, in order, then by their scripts', () => {
    expect(of(['node', 'a.mjs', '--and', 'node', 'b.mjs', '--and', 'node', 'c.mjs'], 2, '/', SCENARIO as never)).toEqual(
      [
        ['one', 'a.mjs'],
        ['one-1', 'a.mjs'],
        ['two', 'b.mjs'],
        ['two-1', 'b.mjs'],
        ['c', 'c.mjs'],
        ['c-1', 'c.mjs'],
      ].map(([name, script]) => ({ name, words: ['node', script] })),
    );
  });

  it('are there, and not too many', () => {
    const cwd = folderWith({ 'run.sh': '' });
    mkdirSync(join(cwd, 'folder'));
    expect(of(['./run.sh', 'x'], 1, cwd)).toEqual([{ name: 'run', words: ['./run.sh', 'x'] }]);
    expect(of(['node'], 64)).toHaveLength(64);
    const said = (words: readonly string[], replicas = 1): string => saidOf(() => of(words, replicas, cwd));
    expect(said([])).toBe('expected a command after --, such as: orchsim drive scenario.yaml -- ./my-operator --kubeconfig {kubeconfig}');
    for (const words of [
      ['--and', 'node'],
      ['node', '--and'],
      ['node', '--and', '--and', 'node'],
    ])
      expect(said(words)).toBe('--and: expected a command before and after it');
    expect(said(['node'], 65)).toBe('at most 64 programs, found 65');
    expect(said(['node', '--and', 'node'], 33)).toBe('at most 64 programs, found 66');
    expect(said(['./nothing'])).toBe('./nothing: there is no such program');
    expect(said(['./folder'])).toBe('./folder: there is no such program');
    expect(said(['no-such-program'])).toBe('no-such-program: there is no such program in PATH');
  });

  it('have names without what a name of a client cannot have', () => {
    const name = (...words: readonly string[]): string | undefined => of(words)[0]?.name;
    expect(name('node', `${'x'.repeat(70)}.mjs`)).toBe('x'.repeat(60));
    expect(name('node', '---.mjs')).toBe('node');
    expect(name('node', '--flag', 'A=b', '__My__Op__.py')).toBe('my-op');
    expect(name('env', 'A=b', '--', '___')).toBe('operator');
  });
});

describe('a scenario that is served', () => {
  it('has the names and the start that are asked for', () => {
    const loaded = { scenario: ALONE } as never;
    const plain = servedScenario(loaded, {});
    expect([plain.domain, plain.startAt]).toEqual([ALONE.domain, ALONE.startAt]);
    expect(servedScenario(loaded, { domain: 'k8s.io', start: '2025-01-02T03:04:05Z' })).toMatchObject({
      domain: 'k8s.io',
      startAt: Date.UTC(2025, 0, 2, 3, 4, 5),
    });
    expect(saidOf(() => servedScenario(loaded, { domain: 'x' }))).toMatch(/^--domain: /);
    expect(saidOf(() => servedScenario(loaded, { start: 'noon' }))).toMatch(
      /^--start: expected now or an instant such as 2024-03-01T00:00:00Z, found "noon"$/,
    );
  });
});

it('a program that cannot be driven is bad input, with its last lines', async () => {
  const said = async (error: Error): Promise<unknown> => {
    try {
      return await undrivableLines(() => {
        throw error;
      });
    } catch (given) {
      return given;
    }
  };
  expect(await said(new Undrivable('a ended', ['0.000s hello']))).toMatchObject({
    lines: ['a ended', 'its last lines:', '  0.000s hello'],
  });
  expect(await said(new Undrivable('a ended', []))).toMatchObject({ lines: ['a ended', 'it has printed nothing'] });
  const other = new Error('other');
  expect(await said(other)).toBe(other);
  expect(await undrivableLines(() => Promise.resolve(3))).toBe(3);
});

describe('the command that drives a scenario again', () => {
  it('is short where nothing was asked for', () => {
    expect(driveCommand('a.yaml', ['./op', '--all things'], FLAGS)).toBe("npx orchsim drive a.yaml -- ./op '--all things'");
  });

  it('has every option that differs from its default, each of a list', () => {
    const given = {
      ...FLAGS,
      ready: 'http://127.0.0.1:1/readyz',
      readyWithin: '1m',
      compat: true,
      realtime: true,
      inCluster: 'a folder',
      webhook: ['a/b=https://c', 'd/e=https://f'],
      domain: 'k8s.io',
      seed: '7',
      scenario: 'one',
    } as const;
    expect(driveCommand('my file.yaml', ['op'], given, ['--rules recorded'])).toBe(
      [
        "npx orchsim drive 'my file.yaml' --ready http://127.0.0.1:1/readyz --ready-within 1m --realtime",
        "--webhook a/b=https://c --webhook d/e=https://f --compat --in-cluster 'a folder' --domain k8s.io --seed 7 --scenario one",
        '--rules recorded -- op',
      ].join(' '),
    );
  });
});

/**
 * The life of an operator, in JavaScript and as a compiled Go program: its definition is installed by kubectl, it runs, a new version takes over its lease, and its definition is
 * deleted, under each fault. With its bug it is found; mended it is quiet. `ORCHSIM_LONG=1` takes all faults.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl } from '../../conformance/kubectl/stories.ts';
import { NO_DEFINITIONS } from '../../../src/lab/definitions/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { drive } from '../../../src/surfaces/drive/index.ts';

const UPGRADE = readFileSync(join(import.meta.dirname, 'upgrade.yaml'), 'utf8');
const FOLDER = join(import.meta.dirname, 'operators/greetings');

/** What fails when two versions of a program run; `fault`: set when version 1 leads. */
async function failuresOf(program: readonly string[], fault: string, ...more: readonly string[]): Promise<readonly string[]> {
  const read = readScenarios(UPGRADE.replace('    - at: 6s\n', `    - fault: ${fault}\n    - at: 6s\n`));
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error(JSON.stringify(read));
  const words = (version: string): readonly string[] => {
    const operator = [...program, ...more, '--version', version];
    return ['sh', join(FOLDER, 'install.sh'), ...operator, ...(version === 'v1' ? [] : ['--stand-by'])];
  };
  const { run } = await drive({
    scenario: read.scenarios[0],
    seed: 1,
    definitions: NO_DEFINITIONS,
    commands: ['v1', 'v2'].map((name) => ({ name, words: words(name) })),
    cwd: FOLDER,
    // A lease is taken from a holder that does not renew it for a second.
    pace: { idleMs: 20, timersMs: 1_300 },
    ready: 'requests',
    readyWithinMs: 60_000,
    graceMs: 5_000,
    patienceMs: 30_000,
  });
  return run.failures.map(({ invariant, message }) => invariant ?? message);
}

const STALE = '{ lag: v2, by: 9s, kinds: [ConfigMap] }';
const FAULTS = [
  '{ crash: v2, beforeWrite: 1, restartAfter: 1s }',
  '{ crash: v2, afterWrites: 1, restartAfter: 1s }',
  '{ failRequest: v2, verb: patch, loseResponse: true }',
  '{ failRequest: v2, verb: patch, code: 409 }',
  '{ failRequest: v2, code: 429 }',
  '{ failRequest: v2, code: 500, times: 2 }',
  '{ closeWatches: v2, code: 410 }',
  '{ closeWatches: v2 }',
  '{ relist: v2, staleBy: 2s }',
  '{ partition: v2, for: 2s }',
  '{ pause: v2, for: 2s }',
  '{ withholdBookmarks: v2 }',
  '{ slowRequests: v2, by: 100ms, for: 8s }',
];
const isLong = process.env['ORCHSIM_LONG'] !== undefined;

/** Programs run on real time, which a busy machine takes from them: what a program does must show in one of three tries. */
const REAL_TIME = { retry: 2 } as const;

const hasGo = spawnSync('go', ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'orchsim-test-'));
const compiled = join(folder, 'greetings');
beforeAll(() => {
  if (!hasGo) return;
  const built = spawnSync('go', ['build', '-o', compiled, join(import.meta.dirname, 'operators/go-greetings/main.go')], {
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(built.stderr);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasKubectl()).each([
  ['in JavaScript', [process.execPath, join(FOLDER, 'operator.mjs')], true],
  ['in Go', [compiled], hasGo],
] as const)('an operator %s from its installation to its removal', REAL_TIME, (_, program, isThere) => {
  it.skipIf(!isThere)('makes another object behind its cache, with its bug, and mended does not', { timeout: 120_000 }, async () => {
    expect((await failuresOf(program, STALE, '--generate-name'))[0]).toBe('one-greeting');
    expect(await failuresOf(program, STALE)).toEqual([]);
  });

  it.skipIf(!isThere).each(isLong ? FAULTS : [])('is mended under %s', { timeout: 300_000 }, async (fault) => {
    expect(await failuresOf(program, fault)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readScript } from '../../../src/surfaces/cli/walk/words.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

const walk = async (script: string, cwd = folderWith({ 'a.yaml': HOLDS })): Promise<string> =>
  (await cli(['walk', 'a.yaml', '--script', script], { cwd })).out;

describe('walk', () => {
  it('goes by beats, forth and back, and shows what changed since the one before', async () => {
    const out = await walk('n n b q');
    expect(out).toContain('A Job called holds');
    expect(out).toMatch(/0\.000s {2}#\d+ · beat 1 of 2\n {2}│ It begins\.\n {2}\+ Job pi\n/);
    expect(out).toMatch(
      /beat 2 of 2\n {2}│ It is done\.\n {2}│ All three\.\n {2}\+ Pod pi-\w+\n {2}\+ Pod pi-\w+\n {2}\+ Pod pi-\w+\n {2}~ Job pi: status\.succeeded = 3/,
    );
    expect(out.match(/beat 1 of 2/g)).toHaveLength(2);
  });

  it('goes by steps and to moments', async () => {
    const out = await walk('s s step -1; goto 500ms; goto end');
    expect(out).toMatch(/> s\n +0\.000s +#1 +scenario +apply Job\/pi\n/);
    expect(out).toMatch(/> step -1\n +0\.000s +#1 +scenario +apply Job\/pi\n/);
    expect(out).toMatch(/0\.\d{3}s {2}#\d+ · between beats/);
    expect(out).toMatch(/goto end\n[\s\S]*beat 2 of 2\n[\s\S]*everything held/);
  });

  it('answers why, state and diff where it stands', async () => {
    const out = await walk('g 500ms why Pod state Job/pi diff Job/pi timeline; why Job/pi; state');
    expect(out).toContain('expected a target such as Job/pi');
    expect(out).toMatch(/status:[\s\S]*active: 2/);
    expect(out).toMatch(/because {2}0 active, 0 succeeded, 0 failed: 2 more pods are wanted/);
    expect(out).toMatch(/^NAME +COMPLETIONS/m);
    expect(out).toMatch(/^ {2}\+ status\.active = 2$/m);
  });

  it('forks into a scenario file that replays, and comes back', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const out = await walk('g 500ms fork fault crash controller-manager restartAfter=30s; goto end; unfork', cwd);
    expect(out).toContain('written to holds-fork-1.yaml; npx orchsim run holds-fork-1.yaml replays it');
    expect(out).toMatch(/it ends at 3\d\.\d{3}s instead of \d\.\d{3}s, everything held/);
    expect(out).toMatch(/unfork\n\n0\.\d{3}s/);
    const text = readFileSync(join(cwd, 'holds-fork-1.yaml'), 'utf8');
    expect(text).toMatch(/fault: \{ crash: controller-manager, restartAfter: 30s \}/);
    expect(text).not.toContain('succeeded: 3');
    const replay = await cli(['run', 'holds-fork-1.yaml', '-v'], { cwd });
    expect(replay.code).toBe(0);
    expect(replay.out).toMatch(/0\.500s +#\d+ +fault +crash +controller-manager crashed/);
  });

  it('forks with any step', async () => {
    const out = await walk(
      'n; fork delete Job/pi; unfork; fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }; fork delete',
    );
    expect(out).toMatch(/fork delete Job\/pi[\s\S]*- Job pi/);
    expect(out).toMatch(/~ Job pi: spec\.suspend false → true/);
  });

  it.each([
    ['fork fault crahs x', 'did you mean "crash"?'],
    ['fork', 'fork: expected a step, such as'],
    ['satte', 'there is no word "satte"; did you mean state?'],
    ['unfork', 'this is no fork'],
    ['step x', 'step: expected a count'],
    ['b', 'this is the start'],
  ])('answers %s with help, and goes on', async (line, message) => {
    const out = await walk(`${line}; n`);
    expect(out).toContain(message);
    expect(out).toContain('beat 1 of 2');
  });

  it('reads lines when nobody scripts it, until quit', async () => {
    const { code, out } = await cli(['walk', 'a.yaml'], {
      cwd: folderWith({ 'a.yaml': HOLDS }),
      input: Readable.from(['n\n', 'q\n', 'n\n']),
    });
    expect(code).toBe(0);
    expect(out.match(/beat \d of 2/g)).toEqual(['beat 1 of 2']);
  });

  it('splits a script at semicolons, lines and known words', () => {
    expect(readScript('n n why state Job/pi q')).toEqual(['n', 'n', 'why', 'state Job/pi', 'q']);
    expect(readScript('n; fork fault crash s\nq')).toEqual(['n', 'fork fault crash s', 'q']);
  });
});

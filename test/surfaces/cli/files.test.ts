/** A problem of a file is reported in one line, with exit code 2; files of users are not overwritten. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, HOLDS, ROOT } from './cli.ts';

describe('files that cannot be read', () => {
  it('are reported with the place of the first byte that is not UTF-8', async () => {
    const cwd = folderWith({});
    writeFileSync(join(cwd, 'latin.yaml'), Buffer.from(HOLDS.replace('A Job called', 'Café: a Job called'), 'latin1'));
    expect(await cli(['run', 'latin.yaml'], { cwd })).toEqual({
      code: 2,
      out: '',
      err: 'latin.yaml:5:13: byte 0xE9 is not UTF-8: another encoding, such as Latin-1; save it as UTF-8\n',
    });
  });

  it.each([['run'], ['check-determinism'], ['state'], ['walk']])('by %s: with the error of the system', async (command) => {
    const cwd = folderWith({});
    symlinkSync('round.yaml', join(cwd, 'round.yaml'));
    const { code, err } = await cli([command, 'round.yaml'], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/^(?:\S*round\.yaml): .*symbolic links form a cycle\n$/);
    expect(err).not.toContain('report');
  });

  it('a script that is a folder', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    mkdirSync(join(cwd, 'script'));
    const { code, err } = await cli(['walk', 'holds.yaml', '--script', 'script'], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining('it is a folder')]);
  });

  it('a script, by its name here and by its whole path, with a space in it', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'my words.txt': 'next\nq\n' });
    const here = await cli(['walk', 'holds.yaml', '--script', 'my words.txt'], { cwd });
    expect(here).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/> ?next\n/) });
    expect(await cli(['walk', 'holds.yaml', '--script', join(cwd, 'my words.txt')], { cwd })).toEqual(here);
  });
});

describe('a folder', () => {
  it('with one malformed file runs the others, and names the skipped one', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS, 'b.yaml': 'kind: Scenario\n', 'c.yaml': HOLDS.replace('name: holds', 'name: other') });
    symlinkSync('nowhere.yaml', join(cwd, 'd.yaml'));
    const { code, out, err } = await cli(['run', '.'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('2 scenarios held, 0 did not');
    expect(err).toMatch(
      /^files that could not be read were skipped:\nb\.yaml:1:1: .*\n(?:b\.yaml.*\n)*d\.yaml: cannot be read: no such file or folder\n$/,
    );
    expect((await cli(['run', '.', '--seeds', '1..2'], { cwd })).code).toBe(2);
  });

  it('whose malformed file was named runs nothing', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS, 'b.yaml': 'kind: Scenario\n' });
    const { code, out } = await cli(['run', 'a.yaml', 'b.yaml'], { cwd });
    expect([code, out]).toEqual([2, '']);
  });

  it('and a file in it, or a file twice, is read once', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    symlinkSync('a.yaml', join(cwd, 'link.yaml'));
    for (const paths of [
      ['.', 'a.yaml'],
      ['a.yaml', './a.yaml'],
      ['a.yaml', 'link.yaml'],
    ]) {
      const { code, out, err } = await cli(['run', ...paths, '--json'], { cwd });
      expect(code).toBe(0);
      expect((JSON.parse(out) as { runs: unknown[] }).runs).toHaveLength(1);
      expect(err).toMatch(/^(?:note: \S+: named twice, read once\n)+$/);
    }
  });
});

describe('a trace', () => {
  const lines = Array.from({ length: 10_000 }, (_, id) => JSON.stringify({ id, at: 0, type: 'timer' })).join('\n');

  it.each([
    ['no head', lines],
    ['a head of another make', `{"trace":"elsewhere/v1"}\n${lines}`],
    ['a head of another version', `{"trace":"orchsim/v9","startAt":0}\n${lines}`],
  ])('with %s is reported in one line', async (_, text) => {
    const cwd = folderWith({ 'trace.jsonl': text });
    const { code, err } = await cli(['state', 'trace.jsonl'], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^trace\.jsonl:1:1: expected .*the head of a trace \(\{"trace":"orchsim\/v1",…\}\),? as run --trace writes it.*\n$/,
    );
  });

  it('that is run names the commands that read it', async () => {
    const cwd = folderWith({ 'trace.jsonl': `{"trace":"orchsim/v1","startAt":0}\n${lines}` });
    expect(await cli(['run', 'trace.jsonl'], { cwd })).toMatchObject({
      code: 2,
      err: 'trace.jsonl: it is a trace, not a scenario: why, diff, state and walk read it\n',
    });
  });
});

describe('what a run writes', () => {
  it.each(['--events', '--trace'])('%s does not overwrite a file that no run has written, unless forced', async (option) => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'notes.txt': 'mine\n', empty: '' });
    const { code, err, out } = await cli(['run', 'holds.yaml', option, 'notes.txt'], { cwd });
    expect([code, out, err]).toEqual([2, '', `${option}: notes.txt exists and has other contents; --force overwrites it\n`]);
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine\n');
    expect((await cli(['run', 'holds.yaml', option, 'holds.yaml'], { cwd })).code).toBe(2);
    for (const file of ['new.jsonl', 'new.jsonl', 'empty']) expect((await cli(['run', 'holds.yaml', option, file], { cwd })).code).toBe(0);
    expect((await cli(['run', 'holds.yaml', option, 'notes.txt', '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toMatch(/^\{"t/);
  });

  it('both into one file is refused', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    expect((await cli(['run', 'holds.yaml', '--events', 'x', '--trace', './x'], { cwd })).err).toBe(
      '--events: x is where --trace is written\n',
    );
  });

  it.skipIf(!existsSync('/dev/full'))('to a full disk is reported', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    for (const option of ['--events', '--trace', '--log']) {
      const { code, err } = await cli(['run', 'holds.yaml', option, '/dev/full'], { cwd });
      expect([code, err]).toEqual([2, `${option}: /dev/full cannot be written: no space is left on the device\n`]);
    }
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" kinds > /dev/full`, process.execPath, join(ROOT, 'bin/orchsim.js')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, 'the output cannot be written: no space is left on the device\n']);
  });
});

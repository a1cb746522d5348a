/** Files of users are kept, and those that orchsim has written are recognised by their beginnings. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLinesProblem, openWhole, readText, refuseOverwrite, systemMessage, writeWhole } from '../../../src/surfaces/cli/files.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

describe('a file that is written twice', () => {
  it.each([
    ['--trace', ['run', 'a.yaml', '--trace', 'out']],
    ['--events', ['run', 'a.yaml', '--events', 'out']],
    ['--audit-log', ['run', 'a.yaml', '--audit-log', 'out']],
    ['--perfetto', ['run', 'a.yaml', '--perfetto', 'out']],
    ['--shiviz', ['run', 'a.yaml', '--shiviz', 'out']],
    ['--log', ['run', 'a.yaml', '--log', 'out']],
    ['--page', ['run', 'a.yaml', '--page', 'out']],
    ['--save', ['what-if', 'a.yaml', 'scale', 'job/pi', '1', '--save', 'out']],
  ] as const)('as %s is replaced; one of a user is kept', async (option, words) => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const kept = await cli([...words], { cwd: folderWith({ 'a.yaml': HOLDS, out: 'mine' }) });
    expect(kept).toEqual({ code: 2, out: '', err: `${option}: out exists and has other contents; --force overwrites it\n` });
    for (const time of ['first', 'second']) {
      const { err } = await cli([...words], { cwd });
      expect([time, err.includes('exists and has other contents')]).toEqual([time, false]);
    }
  });

  it.each([
    ['--report', '{"report":"orchsim-search/v3"'],
    ['--save', '# Asked of the dump: what if drain a?'],
    ['--save', '# Asked of in/a.yaml: what if drain a?'],
    ['--save', '# Imported by orchsim: a.log'],
    ['--save', '# Written by orchsim rehearse: a'],
    ['--as-job', '# Written by orchsim search --as-job'],
    ['--kubeconfig', '# Written by orchsim serve; the next'],
    ['--out', '<!doctype html><!-- orchsim --><html>'],
    ['--page-on-failure', '<!doctype html><!-- orchsim --><html>'],
  ] as const)('as %s begins with %s', (option, text) => {
    const cwd = folderWith({ ours: text, mine: ` ${text}` });
    expect(() => refuseOverwrite('ours', option, cwd)).not.toThrow();
    expect(() => refuseOverwrite('mine', option, cwd)).toThrow(`${option}: mine exists and has other contents; --force overwrites it`);
  });

  it('may be empty, new, or the output; it is no folder', () => {
    const cwd = folderWith({ empty: '' });
    mkdirSync(join(cwd, 'folder'));
    for (const path of ['empty', 'new', '-', '/dev/null']) expect(() => refuseOverwrite(path, '--trace', cwd)).not.toThrow();
    expect(() => refuseOverwrite('folder', '--trace', cwd)).toThrow('--trace: folder cannot be written: it is a folder');
  });
});

describe('a text', () => {
  it('is UTF-8; the place of the first foreign byte is named', () => {
    const cwd = folderWith({ a: 'héllo' });
    expect(readText(join(cwd, 'a'), 'a')).toBe('héllo');
    for (const [bytes, place] of [
      [[0xe9], '1:1: byte 0xE9'],
      [[0x61, 0x0a, 0x62, 0xc3, 0xa9, 0xff, 0x63], '2:3: byte 0xFF'],
      [[0x61, 0x0a, 0x0a, 0x80], '3:1: byte 0x80'],
    ] as const) {
      writeFileSync(join(cwd, 'b'), Buffer.from(bytes));
      expect(() => readText(join(cwd, 'b'), 'b')).toThrow(`b:${place} is not UTF-8: another encoding, such as Latin-1; save it as UTF-8`);
    }
    expect(() => readText(join(cwd, 'c'), 'c')).toThrow('c: cannot be read: no such file or folder');
  });

  it('of JSON lines is no scenario', () => {
    const trace = '{"trace":"orchsim/v1","startAt":0}';
    const lines =
      'a:1:1: expected a scenario, or the head of a trace ({"trace":"orchsim/v1",…}) as run --trace writes it, found other JSON lines';
    expect(jsonLinesProblem(`${trace}\n`, 'a')).toBe('a: it is a trace, not a scenario: why, diff, state and walk read it');
    expect(jsonLinesProblem('{"trace":"orchsim/v2"}', 'a')).toBe(lines);
    expect(jsonLinesProblem('{"t":1}\n{"t":2}\n', 'a')).toBe(lines);
    for (const other of ['{"t":1}', '{"t":1}\n', '{\n"a": 1}', 'kind: Scenario\n', '{"t":1}\nx', '[1]\n[2]', '"a"\n"b"'])
      expect(jsonLinesProblem(other, 'a')).toBeUndefined();
    // The second line is longer than what is looked at.
    expect(jsonLinesProblem(`{"t":1}\n{"t":"${'x'.repeat(1 << 21)}"}`, 'a')).toBe(lines);
  });
});

it('a file that cannot be written is bad input, when it is opened or when it is closed', () => {
  const cwd = folderWith({ file: '' });
  expect(() => writeWhole({ option: '--out', path: 'file/a', cwd }, '')).toThrow('--out: file/a cannot be written: no such file or folder');
  expect(() => openWhole({ option: '--out', path: 'file/a', cwd })).toThrow('--out: file/a cannot be written: ');
});

it('errors of the system are said in words; others are none', () => {
  const failed = (code: string, more: object = { syscall: 'open' }): string | undefined =>
    systemMessage(Object.assign(new Error(`${code}: what it is, open 'a'`), { code, ...more }));
  expect(['EACCES', 'EISDIR', 'ENOENT', 'ENOTDIR', 'EFBIG', 'ENOSPC', 'EROFS', 'ELOOP', 'EIO'].map((code) => failed(code))).toEqual([
    'permission denied',
    'it is a folder',
    'no such file or folder',
    'no such file or folder',
    'it would be larger than the system allows',
    'no space is left on the device',
    'the file system is read-only',
    'its symbolic links form a cycle',
    'what it is',
  ]);
  expect(failed('ERR_INVALID_ARG_VALUE', {})).toBe('a path holds no NUL');
  expect([failed('EIO', {}), systemMessage(new Error('x')), systemMessage('x')]).toEqual([undefined, undefined, undefined]);
});

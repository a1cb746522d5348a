/** `run --watch`: runs again after each change, says what is wrong with a file, and ends when it is stopped. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

const WAITING = 'waiting for changes; Ctrl-C ends\n';

/** Watches paths while it acts; returns what was printed, and the exit code after the stop. */
async function watched(cwd: string, paths: readonly string[], act: (until: (text: string) => Promise<string>) => Promise<void>) {
  const stop = new AbortController();
  let said = '';
  const say = (text: string): void => void (said += text);
  const ended = cli(['run', ...paths, '--watch'], { cwd, stop: stop.signal, out: say, err: say });
  /** Waits for a round that ends with this text; returns it. */
  const until = async (text: string): Promise<string> => {
    await expect.poll(() => said, { timeout: 20_000, interval: 20 }).toContain(text);
    await expect.poll(() => said.endsWith(WAITING), { timeout: 20_000, interval: 20 }).toBe(true);
    const round = said;
    said = '';
    return round;
  };
  try {
    await act(until);
  } finally {
    stop.abort();
  }
  return { code: (await ended).code, rest: said };
}

it('runs now and after each change, until it is stopped', async () => {
  const cwd = folderWith({ 'a.yaml': HOLDS });
  const write = (text: string): void => writeFileSync(join(cwd, 'a.yaml'), text);
  const { code, rest } = await watched(cwd, ['a.yaml'], async (until) => {
    expect(await until('✓ holds')).toMatch(/^✓ holds .*\n.*\nwaiting for changes; Ctrl-C ends\n$/);
    write(HOLDS.replace('title:', 'titel:'));
    expect(await until('did you mean')).toMatch(
      /^a\.yaml:5:3: spec\.titel: expected one of title, .*; did you mean "title"\?\nwaiting for changes; Ctrl-C ends\n$/,
    );
    write(BREAKS);
    expect(await until('✗ breaks')).toMatch(/^✗ breaks /);
  });
  expect({ code, rest }).toEqual({ code: 0, rest: '' });
});

it('runs what can be read of a folder, and again when a file comes', async () => {
  const cwd = folderWith({ 'in/a.yaml': HOLDS, 'in/bad.yaml': 'kind: Scenario\n' });
  mkdirSync(join(cwd, 'empty'));
  await watched(cwd, ['in'], async (until) => {
    const first = await until('✓ holds');
    expect(first).toMatch(/^in\/bad\.yaml:1:1: /);
    writeFileSync(join(cwd, 'in/bad.yaml'), BREAKS);
    expect(await until('✗ breaks')).toContain('✓ holds');
    writeFileSync(join(cwd, 'in/new.yaml'), HOLDS.replace('name: holds', 'name: newer'));
    expect(await until('newer')).toContain('✗ breaks');
  });
});

it('is not for standard input', async () => {
  expect(await cli(['run', '-', '--watch'])).toEqual({ code: 2, out: '', err: '--watch: standard input is read once: name a file\n' });
});

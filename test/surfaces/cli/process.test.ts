/** The built program as a process: behaviour that only a real process has. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BREAKS, cli, folderWith, HOLDS, isBuilt, program } from './cli.ts';

// Colour settings in the caller's environment must not decide a test: CI machines set `CI`, developers `FORCE_COLOR`.
const { NO_COLOR: _no, FORCE_COLOR: _force, ...environment } = process.env;
const orchsim = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = { CI: 'true' }) =>
  spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', env: { ...environment, ...env } });

describe.skipIf(!isBuilt)('the program', () => {
  it('prints the same as the function, with the same exit code', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    for (const args of [['run', '.'], ['run', 'holds.yaml', '-v'], ['rnu']]) {
      const { status, stdout, stderr } = orchsim(args, cwd);
      expect({ code: status, out: stdout, err: stderr }).toEqual(await cli(args, { cwd }));
    }
  });

  it('shows neither colours nor progress when piped', () => {
    const { stdout, stderr } = orchsim(['run', '.', '--seeds', '1..5'], folderWith({ 'holds.yaml': HOLDS }));
    expect(stdout + stderr).not.toContain('\u001B');
    expect(stderr).toBe('');
  });

  it('colours with FORCE_COLOR, and never with NO_COLOR', () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    expect(orchsim(['run', '.'], cwd, { FORCE_COLOR: '1' }).stdout).toContain('\u001B');
    expect(orchsim(['run', '.'], cwd, { FORCE_COLOR: '1', NO_COLOR: '1' }).stdout).not.toContain('\u001B');
  });

  it('runs again when a file changes', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS });
    const child = spawn(process.execPath, [program, 'run', 'a.yaml', '--watch'], { cwd, env: environment });
    let said = '';
    const until = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (said.includes(text)) {
            child.stdout.off('data', look);
            child.stderr.off('data', look);
            resolve();
          }
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        look();
      });
    const listen = (data: Buffer): void => {
      said += data.toString();
    };
    child.stdout.prependListener('data', listen);
    child.stderr.prependListener('data', listen);
    try {
      await until('waiting for changes');
      expect(said).toContain('✓ holds');
      said = '';
      writeFileSync(join(cwd, 'a.yaml'), HOLDS.replace('title:', 'titel:'));
      await until('did you mean "title"?');
      await until('waiting for changes');
      said = '';
      writeFileSync(join(cwd, 'a.yaml'), BREAKS);
      await until('✗ breaks');
    } finally {
      child.kill();
    }
  });
});

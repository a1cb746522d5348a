/** Ctrl-C during a run: completed results are printed, documents are complete, and the exit code is that of an interruption. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, HOLDS, isBuilt, program } from './cli.ts';

/** Far more runs than complete before the interruption. */
const MANY = 500;
/** A thread performs ten at a time, and cannot be interrupted within these. */
const SEEDS = 160;
const many = (count: number): string =>
  Array.from({ length: count }, (_, at) => HOLDS.replace('name: holds', `name: holds-${at}`)).join('---\n');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program and interrupts it when `ready` accepts its output. */
const interrupted = (args: readonly string[], cwd: string, ready: (out: string) => boolean): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { cwd });
    let [out, err] = ['', ''];
    let sent = false;
    const send = (): void => {
      if (!sent) child.kill('SIGINT');
      sent = true;
    };
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
      if (ready(out)) send();
    });
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });

describe.skipIf(!isBuilt)('an interruption', () => {
  it('of a run prints the completed scenarios', { timeout: 60_000 }, async () => {
    const { code, out, err } = await interrupted(['run', 'many.yaml'], folderWith({ 'many.yaml': many(MANY) }), (said) =>
      said.includes('✓'),
    );
    expect(code).toBe(130);
    const [, done = ''] = /^interrupted: (\d+) of 500 scenarios were run\n$/.exec(err) ?? [];
    const run = Number(done);
    expect(run).toBeGreaterThan(0);
    expect(run).toBeLessThan(MANY);
    expect(out.match(/^✓/gm)).toHaveLength(run);
    expect(out).toContain(`${done} scenario${run === 1 ? '' : 's'} held, 0 did not`);
  });

  it.each(['1', '2'])('of a sweep on %s threads leaves complete documents', { timeout: 120_000 }, async (jobs) => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    /** Interrupted when its progress shows runs. */
    const halfway = async (format: string): Promise<string> => {
      const controller = new AbortController();
      let [out, err] = ['', ''];
      const { code } = await cli(['run', 'holds.yaml', '--seeds', `1..${SEEDS}`, '--jobs', jobs, '--format', format], {
        cwd,
        interruption: () => controller.signal,
        errorColumns: 100,
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
          controller.abort();
        },
      });
      expect(code).toBe(130);
      expect(err).toMatch(/interrupted: \d+ of 160 runs were made\n$/);
      return out;
    };
    const document = JSON.parse(await halfway('json')) as {
      readonly interrupted: { readonly run: number };
      readonly sweeps: readonly { readonly seeds: number; readonly unrun: readonly number[] }[];
    };
    expect(document).toMatchObject({ exitCode: 130, interrupted: { of: SEEDS } });
    expect(document.interrupted.run).toBeGreaterThan(0);
    expect(document.sweeps[0]?.seeds).toBe(document.interrupted.run);
    expect(document.sweeps[0]?.unrun).toHaveLength(SEEDS - document.interrupted.run);
    // The threads do not depend on the format.
    if (jobs === '2') return;
    const junit = await halfway('junit');
    const [, skipped = ''] = /<testsuites name="orchsim" tests="160" failures="0" errors="0" skipped="(\d+)">/.exec(junit) ?? [];
    expect(junit.match(/<skipped /g)).toHaveLength(Number(skipped));
    expect(junit.endsWith('</testsuites>\n')).toBe(true);
  });

  it('of runs with sinks takes effect between two scenarios', async () => {
    const controller = new AbortController();
    const cwd = folderWith({ 'many.yaml': many(20) });
    let lines = 0;
    const said: string[] = [];
    const { code, err } = await cli(['run', 'many.yaml', '-v'], {
      cwd,
      interruption: () => controller.signal,
      out: (text) => {
        said.push(text);
        if (/^✓/m.test(text) && ++lines === 3) controller.abort();
      },
    });
    expect(code).toBe(130);
    expect(err).toBe('interrupted: 3 of 20 scenarios were run\n');
    expect(said.join('')).toContain('3 scenarios held, 0 did not');
  });
});

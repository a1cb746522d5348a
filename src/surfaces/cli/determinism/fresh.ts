/** A run in a separate process, which can reveal effects of memory, caches and load order. */
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isEntryLine } from '../../../lab/trace/index.ts';
import { builtProgram } from '../install.ts';
import type { LoadedScenario } from '../load.ts';

/** Returns the lines of the trace that a fresh process makes of a scenario, without the head. */
export async function freshTrace(
  { file, scenario: { name, rules }, plugins }: LoadedScenario,
  seed: number,
  cwd: string,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-'));
  const path = join(folder, 'trace.jsonl');
  try {
    await finished(
      [
        builtProgram('orchsim.js').pathname,
        'run',
        file,
        '--scenario',
        name,
        '--seed',
        String(seed),
        ...(rules === undefined ? [] : ['--rules', rules]),
        '--trace',
        path,
        '--json',
        ...plugins.sources.words,
      ],
      cwd,
    );
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(path) })) if (isEntryLine(line)) lines.push(line);
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Exit codes of runs that took place, whether or not the scenario held. */
const MADE_A_RUN: ReadonlySet<number | null> = new Set([0, 1, 3]);

const finished = (args: readonly string[], cwd: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (MADE_A_RUN.has(code)) resolve();
      else reject(new Error(`a fresh process ended with ${code ?? 'a signal'}: ${said}`));
    });
  });

/** The built program serving, as started by its users: process, port, kubeconfig. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../../dist/orchsim.js');

/** Whether the program has been built. */
export const isBuilt = existsSync(PROGRAM);

export interface Serving {
  readonly server: string;
  readonly plain?: string;
  readonly port: number;
  /** Ends the process and waits for its exit. */
  stop(): Promise<void>;
}

/**
 * Runs `orchsim serve --port 0 --json …` in a folder.
 * @throws {Error} with its output, when it does not start.
 */
export function startServing(args: readonly string[], cwd: string): Promise<Serving> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--json', ...args], { cwd });
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      resolve();
    });
  });
  let err = '';
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      reject(new Error(`serve ended with ${String(code)}: ${err}`));
    });
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve({
        ...(JSON.parse(line) as Omit<Serving, 'stop'>),
        async stop() {
          child.kill();
          await ended;
        },
      });
    });
  });
}

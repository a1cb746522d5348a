/** This process's terminal and folder as commands see them. */
import picocolors from 'picocolors';
import type { Io } from './io.ts';

/** Lines are cut nowhere when piped. */
const PIPE_COLUMNS = 120;

export function processIo(): Io {
  const { stdout, stderr } = process;
  // Whoever reads us may have seen enough (`| head`): that is no error of ours.
  stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EPIPE') process.exit(); else throw error; });
  return {
    out: (text) => { stdout.write(text); },
    err: (text) => { stderr.write(text); },
    terminal: stderr.isTTY && stdout.isTTY,
    columns: stdout.isTTY ? stdout.columns : PIPE_COLUMNS,
    palette: { good: picocolors.green, bad: picocolors.red, warn: picocolors.yellow, accent: picocolors.cyan, dim: picocolors.dim, strong: picocolors.bold },
    cwd: process.cwd(),
    input: process.stdin,
  };
}

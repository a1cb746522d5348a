/** This process's terminal and folder as commands see them. */
import { isatty } from 'node:tty';
import picocolors from 'picocolors';
import { EXIT } from './exit.ts';
import { readText, STDIN, systemSays } from './files.ts';
import type { Io } from './io.ts';

/** Lines are cut nowhere when piped. */
const PIPE_COLUMNS = 120;

/**
 * Whether what we write is coloured: on a terminal, unless `NO_COLOR` says no or `FORCE_COLOR` says always. picocolors' own guess also
 * colours for a set `CI`, and then a log file and a pipe hold escape codes.
 */
function coloured(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if ((NO_COLOR ?? '') !== '') return false;
  if ((FORCE_COLOR ?? '') !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isatty(1) && TERM !== 'dumb';
}

let interrupted: AbortController | undefined;

/** Asked for by whoever can end halfway and still say something. */
function interruption(): AbortSignal {
  if (interrupted !== undefined) return interrupted.signal;
  const controller = (interrupted = new AbortController());
  const tell = (): void => {
    // The next one ends the process as it would have without us.
    process.off('SIGINT', tell).off('SIGTERM', tell);
    controller.abort();
  };
  process.on('SIGINT', tell).on('SIGTERM', tell);
  return controller.signal;
}

export function processIo(): Io {
  const { stdout, stderr } = process;
  const colours = picocolors.createColors(coloured());
  // Whoever reads us may have seen enough (`| head`): that is no error of ours.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    const said = systemSays(error);
    if (said === undefined) throw error;
    stderr.write(`the output cannot be written: ${said}\n`);
    process.exit(EXIT.badInput);
  });
  return {
    out: (text) => {
      stdout.write(text);
    },
    err: (text) => {
      stderr.write(text);
    },
    terminal: stderr.isTTY && stdout.isTTY,
    ...(stderr.isTTY ? { errorColumns: stderr.columns } : {}),
    columns: stdout.isTTY ? stdout.columns : PIPE_COLUMNS,
    ...(stdout.isTTY ? { rows: stdout.rows } : {}),
    palette: { good: colours.green, bad: colours.red, warn: colours.yellow, accent: colours.cyan, dim: colours.dim, strong: colours.bold },
    cwd: process.cwd(),
    stdin: () => readText(0, STDIN),
    input: process.stdin,
    interruption,
  };
}

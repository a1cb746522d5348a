/** The terminal and folder of this process, as `Io` for commands. */
import { isatty } from 'node:tty';
import picocolors from 'picocolors';
import { EXIT } from './exit.ts';
import { readText, STDIN, systemMessage } from './files.ts';
import type { Io } from './io.ts';
import { printable } from '../report/index.ts';

/** The assumed width of a pipe; output to a pipe is not wrapped. */
const PIPE_COLUMNS = 120;

/** Whether output is coloured: on a terminal, or by `NO_COLOR`, `FORCE_COLOR`; not by `CI`, which would colour log files and pipes. */
function coloured(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if ((NO_COLOR ?? '') !== '') return false;
  if ((FORCE_COLOR ?? '') !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isatty(1) && TERM !== 'dumb';
}

/** Errors of stream listeners, such as a full disk, are thrown asynchronously: they end this process. */
export function endOnErrors(): void {
  process.on('uncaughtException', (error) => {
    process.stderr.write(printable(`orchsim cannot continue: ${error.stack ?? error.message}\n`));
    process.exit(EXIT.internal);
  });
}

let interrupted: AbortController | undefined;

/** For commands that can end early and still print results. */
function interruption(): AbortSignal {
  if (interrupted !== undefined) return interrupted.signal;
  const controller = (interrupted = new AbortController());
  const interrupt = (): void => {
    // The next signal ends the process at once; what it has started and its temporary files end with it.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

export function processIo(): Io {
  const { stdout, stderr } = process;
  const colours = picocolors.createColors(coloured());
  // A reader may close the pipe early (`| head`): that is not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    const said = systemMessage(error);
    if (said === undefined) throw error;
    stderr.write(`the output cannot be written: ${said}\n`);
    process.exit(EXIT.badInput);
  });
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    terminal: stderr.isTTY && stdout.isTTY,
    ...(stderr.isTTY ? { errorColumns: stderr.columns } : {}),
    columns: stdout.isTTY ? stdout.columns : PIPE_COLUMNS,
    ...(stdout.isTTY ? { rows: stdout.rows } : {}),
    palette: { good: colours.green, bad: colours.red, warn: colours.yellow, accent: colours.cyan, dim: colours.dim, strong: colours.bold },
    cwd: process.cwd(),
    stdin: () => readText(0, STDIN),
    // A stream of a file loads a part of Node that no other command needs.
    input: () => process.stdin,
    interruption,
  };
}

/** Progress for eyes: one line that overwrites itself, only on a terminal, gone when the work is done. */
import type { Io } from '../io.ts';

export interface Progress {
  show(text: string): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

const SILENT: Progress = { show: () => undefined, clear: () => undefined };
/** Milliseconds between two pictures. */
const PAUSE = 80;

export function progressOn(io: Io): Progress {
  if (!io.terminal) return SILENT;
  let shown = false;
  let last = 0;
  return {
    show(text) {
      const now = Date.now();
      if (now - last < PAUSE) return;
      last = now;
      shown = true;
      io.err(`\r\u001B[K${io.palette.dim(text.slice(0, io.columns - 1))}`);
    },
    clear() {
      if (shown) io.err('\r\u001B[K');
      shown = false;
    },
  };
}

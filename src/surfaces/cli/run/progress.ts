/** Progress on a terminal: one line that overwrites itself, and is erased when the work is done. */
import type { Scenario } from '../../../lab/scenario/index.ts';
import { formatSince, type Entry } from '../../../lab/trace/index.ts';
import { count, eraseLine } from '../../report/index.ts';
import type { Io } from '../io.ts';

export interface Progress {
  readonly seen: boolean;
  show(text: string): void;
  /** Erases the line, so that something else can be printed. */
  clear(): void;
}

const SILENT: Progress = { seen: false, show: () => undefined, clear: () => undefined };
const USUAL = 80;
/** Milliseconds between two updates. */
const PAUSE = 80;

/** Returns the progress display of a terminal; without a terminal it does nothing. */
export function progressOn(io: Io): Progress {
  const width = io.errorColumns ?? (io.terminal ? io.columns : undefined);
  if (width === undefined) return SILENT;
  // Some terminals report a width of 0.
  const columns = width > 0 ? width : USUAL;
  let shown = false;
  let last = 0;
  return {
    seen: true,
    show(text) {
      const now = Date.now();
      if (now - last < PAUSE) return;
      last = now;
      shown = true;
      io.err(`${eraseLine()}${io.palette.dim(text.slice(0, columns - 1))}`);
    },
    clear() {
      if (shown) io.err(eraseLine());
      shown = false;
    },
  };
}

/** The clock is read once in so many entries, because reading it costs more than counting. */
const EVERY = 256;

/** Returns a listener for the entries of a run that shows how far the run has come. */
export function runProgress(progress: Progress, { name, startAt }: Pick<Scenario, 'name' | 'startAt'>): (entry: Pick<Entry, 'at'>) => void {
  let entries = 0;
  return ({ at }) => {
    if (++entries % EVERY === 0) progress.show(`${name}  ${formatSince(at - startAt)}  ${count(entries, 'entry', 'entries')}`);
  };
}

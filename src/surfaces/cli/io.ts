/** What a command may touch of the outside: two texts out, a terminal or not, a folder. Tests pass their own and read what was said. */
import type { Readable } from 'node:stream';
import type { PluginOptions } from '../plugins/index.ts';
import type { Palette } from '../report/index.ts';

export interface Io {
  /** Results; what a pipe gets. What would steer a terminal is shown as an escape; `verbatim`: a document that is no text for eyes. */
  out(text: string, verbatim?: 'verbatim'): void;
  /** Problems and progress. */
  err(text: string): void;
  /** Prompts are for eyes: shown only here. */
  readonly terminal: boolean;
  /**
   * Characters in a line of the terminal that problems go to, whatever becomes of the results; absent: as `terminal` says. Progress is
   * shown there.
   */
  readonly errorColumns?: number;
  /** Characters in a line. */
  readonly columns: number;
  /** Lines of a screen; absent where there is none. */
  readonly rows?: number;
  readonly palette: Palette;
  /** Where relative paths start. */
  readonly cwd: string;
  /** Which modules of one's own are brought along; absent: none. */
  readonly plugins?: PluginOptions;
  readonly input: Readable;
  /** All of standard input, for a file named `-`; absent: it is read otherwise, or there is none. Throws what the system says. */
  stdin?(): string;
  /** Ends what runs until it is told to stop. */
  readonly stop?: AbortSignal;
  /**
   * From now on an interruption (Ctrl-C) is told by this signal and ends nothing by itself; a second one does. Absent: nobody interrupts.
   */
  interruption?(): AbortSignal;
}

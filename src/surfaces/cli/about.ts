/** What the program says about itself: the overview, and its version. A module of its own, so that they start without the simulator. */
import { commands } from './commands/index.ts';
import { overview } from './help/render.ts';
import { version } from './install.ts';
import type { Io } from './io.ts';

/** Returns the answer to the first word of a command line; any other than those for the version asks for the overview. */
export const aboutText = (word: string | undefined, io: Io): string =>
  word === '--version' || word === '-V' ? `${version()}\n` : overview(commands, io);

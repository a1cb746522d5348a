/** The contract of a command: it adds itself to the program. One file a command, one line in `commands/index.ts`. */
import type { Command as Program } from 'commander';

/** Registers a command; its action answers the exit code. */
export interface CommandModule {
  readonly name: string;
  register(program: Program, run: (action: () => number | Promise<number>) => Promise<void>): void;
}

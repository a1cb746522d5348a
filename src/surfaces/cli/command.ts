/** The contract of a command. A command is a file, and a line in `commands/index.ts`. Only the requested command is loaded. */
import type { Command } from 'commander';
import type { Io } from './io.ts';

/** A loaded command: its arguments, and its action. */
export interface CommandModule {
  /** Adds arguments, options and the action to a commander command with the right name. The action passes its exit code to `finish`. */
  define(command: Command, context: CommandContext): void;
}

export interface CommandContext {
  readonly io: Io;
  /** Wraps an action whose result is the exit code. */
  action<Args extends readonly unknown[]>(act: (...args: Args) => number | Promise<number>): (...args: Args) => Promise<void>;
}

/** A row of the table of commands. */
export interface CommandEntry {
  readonly name: string;
  /** The arguments in the table: `PATH…`. */
  readonly takes: string;
  readonly summary: string;
  /** False: the command loads no plugins, neither `--with` nor orchsim.config.ts. */
  readonly plugins?: false;
  /** Why, and which command does: the error for `--with`. */
  readonly without?: string;
  load(): Promise<CommandModule>;
}

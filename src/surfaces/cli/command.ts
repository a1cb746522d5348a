/** The contract of a command: one file a command, one line in `commands/index.ts`. Only the command that was asked for is loaded. */
import type { Command } from 'commander';
import type { Io } from './io.ts';

/** A command that has been loaded: it says which arguments it takes and what to do with them. */
export interface CommandModule {
  /** Adds arguments, options and the action to a command that has its name; the action ends by telling its exit code to `finish`. */
  define(command: Command, context: CommandContext): void;
}

export interface CommandContext {
  readonly io: Io;
  /** Wraps an action: what it answers is the exit code. */
  action<Args extends readonly unknown[]>(act: (...args: Args) => number | Promise<number>): (...args: Args) => Promise<void>;
}

/** A line of the table of commands. */
export interface CommandEntry {
  readonly name: string;
  /** Behind the name in the table: `PATH…`. */
  readonly takes: string;
  readonly summary: string;
  /** False: it takes nothing of one's own, neither --with nor orchsim.config.ts. */
  readonly plugins?: false;
  /** Why, and what does it instead: for whoever gives --with all the same. */
  readonly without?: string;
  load(): Promise<CommandModule>;
}

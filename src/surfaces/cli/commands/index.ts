/** All commands, in the order of the help text. A command is a file and a line. */
import type { CommandEntry } from '../command.ts';

export const commands: readonly CommandEntry[] = [
  { name: 'run', takes: 'PATH…', summary: 'runs scenario files or folders and tells what happened', load: async () => (await import('./run.ts')).run },
];

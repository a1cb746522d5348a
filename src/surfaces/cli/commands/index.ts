/** All commands, in the order of the help text. A command is a file and a line. */
import type { CommandEntry } from '../command.ts';

export const commands: readonly CommandEntry[] = [
  { name: 'run', takes: 'PATH…', summary: 'runs scenario files or folders and tells what happened', load: async () => (await import('./run.ts')).run },
  { name: 'why', takes: 'TARGET PATH', summary: 'which write made an object what it is, why, and what led to it', load: async () => (await import('./why.ts')).why },
  { name: 'diff', takes: 'TARGET PATH', summary: 'what changed in an object between two moments', load: async () => (await import('./diff.ts')).diff },
  { name: 'state', takes: '[TARGET] PATH', summary: 'the objects there are at a moment', load: async () => (await import('./state.ts')).state },
];

/** All commands, in the order of the help text. */
import type { CommandModule } from '../command.ts';
import { run } from './run.ts';

export const commands: readonly CommandModule[] = [run];

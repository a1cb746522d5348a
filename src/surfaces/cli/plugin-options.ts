/** The options about plugins. */
import type { Command } from 'commander';

/** Adds the options that every command with scenarios or listings has. */
export const pluginOptions = (command: Command): Command =>
  command
    .option(
      '--with <file>',
      'loads controllers, invariants, faults and kinds from a module, or a kind from the YAML of a custom resource definition; may be given several times',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option('--no-config', 'does not look for orchsim.config.ts beside the scenario and above it');

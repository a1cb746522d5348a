/** The command line: builds the program from its commands and turns results into exit codes. */
import { Command, CommanderError } from 'commander';
import { commands } from './commands/index.ts';
import { BadInput, EXIT } from './exit.ts';

const program = new Command('orchsim').description('a cluster control plane you can hold in your hand').exitOverride().showHelpAfterError('(orchsim --help lists the commands)');

const run = async (action: () => number | Promise<number>): Promise<void> => {
  try { process.exitCode = await action(); } catch (error) {
    if (error instanceof BadInput) {
      for (const line of error.lines) process.stderr.write(`${line}\n`);
      process.exitCode = EXIT.badInput;
      return;
    }
    process.stderr.write(`orchsim broke one of its own assumptions; please report this:\n${error instanceof Error ? error.stack ?? error.message : String(error)}\n`);
    process.exitCode = EXIT.internal;
  }
};

for (const command of commands) command.register(program, run);
try { await program.parseAsync(); } catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? EXIT.held : EXIT.badInput;
}

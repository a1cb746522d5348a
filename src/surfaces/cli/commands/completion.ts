/** `completion SHELL`: prints the script by which a shell completes orchsim. With the words of a line, prints the candidates. */
import { nearest } from '../../../schema/values/index.ts';
import type { CommandModule } from '../command.ts';
import { complete } from '../completion/complete.ts';
import { completionScripts, SHELLS } from '../completion/values.ts';
import { BadInput, EXIT } from '../exit.ts';

const HELP = `
Once, for every new shell:
  bash    echo 'source <(npx orchsim completion bash)' >> ~/.bashrc
  zsh     echo 'source <(npx orchsim completion zsh)' >> ~/.zshrc
  fish    echo 'npx orchsim completion fish | source' >> ~/.config/fish/config.fish
It completes the word orchsim. Without a global installation: alias orchsim='npx orchsim'`;

export const completion: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('<shell>', SHELLS.join(', '))
      .argument('[words...]', 'from the script: the words of the line so far, the last of them unfinished')
      .addHelpText('after', HELP)
      .action(
        action(async (name: string, words: readonly string[]) => {
          const shell = SHELLS.find((each) => each === name);
          if (shell === undefined) {
            const near = nearest(name, SHELLS);
            throw new BadInput(
              `completion: expected one of ${SHELLS.join(', ')}, found ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
            );
          }
          if (words.length === 0) io.out(completionScripts[shell]);
          else for (const { word, about = '' } of await complete(words, io)) io.out(`${word}\t${about.replaceAll(/\s+/g, ' ')}\n`);
          return EXIT.held;
        }),
      );
  },
};

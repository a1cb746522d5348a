/** `completion SHELL`: prints the script by which a shell completes orchsim. With the words of a line, prints the candidates. */
import { nearest } from '../../../schema/values/index.ts';
import { defineCommand } from '../command.ts';
import { complete } from '../completion/complete.ts';
import { completionScripts, SHELLS } from '../completion/values.ts';
import { BadInput, suggestion } from '../exit.ts';

const HELP = `
Once, for every new shell:
  bash    echo 'source <(npx orchsim completion bash)' >> ~/.bashrc
  zsh     echo 'source <(npx orchsim completion zsh)' >> ~/.zshrc
  fish    echo 'npx orchsim completion fish | source' >> ~/.config/fish/config.fish
It completes the word orchsim. Without a global installation: alias orchsim='npx orchsim'`;

export const command = defineCommand({
  arguments: [
    ['<shell>', SHELLS.join(', ')],
    ['[words...]', 'from the script: the words of the line so far, the last of them unfinished'],
  ],
  after: HELP,
  async act(setting, _, name, words) {
    const { io } = setting;
    const shell = SHELLS.find((each) => each === name);
    if (shell === undefined)
      throw new BadInput(
        `completion: expected one of ${SHELLS.join(', ')}, found ${JSON.stringify(name)}${suggestion(nearest(name, SHELLS))}`,
      );
    if (words.length === 0) io.out(completionScripts[shell]);
    else for (const { word, about = '' } of await complete(words, setting)) io.out(`${word}\t${about.replaceAll(/\s+/g, ' ')}\n`);
  },
});

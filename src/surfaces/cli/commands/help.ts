/** `help [TOPIC|COMMAND]`: the guide, topic by topic; of a command what it takes. */
import { nearest } from '../../../grammar/values/index.ts';
import { wrapLine } from '../../report/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { EXAMPLE_FILE } from '../help/example.ts';
import { overview } from '../help/overview.ts';
import type { Topic } from '../help/topic.ts';
import { topics } from '../help/topics/index.ts';
import type { Io } from '../io.ts';
import { ownOf } from '../load.ts';
import { commands } from './index.ts';

export const help: CommandModule = {
  define(command, { io, action }) {
    command.argument('[topic...]', 'a topic of the guide, or a command').action(
      action((words: readonly string[]) => {
        const asked = words.join('-').toLowerCase();
        if (asked === '') io.out(overview(io));
        else io.out(topicText(readTopic(asked), io));
        return EXIT.held;
      }),
    );
  },
};

function readTopic(asked: string): Topic {
  const found = topics.find(({ name }) => name === asked || name === `${asked}s`);
  if (found !== undefined) return found;
  const near = nearest(
    asked,
    [...topics, ...commands].map(({ name }) => name),
  );
  throw new BadInput(
    `help: there is no topic ${JSON.stringify(asked)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`} (orchsim help lists them)`,
  );
}

/** A topic as a screen shows it; where a command has its name, that is told too. */
function topicText({ name, summary, text }: Topic, io: Io): string {
  const { palette, columns } = io;
  const reported = text(ownOf(io).definitions, columns).split('\n');
  const longest = Math.max(0, ...reported.map((line) => COMMAND.exec(line)?.[1]?.length ?? 0));
  const lines = reported.flatMap((line) =>
    line.startsWith('    ') ? [commandLine(line, longest, io)] : wrapLine(line, columns).map((each) => each.trimStart()),
  );
  const lintWarnings = [
    ...(name !== 'scenarios' && reported.some((line) => line.includes(EXAMPLE_FILE)) ? [`(${EXAMPLE_FILE}: orchsim help scenarios)`] : []),
    ...(commands.some((each) => each.name === name) ? [`(the command of that name: orchsim ${name} --help)`] : []),
  ].map(palette.dim);
  return [`${palette.strong(name)}: ${summary}`, '', ...lines, ...(lintWarnings.length === 0 ? [] : ['', ...lintWarnings]), ''].join('\n');
}

const COMMAND = /^( {4}npx .*?) +(# .*)$/;

/** A command to try stands out, and the remarks behind commands one below the other. */
function commandLine(line: string, longest: number, { palette }: Io): string {
  const [, command, lintWarning = ''] = COMMAND.exec(line) ?? [];
  if (command !== undefined) return `${palette.accent(command)}${' '.repeat(longest - command.length)}   ${palette.dim(lintWarning)}`;
  return line.startsWith('    npx ') ? palette.accent(line) : line;
}

/** `help [TOPIC|COMMAND]`: shows a topic of the guide, or the options of a command. */
import { nearest } from '../../../schema/values/index.ts';
import { type GuideTopic, guideTopics, parseMarkdown } from '../../guide/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import { filled } from '../help/insertions.ts';
import { overview, rendered } from '../help/render.ts';
import type { Io } from '../io.ts';
import { wrapLine } from '../../report/index.ts';
import { pluginsOf } from '../load.ts';
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

function readTopic(asked: string): GuideTopic {
  const found = guideTopics.find(({ name }) => name === asked || name === `${asked}s`);
  if (found !== undefined) return found;
  const near = nearest(
    asked,
    [...guideTopics, ...commands].map(({ name }) => name),
  );
  throw new BadInput(
    `help: there is no topic ${JSON.stringify(asked)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`} (orchsim help lists them)`,
  );
}

/** A topic as text. If a command has the same name, a note refers to it. */
function topicText({ name, summary, text }: GuideTopic, io: Io): string {
  const { palette } = io;
  const notes = [
    ...(name !== 'scenarios' && text.includes(EXAMPLE_FILE) ? [`(${EXAMPLE_FILE}: orchsim help scenarios)`] : []),
    ...(commands.some((each) => each.name === name) ? [`(the command of that name: orchsim ${name} --help)`] : []),
  ].map(palette.dim);
  const lines = rendered(parseMarkdown(filled(text, pluginsOf(io).definitions)), io);
  return [
    ...wrapLine(`${palette.strong(name)}: ${summary}`, io.columns),
    '',
    ...lines,
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
  ].join('\n');
}

/** The scenario of `help scenarios`, which the commands of other topics use. */
const EXAMPLE_FILE = 'retry.yaml';

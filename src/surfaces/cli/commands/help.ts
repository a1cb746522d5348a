/** `help [TOPIC|COMMAND]`: shows a topic of the guide, or the options of a command. */
import { didYouMean } from '../../../schema/values/index.ts';
import { type GuideTopic, guideTopics, parseMarkdown } from '../../guide/index.ts';
import { defineCommand, type CommandEntry } from '../command.ts';
import { BadInput } from '../exit.ts';
import { filled } from '../help/insertions.ts';
import { overview, rendered } from '../help/render.ts';
import type { Io } from '../io.ts';
import { wrapLine } from '../../report/index.ts';
import { pluginsOf } from '../load.ts';

export const command = defineCommand({
  arguments: [['[topic...]', 'a topic of the guide, or a command']],
  act({ io, commands }, _, words) {
    const asked = words.join('-').toLowerCase();
    io.out(asked === '' ? overview(commands, io) : topicText(readTopic(asked, commands), commands, io));
  },
});

function readTopic(asked: string, commands: readonly CommandEntry[]): GuideTopic {
  const found = guideTopics.find(({ name }) => name === asked || name === `${asked}s`);
  if (found !== undefined) return found;
  const near = didYouMean(
    asked,
    [...guideTopics, ...commands].map(({ name }) => name),
  );
  throw new BadInput(`help: there is no topic ${JSON.stringify(asked)}${near} (orchsim help lists them)`);
}

/** A topic as text. If a command has the same name, a note refers to it. */
function topicText({ name, summary, text }: GuideTopic, commands: readonly CommandEntry[], io: Io): string {
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

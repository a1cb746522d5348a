/** Completes a command line, from the registry of commands: names, options, arguments, and their values. */
import { type Argument, Command, type Option } from 'commander';
import { describe, type Setting } from '../command.ts';
import { type Candidate, keysOf, plain, VALUES } from './values.ts';

/** Returns candidates for the last of the words after the program's name; empty if the values are free text. */
export async function complete(words: readonly string[], setting: Setting): Promise<readonly Candidate[]> {
  const { commands } = setting;
  const current = words.at(-1) ?? '';
  const [name, ...before] = words.slice(0, -1);
  if (name === undefined)
    return beginning([...commands.map(({ name: word, summary: about }) => ({ word, about })), ...plain(['--help', '--version'])], current);
  const entry = commands.find((each) => each.name === name);
  return entry === undefined ? [] : inCommand(await describe(entry, new Command(entry.name), setting), before, current, setting);
}

const beginning = (all: readonly Candidate[], current: string): readonly Candidate[] =>
  all.filter(({ word }) => word.startsWith(current) && (current !== '' || !word.startsWith('-')));

function inCommand(command: Command, before: readonly string[], current: string, setting: Setting): readonly Candidate[] {
  const { open, positional, given } = readWords(command, before);
  const values = (name: string, placeholder: string, text: string): readonly Candidate[] => {
    const key = keysOf(command.name(), name, placeholder).find((each) => Object.hasOwn(VALUES, each));
    const found = key === undefined ? [] : (VALUES[key]?.({ ...setting, current: text, paths: positional.paths }) ?? []);
    return found.filter(({ word }) => word.startsWith(text));
  };
  // Bash splits `--option=value` at the equals sign.
  if (open !== undefined) return values(open.long ?? '', placeholderOf(open), current === '=' ? '' : current);
  const [, long, text] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (long !== undefined) {
    const option = command.options.find((each) => each.long === long);
    if (option === undefined || !takesValue(option)) return [];
    return values(long, placeholderOf(option), text ?? '').map((each) => ({ ...each, word: `${long}=${each.word}` }));
  }
  if (current.startsWith('-')) return beginning(optionsOf(command, given), current);
  const argument = command.registeredArguments[positional.count] ?? variadicOf(command);
  return argument === undefined ? [] : values(argument.name(), argument.name(), current);
}

const variadicOf = ({ registeredArguments }: Command): Argument | undefined => {
  const last = registeredArguments.at(-1);
  return last?.variadic === true ? last : undefined;
};

/** Options such as --json take no value. */
export const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** `file` of `--trace <file>`. */
export const placeholderOf = ({ flags }: Option): string => /[<[]([^\]>]+?)(?:\.\.\.)?[\]>]/.exec(flags)?.[1] ?? '';

/** Parses the words before the one that is being typed. `open`: an option whose value comes next. */
function readWords(command: Command, before: readonly string[]) {
  const given = new Set<string>();
  const paths: string[] = [];
  let open: Option | undefined;
  let count = 0;
  for (const word of before) {
    if (open !== undefined) {
      if (word === '=') continue;
      open = undefined;
    } else if (word.startsWith('-')) {
      const [flag = '', value] = word.split(/=(.*)/s);
      const option = command.options.find(({ long, short }) => long === flag || short === flag);
      if (option?.long !== undefined) given.add(option.long);
      if (option !== undefined && takesValue(option) && value === undefined) open = option;
    } else {
      if ((command.registeredArguments[count] ?? variadicOf(command))?.name() === 'path') paths.push(word);
      count++;
    }
  }
  return { open, positional: { count, paths }, given };
}

/** Options that collect a list or a number may be given several times. */
const optionsOf = (command: Command, given: ReadonlySet<string>): readonly Candidate[] => [
  ...command.options.flatMap(({ long, description, parseArg }) =>
    long === undefined || (given.has(long) && parseArg === undefined) ? [] : [{ word: long, about: description }],
  ),
  { word: '--help', about: 'what it takes' },
];

/** The words behind a command of this project's developers: options, then names and paths. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean } from '../schema/values/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/** The options and the rest, or the exit code when there is nothing to do: the usage was asked for (0), or a word was wrong (2). */
export function readArguments<const O extends Options>(args: readonly string[], options: O, usage: string): Parsed<O> | number {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const names = Object.keys(options);
    const unknown = args.map(nameOf).find((name) => name !== undefined && !names.includes(name.slice(2)));
    const near = [...names, 'help'].map((name) => `--${name}`);
    return wrongUsage(unknown === undefined ? messageOf(error) : `there is no option ${unknown}${didYouMean(unknown, near)}`, usage);
  }
}

/** The same of a command that takes options and nothing else. */
export function readOptions<const O extends Options>(args: readonly string[], options: O, usage: string): Parsed<O>['values'] | number {
  const parsed = readArguments(args, options, usage);
  if (typeof parsed === 'number') return parsed;
  const [word] = parsed.positionals;
  return word === undefined ? parsed.values : wrongUsage(`expected options only, found ${JSON.stringify(word)}`, usage);
}

/** Says what is wrong with what somebody asked for, and what one may ask for: exit code 2. */
export function wrongUsage(message: string, usage: string): 2 {
  console.error(`${message}\n${usage}`);
  return 2;
}

/** `--name` of `--name` and of `--name=value`. */
const nameOf = (word: string): string | undefined => /^--[^=]+/.exec(word)?.[0];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

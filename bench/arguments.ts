/** Arguments of this project's developer commands: options, then names and paths. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean } from '../src/schema/values/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

/** Returns the options and the other words, or the exit code: 0 after the usage was requested, 2 for a wrong word. */
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

export function readOptions<const O extends Options>(args: readonly string[], options: O, usage: string): Parsed<O>['values'] | number {
  const parsed = readArguments(args, options, usage);
  if (typeof parsed === 'number') return parsed;
  const [word] = parsed.positionals;
  return word === undefined ? parsed.values : wrongUsage(`expected options only, found ${JSON.stringify(word)}`, usage);
}

/** Prints what is wrong with a command line, and the usage. Returns exit code 2. */
export function wrongUsage(message: string, usage: string): 2 {
  console.error(`${message}\n${usage}`);
  return 2;
}

/** `--name` of `--name` and of `--name=value`. */
const nameOf = (word: string): string | undefined => /^--[^=]+/.exec(word)?.[0];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The command line as a function of its arguments: finds the command, loads it, and returns its exit code. */
import { Command, CommanderError } from 'commander';
import { didYouMean, nearest } from '../../schema/values/index.ts';
import { describe, type CommandEntry } from './command.ts';
import { commands } from './commands/index.ts';
import { BadInput, EXIT, suggestion } from './exit.ts';
import { systemMessage } from './files.ts';
import { type Io, forTerminal } from './io.ts';
import type { PluginOptions } from '../plugins/index.ts';

/** Runs one command line (without `node` and the program's name). Returns the exit code and never throws. */
export async function main(argv: readonly string[], given: Io): Promise<number> {
  const io = forTerminal(given);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof BadInput) {
      for (const line of error.lines) io.err(`${line}\n`);
      return EXIT.badInput;
    }
    const said = systemMessage(error);
    if (said !== undefined) {
      const { path } = error as { readonly path?: unknown };
      io.err(`${typeof path === 'string' ? `${path}: ` : ''}${said}\n`);
      return EXIT.badInput;
    }
    io.err(`internal error of orchsim; please report this:\n${stackOf(error)}\n`);
    return EXIT.internal;
  }
}

/** The stack of an error, and the run in which it happened. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}\n${error.cause.stack ?? error.cause.message}` : (error.stack ?? error.message);
}

/** The words that ask about the program: those of bin/kept.js, which answers them without this module. */
const ABOUT = new Set(['--help', '-h', '--version', '-V']);

async function dispatch([name = '--help', ...rest]: readonly string[], io: Io): Promise<number> {
  if (ABOUT.has(name)) {
    io.out((await import('./about.ts')).aboutText(name, io));
    return EXIT.held;
  }
  // `help NAME` with a command and no topic of this name shows the options of the command.
  if (name === 'help' && rest.length === 1 && isCommand(rest[0]) && !(await isTopic(rest[0]))) return dispatch([rest[0], '--help'], io);
  const entry = commands.find((each) => each.name === name);
  if (entry === undefined) throw new BadInput(unknown(name));
  return invoke(entry, rest, io);
}

const isCommand = (name: string | undefined): name is string => commands.some((each) => each.name === name);
const isTopic = async (name: string): Promise<boolean> =>
  (await import('../guide/index.ts')).guideTopics.some((each) => each.name === name);

function unknown(name: string): string {
  const isOption = name.startsWith('-');
  const near = didYouMean(name, isOption ? ['--help', '--version'] : commands.map((each) => each.name));
  return `unknown ${isOption ? 'option' : 'command'} ${JSON.stringify(name)}${near} (orchsim --help lists the commands)`;
}

function tooMany({ args, registeredArguments, options }: Command): string {
  const [word = ''] = args.slice(registeredArguments.length);
  const longs = options.flatMap(({ long }) => long ?? []);
  const near = nearest(`--${word}`, longs);
  const names = registeredArguments.map((each) => each.name().toUpperCase());
  const expected = names.length === 0 ? 'no argument' : `${names.join(' ')} alone`;
  return `error: expected ${expected}, found ${JSON.stringify(word)} too${suggestion(near)}\n`;
}

/** Options that were renamed in version 0.2: the error names the new option. */
const RENAMED: ReadonlyMap<string, string> = new Map([['--deeds', '--faults']]);

/** Returns the error for a renamed option; undefined for any other unknown option. `message` is commander's. */
function renamedOption(message: string): string | undefined {
  const [, option = ''] = /^error: unknown option '(--[a-z-]+)/.exec(message) ?? [];
  const now = RENAMED.get(option);
  return now === undefined ? undefined : `error: ${option} is called ${now} now\n`;
}

/** Texts of help are broken however narrow their column is. */
const LEAST_HELP = 20;

async function invoke(entry: CommandEntry, args: readonly string[], io: Io): Promise<number> {
  const { without } = entry;
  if (without !== undefined && args.some((arg) => /^--with(?:=|$)/.test(arg))) throw new BadInput(`--with: ${without}`);
  let code: number = EXIT.held;
  const command = new Command(entry.name)
    .description(entry.summary)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: io.err,
      outputError: (text, write) => write(text.startsWith('error: too many arguments') ? tooMany(command) : (renamedOption(text) ?? text)),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .configureHelp({ minWidthToWrap: LEAST_HELP, commandUsage: (of) => `orchsim ${of.name()} ${of.usage()}` })
    .showHelpAfterError(`(orchsim ${entry.name} --help shows what it takes)`);
  // The plugins are known only after parsing, so this is a getter.
  const withPlugins: Io = {
    ...io,
    get plugins() {
      return command.opts<PluginOptions>();
    },
  };
  await describe(entry, command, { io: entry.plugins === false ? io : withPlugins, commands }, (done) => {
    code = done;
  });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.held : EXIT.badInput;
  }
  return code;
}

/** The command line as a function of its arguments: finds the command, loads it, and turns what it answers into an exit code. */
import { Command, CommanderError } from 'commander';
import { nearest } from '../../grammar/values/index.ts';
import type { CommandEntry } from './command.ts';
import { commands } from './commands/index.ts';
import { BadInput, EXIT } from './exit.ts';
import { systemSays } from './files.ts';
import type { Io } from './io.ts';
import { ownOptions } from './own-options.ts';
import { renamedOption } from './retired.ts';
import { printable, sealed, wrapLine } from '../report/index.ts';
import type { OwnOptions } from '../plugins/index.ts';
import { version } from './install.ts';

/** Runs one command line (without `node` and the program's name); answers the exit code and never throws. */
export async function main(argv: readonly string[], given: Io): Promise<number> {
  const io = forTerminal(given);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof BadInput) {
      for (const line of error.lines) io.err(`${line}\n`);
      return EXIT.badInput;
    }
    const said = systemSays(error);
    if (said !== undefined) {
      const { path } = error as { readonly path?: unknown };
      io.err(`${typeof path === 'string' ? `${path}: ` : ''}${said}\n`);
      return EXIT.badInput;
    }
    io.err(`orchsim broke one of its own assumptions; please report this:\n${stackOf(error)}\n`);
    return EXIT.internal;
  }
}

/** Whatever a command prints passes here, whoever wrote it. */
const forTerminal = (io: Io): Io => ({
  ...io,
  palette: sealed(io.palette),
  out: (text, verbatim) => {
    io.out(verbatim === undefined ? printable(text) : text);
  },
  err: (text) => {
    io.err(hung(printable(text), io.errorColumns));
  },
});

/** Whole lines that are too long for a terminal go on below, hanging; what is drawn over itself has its own width. */
const hung = (text: string, columns: number | undefined): string =>
  columns === undefined || !text.endsWith('\n') ? text : text.replaceAll(/[^\n]+/g, (line) => wrapLine(line, columns).join('\n'));

/** Where it happened, and under which run. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}\n${error.cause.stack ?? error.cause.message}` : (error.stack ?? error.message);
}

async function dispatch([name, ...rest]: readonly string[], io: Io): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    // The guide is made from the registries: only who asks for it loads them.
    const { overview } = await import('./help/overview.ts');
    io.out(overview(io));
    return EXIT.held;
  }
  if (name === '--version' || name === '-V') {
    io.out(`${version()}\n`);
    return EXIT.held;
  }
  // Of a name that is no topic: what the command takes.
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
  const near = nearest(name, isOption ? ['--help', '--version'] : commands.map((each) => each.name));
  const what = isOption ? 'option' : 'command';
  return `unknown ${what} ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`} (orchsim --help lists the commands)`;
}

/** Which word was one too many, and which option it may have been. */
function tooMany({ args, registeredArguments, options }: Command): string {
  const [word = ''] = args.slice(registeredArguments.length);
  const near = nearest(
    `--${word}`,
    options.flatMap(({ long }) => long ?? []),
  );
  const expected =
    registeredArguments.length === 0 ? 'no word' : `${registeredArguments.map((each) => each.name().toUpperCase()).join(' ')} alone`;
  return `error: expected ${expected}, found ${JSON.stringify(word)} too${near === undefined ? '' : `; did you mean ${near}?`}\n`;
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
      writeOut: (text) => {
        io.out(text);
      },
      writeErr: io.err,
      outputError: (text, write) => {
        write(text.startsWith('error: too many arguments') ? tooMany(command) : (renamedOption(text) ?? text));
      },
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .configureHelp({ minWidthToWrap: LEAST_HELP, commandUsage: (of) => `orchsim ${of.name()} ${of.usage()}` })
    .showHelpAfterError(`(orchsim ${entry.name} --help shows what it takes)`);
  if (entry.own !== false) ownOptions(command);
  const module = await entry.load();
  module.define(command, {
    // What is brought along is known when the line has been read.
    io:
      entry.own === false
        ? io
        : {
            ...io,
            get own() {
              return command.opts<OwnOptions>();
            },
          },
    action:
      (act) =>
      async (...given) => {
        code = await act(...given);
      },
  });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.held : EXIT.badInput;
  }
  return code;
}

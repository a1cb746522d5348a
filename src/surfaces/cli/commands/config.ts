/**
 * `config agent|scheduler|credential-provider [FLAGS…]`: the effective configuration of a process with these flags: each value with its
 * source, its listeners and their access rules. `config --rules`: the support status of every rule about processes.
 */
import { type CredentialProviderConfig, providersFor, supportStatusOf } from '../../../controlplane/config/index.ts';
import type { Command } from 'commander';
import { RULES_MODES } from '../../../apiserver/machinery/index.ts';
import { nearest } from '../../../schema/values/index.ts';
import type { CommandModule } from '../command.ts';
import { PROCESSES, type ProcessName, readConfig, type ReadConfig } from '../config/read.ts';
import { answerLines } from '../config/request.ts';
import { configLines, problemLines, flagLines, ruleLines, rulesOf } from '../config/render.ts';
import { BadInput, EXIT } from '../exit.ts';
import { fitted, type Io } from '../io.ts';
import { readRules, readWord } from '../options.ts';

interface Options {
  readonly json?: boolean;
  readonly changed?: boolean;
  readonly image?: string;
  readonly request?: string;
  /** A mode, a process, or `true` for a bare `--rules`. */
  readonly rules?: string | true;
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

const isProcess = (word: unknown): word is ProcessName => PROCESSES.some((each) => each === word);

export const config: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('[process]', 'agent, scheduler or credential-provider')
      .argument('[flags...]', 'flags of the real process; the file that they name is read')
      .allowUnknownOption()
      // `config agent --help` shows the flags of the agent.
      .helpOption(false)
      .option('--changed', 'only values that differ from the default')
      .option('--image <image>', 'credential-provider: which providers would be called for this image')
      .option(
        '--rules [mode]',
        'agent: specification refuses files that v1.24 accepts, recorded warns; alone: the table of all rules about processes, with the support of each',
      )
      .option('--request <request>', 'agent, scheduler: the answer to path=/metrics,token=USER,cert=NAME,… with the reason')
      .option('--json', 'as JSON')
      .action(
        action((name: string | undefined, flags: readonly string[], options: Options) => {
          if (isHelp(name)) {
            io.out(command.helpInformation());
            return EXIT.held;
          }
          if (options.rules === true || isProcess(options.rules))
            return printRules(processOf(isProcess(options.rules) ? options.rules : name, command), options, io);
          if (options.rules !== undefined)
            readWord('--rules', options.rules, isProcess(name) ? RULES_MODES : [...RULES_MODES, ...PROCESSES]);
          const process = processOf(name, command);
          if (process === undefined) throw new BadInput(`config: expected one of ${PROCESSES.join(', ')}, found nothing`);
          if (flags.some(isHelp)) {
            io.out(fitted(flagLines(process, io.palette), io));
            return EXIT.held;
          }
          return printConfig(process, readConfig(process, flags, io.cwd, readRules(options.rules)), options, io);
        }),
      );
  },
};

/** Reads the process. An option in its place is one of orchsim's: options of a process follow its name. */
function processOf(name: string | undefined, command: Command): ProcessName | undefined {
  if (name === undefined || isProcess(name)) return name;
  const near = nearest(name, name.startsWith('-') ? command.options.flatMap(({ long }) => long ?? []) : PROCESSES);
  throw new BadInput(
    `config: expected one of ${PROCESSES.join(', ')}, found ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}

function printRules(process: ProcessName | undefined, { json }: Options, io: Io): number {
  const rules = rulesOf(process);
  io.out(json === true ? `${JSON.stringify(rules, null, 2)}\n` : fitted(ruleLines(rules, io.palette), io));
  return EXIT.held;
}

function printConfig(process: ProcessName, read: ReadConfig, { json, changed, image, request }: Options, io: Io): number {
  const asked =
    image === undefined || process !== 'credential-provider'
      ? undefined
      : providersFor(read.config as CredentialProviderConfig, image).map((provider) => provider.name);
  const answered = request === undefined ? [] : answerLines(process, read, request);
  if (json === true) {
    const values =
      process === 'credential-provider'
        ? read.values
        : read.values.map((value) => ({ ...value, effect: supportStatusOf(process, value.path) }));
    io.out(
      `${JSON.stringify({ ...read, values, ...(asked === undefined ? {} : { image, asked }), ...(request === undefined ? {} : { request, answer: answered.slice(1) }) }, null, 2)}\n`,
    );
  } else {
    io.out(fitted(configLines(process, read, changed === true, io.palette), io));
    if (asked !== undefined) io.out(`\n${image ?? ''} asks ${asked.length === 0 ? 'no provider' : asked.join(', then ')}\n`);
    for (const line of answered) io.out(fitted([line], io));
    for (const line of problemLines(read, io.palette)) io.err(`${line}\n`);
  }
  return read.errors.length > 0 ? EXIT.badInput : EXIT.held;
}

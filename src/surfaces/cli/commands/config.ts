/**
 * `config agent|scheduler|credential-provider [FLAGS…]`: the effective configuration of a process with these flags: each value with its
 * source, its listeners and their access rules. `config --rules`: the support status of every rule about processes.
 */
import { providersFor, supportStatusOf, accessToAgent, accessToScheduler } from '../../../controlplane/config/index.ts';
import type { CredentialProviderConfig, AccessRequest, parseAgentConfig, parseSchedulerFlags } from '../../../controlplane/config/index.ts';
import type { Command } from 'commander';
import { RULES_MODES } from '../../../apiserver/machinery/index.ts';
import { nearest, didYouMean } from '../../../schema/values/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { PROCESSES, type ProcessName, readConfig, type ReadConfig } from '../config/read.ts';
import { configLines, problemLines, flagLines, ruleLines, rulesOf } from '../config/render.ts';
import { BadInput, EXIT, suggestion } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { readRules, readWord, AS_JSON } from '../options.ts';

const options = [
  ['--changed', 'only values that differ from the default'],
  ['--image <image>', 'credential-provider: which providers would be called for this image'],
  [
    '--rules [mode]',
    'agent: specification refuses files that v1.24 accepts, recorded warns; alone: the table of all rules about processes, with the support of each',
  ],
  ['--request <request>', 'agent, scheduler: the answer to path=/metrics,token=USER,cert=NAME,… with the reason'],
  AS_JSON,
] as const;
type Options = OptionsOf<typeof options>;

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

const isProcess = (word: unknown): word is ProcessName => PROCESSES.some((each) => each === word);

export const command = defineCommand({
  arguments: [
    ['[process]', 'agent, scheduler or credential-provider'],
    ['[flags...]', 'flags of the real process; the file that they name is read'],
  ],
  options,
  // `config agent --help` shows the flags of the agent.
  foreignFlags: true,
  act({ io, command }, given, name, flags) {
    const { rules } = given;
    if (isHelp(name)) return io.out(command.helpInformation());
    if (rules === true || isProcess(rules)) return printRules(processOf(isProcess(rules) ? rules : name, command), given, io);
    if (rules !== undefined) readWord('--rules', rules, isProcess(name) ? RULES_MODES : [...RULES_MODES, ...PROCESSES]);
    const process = processOf(name, command);
    if (process === undefined) throw new BadInput(`config: expected one of ${PROCESSES.join(', ')}, found nothing`);
    if (flags.some(isHelp)) return io.out(fitted(flagLines(process, io.palette), io));
    return printConfig(process, readConfig(process, flags, io.cwd, readRules(rules)), given, io);
  },
});

/** Reads the process. An option in its place is one of orchsim's: options of a process follow its name. */
function processOf(name: string | undefined, command: Command): ProcessName | undefined {
  if (name === undefined || isProcess(name)) return name;
  const near = nearest(name, name.startsWith('-') ? command.options.flatMap(({ long }) => long ?? []) : PROCESSES);
  throw new BadInput(`config: expected one of ${PROCESSES.join(', ')}, found ${JSON.stringify(name)}${suggestion(near)}`);
}

function printRules(process: ProcessName | undefined, { json }: Options, io: Io): void {
  const rules = rulesOf(process);
  io.out(json ? jsonText(rules) : fitted(ruleLines(rules, io.palette), io));
}

function printConfig(process: ProcessName, read: ReadConfig, { json, changed, image, request }: Options, io: Io): number {
  const asked =
    image === undefined || process !== 'credential-provider'
      ? undefined
      : providersFor(read.config as CredentialProviderConfig, image).map((provider) => provider.name);
  const answered = request === undefined ? [] : answerLines(process, read, request);
  if (json) {
    const values =
      process === 'credential-provider'
        ? read.values
        : read.values.map((value) => ({ ...value, effect: supportStatusOf(process, value.path) }));
    const answers = {
      ...(asked === undefined ? {} : { image, asked }),
      ...(request === undefined ? {} : { request, answer: answered.slice(1) }),
    };
    io.out(jsonText({ ...read, values, ...answers }));
  } else {
    io.out(fitted(configLines(process, read, changed, io.palette), io));
    if (asked !== undefined) io.out(`\n${image ?? ''} asks ${asked.length === 0 ? 'no provider' : asked.join(', then ')}\n`);
    for (const line of answered) io.out(fitted([line], io));
    for (const line of problemLines(read, io.palette)) io.err(`${line}\n`);
  }
  return read.errors.length > 0 ? EXIT.badInput : EXIT.held;
}

const KEYS = ['path', 'listener', 'token', 'cert', 'proxy', 'user', 'review'] as const;
const WORDS: Readonly<Record<string, readonly string[]>> = {
  listener: ['server', 'read-only', 'health'],
  review: ['allowed', 'denied'],
};

function readRequest(text: string): AccessRequest {
  const said = new Map<string, string>();
  for (const pair of text.split(',')) {
    const [, key = pair, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (value === undefined || !KEYS.some((each) => each === key))
      throw new BadInput(
        `--request: expected ${KEYS.map((each) => `${each}=…`).join(', ')}, found ${JSON.stringify(pair)}${didYouMean(key, KEYS)}`,
      );
    const words = WORDS[key];
    if (words !== undefined && !words.includes(value))
      throw new BadInput(`--request: ${key}: expected ${words.join(', ')}, found ${JSON.stringify(value)}${didYouMean(value, words)}`);
    said.set(key, value);
  }
  const path = said.get('path') ?? '';
  if (!path.startsWith('/')) throw new BadInput('--request: expected a path, as in --request path=/metrics,token=alice');
  return { ...Object.fromEntries(said), path };
}

/** A line for the answer, and one for each step of its derivation. */
function answerLines(process: ProcessName, { config }: ReadConfig, text: string): readonly string[] {
  if (process === 'credential-provider') throw new BadInput('--request: a credential provider is asked by its agent alone');
  const request = readRequest(text);
  const { code, user, steps } =
    process === 'agent'
      ? accessToAgent(config as ReturnType<typeof parseAgentConfig>['config'], request)
      : accessToScheduler(config as ReturnType<typeof parseSchedulerFlags>['config'], request);
  const who = user === undefined ? '' : ` for ${user}`;
  return [
    '',
    `${request.path}: ${code === undefined ? 'no answer from its settings alone' : code}${who}`,
    ...steps.map((step) => `  ${step}`),
  ];
}

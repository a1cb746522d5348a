/** The options that drive and a search with programs share, and how a command line names its programs. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { expectedDuration, parseDurationMs } from '../../../schema/values/index.ts';
import { foreignKubeconfig, SERVICE_ACCOUNT, SERVICE_ACCOUNT_FILES, Undrivable } from '../../drive/index.ts';
import type { Command, DriveOptions } from '../../drive/index.ts';
import { BadInput } from '../exit.ts';
import { shellWord } from '../../report/index.ts';
import type { Option, OptionsOf } from '../command.ts';
import { readCount, readDomain } from '../options.ts';
import { readWebhooks, WEBHOOK } from '../serve/webhooks.ts';
import type { LoadedScenario } from '../load.ts';
import { readInstant } from '../commands/serve.ts';
import { servedCluster } from '../serve/start.ts';

export const DRIVE_OPTIONS = [
  ['--ready <when>', 'a URL that answers, started, or requests: it has listed and watches, or has asked for its lease', 'requests'],
  ['--ready-within <time>', 'how long a program may take to be ready', '30s'],
  ['--idle <time>', 'how long it must be quiet before virtual time passes, in real time', '20ms'],
  ['--timers <time>', "the longest of its own timers: until then virtual time is not faster than real time (default: the scenario's)"],
  ['--realtime [speed]', 'virtual time passes with the clock of the host, or so many times faster'],
  ['--grace <time>', 'the time between SIGTERM and SIGKILL', '5s'],
  ['--patience <time>', 'a program that is not idle for so long floods, and the run ends', '10s'],
  WEBHOOK,
  ['--compat', 'also answers requests of later releases that v1.24 does not know: auth whoami, lists as watches'],
  ['--replicas <n>', 'programs of each command, NAME, NAME-1 and so on', '1'],
  [
    '--in-cluster [folder]',
    `what a pod has, in place of a kubeconfig: KUBERNETES_SERVICE_HOST and _PORT, and the files token, ca.crt and namespace in the folder (default: one of the run, {serviceaccount}); clients look in ${SERVICE_ACCOUNT}`,
  ],
] as const;
/** How a scenario is served to programs. */
export const SERVED_OPTIONS = [
  ['--domain <domain>', "orch.io or k8s.io; a program of the real world needs the second (default: the scenario's)"],
  ['--start <instant>', "the start of virtual time: now, or such as 2024-03-01T00:00:00Z (default: the scenario's)"],
] as const;
export type DriveFlags = OptionsOf<typeof DRIVE_OPTIONS>;
type AgainFlags = DriveFlags &
  OptionsOf<typeof SERVED_OPTIONS> & { readonly seed?: string | undefined; readonly scenario?: string | undefined };

/** Returns the command that drives the programs again. `more`: further options, ready for a shell. */
export function driveCommand(file: string, words: readonly string[], given: AgainFlags, more: readonly string[] = []): string {
  const options: readonly Option[] = [...DRIVE_OPTIONS, ...SERVED_OPTIONS, ['--seed <n>', ''], ['--scenario <name>', '']];
  const values: Readonly<Record<string, unknown>> = { ...given };
  const flags = options.flatMap(([spelling, , otherwise]) => {
    const [flag, name] = /^--([a-z-]+)/.exec(spelling) ?? [];
    const value = values[(name ?? '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (flag === undefined || value === undefined || value === false || value === otherwise) return [];
    return value === true ? [flag] : [value].flat().flatMap((each) => [flag, shellWord(String(each))]);
  });
  return ['npx orchsim drive', shellWord(file), ...flags, ...more, '--', ...words.map(shellWord)].join(' ');
}

const AND = '--and';
const MOST_PROGRAMS = 64;

/** Programs that run a script: its name is that of the client. */
const RUNNERS = /^(?:node|bun|deno|python[\d.]*|ruby|java|sh|bash|env|npx|tsx|go)$/;

/** Splits the words after `--` into commands, and names them: as the clients of the scenario, in order, or by their programs. */
export function readCommands(words: readonly string[], { clients = [] }: Scenario, replicas: number, cwd: string): readonly Command[] {
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === AND) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  if (commands.some(({ length }) => length === 0))
    throw new BadInput(
      words.length === 0
        ? 'expected a command after --, such as: orchsim drive scenario.yaml -- ./my-operator --kubeconfig {kubeconfig}'
        : `${AND}: expected a command before and after it`,
    );
  if (commands.length * replicas > MOST_PROGRAMS)
    throw new BadInput(`at most ${MOST_PROGRAMS} programs, found ${commands.length * replicas}`);
  const taken = new Set<string>();
  return commands.flatMap((command, at) => {
    checkCommand(command, cwd);
    const name = clients[at]?.name ?? nameOf(command, taken);
    return Array.from({ length: replicas }, (_, nth): Command => {
      const own = nth === 0 ? name : `${name}-${nth}`;
      taken.add(own);
      return { name: own, words: command };
    });
  });
}

function nameOf(command: readonly string[], taken: ReadonlySet<string>): string {
  const [program = '', ...rest] = command;
  const script = RUNNERS.test(basename(program)) ? (rest.find((word) => !word.startsWith('-') && !word.includes('=')) ?? program) : program;
  const name =
    basename(script)
      .replace(/\.[a-z]{1,4}$/i, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'operator';
  let free = name;
  for (let nth = 2; taken.has(free); nth++) free = `${name}-${nth}`;
  return free;
}

function checkCommand(command: readonly string[], cwd: string): void {
  const foreign = foreignKubeconfig(command, cwd);
  if (foreign !== undefined)
    throw new BadInput(
      `${foreign}: this is a kubeconfig of another cluster, and drive hands on only the one that it writes: write {kubeconfig} in its place (KUBECONFIG names it too)`,
    );
  const [program = ''] = command;
  if (!isProgram(program, cwd)) throw new BadInput(`${program}: there is no such program${program.includes('/') ? '' : ' in PATH'}`);
}

function isProgram(program: string, cwd: string): boolean {
  const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
  if (program.includes('/')) return isFile(resolve(cwd, program));
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => isFile(join(folder, program)));
}

/** Tells of a program that cannot be driven as bad input, with its last lines. */
export async function undrivableLines<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Undrivable)) throw error;
    const last = error.lines.length === 0 ? ['it has printed nothing'] : ['its last lines:', ...error.lines.map((line) => `  ${line}`)];
    throw new BadInput([error.message, ...last]);
  }
}

function readTime(option: string, text: string): number {
  const { value } = parseDurationMs(text);
  if (value !== undefined) return value;
  throw new BadInput(`${option}: expected ${expectedDuration(text, 'a duration such as 20ms or 5s')}, found ${JSON.stringify(text)}`);
}

/** A service account is of one program: drive knows programs by their tokens. */
export function checkInCluster({ inCluster }: Pick<DriveOptions, 'inCluster'>, commands: readonly Command[]): void {
  if (inCluster?.folder !== undefined && commands.length > 1)
    throw new BadInput(
      `--in-cluster: a folder is of one program, and there are ${commands.length}: without a folder each has its own, {serviceaccount}`,
    );
}

const MOST_SPEED = 100_000;

/** Reads what a driven run is asked for. The longest timer is that of the option, or of a client of the scenario. */
export function readDrive(
  flags: DriveFlags,
  { clients = [] }: Scenario,
  cwd: string,
): Pick<DriveOptions, 'pace' | 'ready' | 'readyWithinMs' | 'graceMs' | 'patienceMs' | 'inCluster' | 'webhooks' | 'compat'> & {
  readonly replicas: number;
} {
  const { ready, realtime } = flags;
  if (ready !== 'requests' && ready !== 'started' && !/^https?:\/\/./.test(ready))
    throw new BadInput(`--ready: expected a URL such as http://127.0.0.1:8081/readyz, started or requests, found ${JSON.stringify(ready)}`);
  const speed = realtime === undefined ? undefined : Number(realtime);
  if (speed !== undefined && !(speed > 0 && speed <= MOST_SPEED))
    throw new BadInput(`--realtime: expected a number above 0 and at most ${MOST_SPEED}, found ${JSON.stringify(realtime)}`);
  const timersMs =
    flags.timers === undefined ? Math.max(0, ...clients.map(({ timersMs: own = 0 }) => own)) : readTime('--timers', flags.timers);
  return {
    pace: { idleMs: readTime('--idle', flags.idle), timersMs, ...(speed === undefined ? {} : { speed }) },
    ready: ready === 'requests' || ready === 'started' ? ready : { url: ready },
    readyWithinMs: readTime('--ready-within', flags.readyWithin),
    graceMs: readTime('--grace', flags.grace),
    patienceMs: readTime('--patience', flags.patience),
    webhooks: readWebhooks(flags.webhook),
    compat: flags.compat,
    replicas: readCount('--replicas', flags.replicas),
    ...(flags.inCluster === undefined ? {} : { inCluster: readInCluster(flags.inCluster, cwd) }),
  };
}

function readInCluster(given: string | true, cwd: string): { readonly folder?: string } {
  if (given === true) return {};
  const folder = resolve(cwd, given);
  const there = SERVICE_ACCOUNT_FILES.find((name) => existsSync(join(folder, name)));
  if (there !== undefined)
    throw new BadInput(
      `--in-cluster: ${join(given, there)} is there already, and is not overwritten: name a folder without token, ca.crt and namespace`,
    );
  let parent = folder;
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    if (!statSync(parent).isDirectory()) throw new BadInput(`--in-cluster: ${parent} is not a folder`);
    accessSync(parent, constants.W_OK);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw new BadInput(
      `--in-cluster: ${parent} cannot be written by this user${folder === SERVICE_ACCOUNT ? ': run it as root in a container, or leave the folder away, and name {serviceaccount} to your program' : ''}`,
    );
  }
  return { folder };
}

/** The scenario with the names that the command line chooses, and what clients expect of a cluster. */
export function servedScenario(
  { scenario }: LoadedScenario,
  { domain, start }: { readonly domain?: string; readonly start?: string },
): Scenario {
  return {
    ...scenario,
    cluster: servedCluster(scenario.cluster),
    ...(domain === undefined ? {} : { domain: readDomain(domain) }),
    ...(start === undefined ? {} : { startAt: readInstant(start) }),
  };
}

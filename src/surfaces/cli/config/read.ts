/** Reads the configuration of a process like the real one: its flags, and the file that they name. */
import {
  agentConfigPath,
  parseAgentConfig,
  parseCredentialProviderConfig,
  parseSchedulerFlags,
  schedulerConfigPath,
} from '../../../controlplane/config/index.ts';
import type { Locate, Position, ConfigProblem, Deprecation, EffectiveValue, Outline } from '../../../controlplane/config/index.ts';
import { positionOf, type Located, formatProblem, readYaml } from '../../../schema/yaml/index.ts';
import type { RulesMode } from '../../../apiserver/machinery/index.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadInput } from '../exit.ts';
import { missing } from '../paths.ts';

/** Splits `eviction.hard[0].name` into steps. Keys may contain dots, so `follow` also tries joined steps. */
const stepsOf = (path: string): readonly string[] => path.split(/\.|(?=\[\d+\])/).filter((step) => step !== '');

const locateIn =
  (document: Located): Locate =>
  (path) => {
    const steps = stepsOf(path);
    let node = document;
    let place: Position = positionOf(document);
    for (let at = 0; at < steps.length;) {
      const found = follow(node, steps, at);
      if (found === undefined) break;
      ({ node, place } = found);
      at += found.taken;
    }
    return { line: place.line, col: place.col };
  };

function follow(
  node: Located,
  steps: readonly string[],
  at: number,
): { readonly node: Located; readonly place: Position; readonly taken: number } | undefined {
  const step = steps[at] ?? '';
  if (node.shape === 'list') {
    const item = node.items[Number(/^\[(\d+)\]$/.exec(step)?.[1] ?? -1)];
    return item === undefined ? undefined : { node: item, place: positionOf(item), taken: 1 };
  }
  if (node.shape !== 'map') return undefined;
  for (let taken = 1; at + taken <= steps.length; taken++) {
    const entry = node.entries.get(steps.slice(at, at + taken).join('.'));
    if (entry !== undefined) return { node: entry.value, place: node.source.at(entry.keyStart), taken };
  }
  return undefined;
}

export interface ReadConfig {
  readonly config: object;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly values: readonly EffectiveValue[];
  /** Its listeners and their access rules. */
  readonly outline?: Outline;
  readonly deprecations?: readonly Deprecation[];
  readonly warnings: readonly ConfigProblem[];
  readonly errors: readonly ConfigProblem[];
  readonly file?: string;
}

export const PROCESSES = ['agent', 'scheduler', 'credential-provider'] as const;
export type ProcessName = (typeof PROCESSES)[number];

type ReadFile =
  | { readonly plain: unknown; readonly locate?: Locate; readonly problems?: undefined }
  | { readonly problems: readonly ConfigProblem[] };

/** Reads a file with one document. `path` is the field path of its problems. */
function readDocument(file: string, path: string, cwd: string): ReadFile {
  const failed = (...messages: readonly string[]): ReadFile => ({ problems: messages.map((message) => ({ path, message })) });
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch {
    return failed(missing(file, cwd));
  }
  const { documents, problems } = readYaml(text, file);
  if (problems.length > 0) return failed(...problems.map(formatProblem));
  const [document, second] = documents;
  if (second !== undefined) return failed(`${file}: expected one document, found ${documents.length}`);
  return document === undefined ? { plain: null } : { plain: document.plain, locate: locateIn(document) };
}

/** Returns the effective configuration of a process with these arguments, and every problem of files and flags. */
export const readConfig = (process: ProcessName, args: readonly string[], cwd: string, rules?: RulesMode): ReadConfig =>
  READERS[process](args, cwd, rules);
const READERS = { agent: readAgent, scheduler: readScheduler, 'credential-provider': readProviders };

/** A file may also be given alone: `config agent agent.yaml`. */
function readAgent(args: readonly string[], cwd: string, rules: RulesMode | undefined): ReadConfig {
  const [first = '', ...rest] = args;
  const flags = /\.(?:ya?ml|json)$/.test(first) && !first.startsWith('-') ? [`--config=${first}`, ...rest] : args;
  const path = agentConfigPath(flags);
  if (path === undefined || path === '') return parseAgentConfig(undefined, { flags });
  const read = readDocument(path, '--config', cwd);
  if (read.problems !== undefined) return withProblems(parseAgentConfig(undefined, { flags }), read.problems);
  const { plain, locate } = read;
  return { ...parseAgentConfig(plain, { flags, rules, ...(locate === undefined ? {} : { locate }) }), file: path };
}

/** The schema of the scheduler's file is not specified: the file has to exist and to be well-formed. */
function readScheduler(args: readonly string[], cwd: string): ReadConfig {
  const path = schedulerConfigPath(args);
  const result = parseSchedulerFlags(args);
  if (path === undefined || path === '') return result;
  const { problems = [] } = readDocument(path, '--config', cwd);
  return withProblems(result, problems);
}

const withProblems = (result: ReadConfig, problems: readonly ConfigProblem[]): ReadConfig => ({
  ...result,
  errors: [...problems, ...result.errors],
});

const PROVIDER_FLAG = '--image-credential-provider-config';

function readProviders(args: readonly string[], cwd: string): ReadConfig {
  const paths = args
    .map((arg) => (arg.startsWith(`${PROVIDER_FLAG}=`) ? arg.slice(PROVIDER_FLAG.length + 1) : arg))
    .filter((arg) => arg !== PROVIDER_FLAG);
  const [path, second] = paths;
  if (path === undefined || second !== undefined || path.startsWith('-'))
    throw new BadInput(
      `config credential-provider: expected one file (or ${PROVIDER_FLAG} FILE), found ${paths.length === 0 ? 'nothing' : paths.join(' ')}`,
    );
  const read = readDocument(path, PROVIDER_FLAG, cwd);
  if (read.problems !== undefined) return { config: { providers: [] }, values: [], warnings: [], errors: read.problems };
  const { plain, locate } = read;
  return { ...parseCredentialProviderConfig(plain, locate === undefined ? {} : { locate }), file: path };
}

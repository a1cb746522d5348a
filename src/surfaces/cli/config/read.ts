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

/** Returns the place of the deepest step of a path that a document has. */
function placeOf(node: Located, steps: readonly string[], place: Position): Position {
  if (node.shape === 'list') {
    const item = node.items[Number(/\d+/.exec(steps[0] ?? '')?.[0])];
    return item === undefined ? place : placeOf(item, steps.slice(1), positionOf(item));
  }
  if (node.shape !== 'map') return place;
  // Keys may contain dots, so joined steps are tried too.
  for (let taken = 1; taken <= steps.length; taken++) {
    const entry = node.entries.get(steps.slice(0, taken).join('.'));
    if (entry !== undefined) return placeOf(entry.value, steps.slice(taken), node.source.at(entry.keyStart));
  }
  return place;
}

/** `eviction.hard[0].name` has four steps. */
const locateIn =
  (document: Located): Locate =>
  (path) => {
    const { line, col } = placeOf(document, path.split(/\.|(?=\[\d+\])/), positionOf(document));
    return { line, col };
  };

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
  | { readonly plain: unknown; readonly locating: { readonly locate?: Locate }; readonly problems?: undefined }
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
  return document === undefined ? { plain: null, locating: {} } : { plain: document.plain, locating: { locate: locateIn(document) } };
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
  return { ...parseAgentConfig(read.plain, { flags, rules, ...read.locating }), file: path };
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
  return { ...parseCredentialProviderConfig(read.plain, read.locating), file: path };
}

/** Reads the configuration of a process as the real one would: its flags, and the file that they name. */
import type { RulesMode } from '../../../apiserver/vocabulary/index.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  agentConfigPath,
  parseAgentConfig,
  parseCredentialProviderConfig,
  parseSchedulerFlags,
  type ConfigProblem,
  type EffectiveValue,
  type Locate,
} from '../../../controlplane/config/index.ts';
import { formatProblem } from '../../../grammar/yaml/index.ts';
import { readYaml } from '../../../grammar/yaml/index.ts';
import { BadInput } from '../exit.ts';
import { missing } from '../paths.ts';
import { locateIn } from './locate.ts';

export interface ReadConfig {
  readonly config: object;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly values: readonly EffectiveValue[];
  readonly warnings: readonly ConfigProblem[];
  readonly errors: readonly ConfigProblem[];
  /** The file that was read. */
  readonly file?: string;
}

export const PROCESSES = ['agent', 'scheduler', 'credential-provider'] as const;
export type ProcessName = (typeof PROCESSES)[number];

interface ReadFile {
  readonly plain: unknown;
  readonly locate?: Locate;
}

/** The one document of a file; throws BadInput for what is no well-formed YAML. */
function readDocument(path: string, cwd: string): ReadFile {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, path), 'utf8');
  } catch {
    throw new BadInput(missing(path, cwd));
  }
  const { documents, problems } = readYaml(text, path);
  if (problems.length > 0) throw new BadInput(problems.map(formatProblem));
  const [document, second] = documents;
  if (second !== undefined) throw new BadInput(`${path}: expected one document, found ${documents.length}`);
  return document === undefined ? { plain: null } : { plain: document.plain, locate: locateIn(document) };
}

/** The effective configuration of a process that is started with these arguments. */
export function readConfig(process: ProcessName, args: readonly string[], cwd: string, rules?: RulesMode): ReadConfig {
  switch (process) {
    case 'agent':
      return readAgent(args, cwd, rules);
    case 'scheduler':
      return parseSchedulerFlags(args);
    case 'credential-provider':
      return readProviders(args, cwd);
    default: {
      const never: never = process;
      return never;
    }
  }
}

/** A file may also stand by itself: `config agent agent.yaml`. */
function readAgent(args: readonly string[], cwd: string, rules: RulesMode | undefined): ReadConfig {
  const [first = '', ...rest] = args;
  const flags = /\.(?:ya?ml|json)$/.test(first) && !first.startsWith('-') ? [`--config=${first}`, ...rest] : args;
  const path = agentConfigPath(flags);
  if (path === undefined || path === '') return parseAgentConfig(undefined, { flags });
  const { plain, locate } = readDocument(path, cwd);
  return { ...parseAgentConfig(plain, { flags, rules, ...(locate === undefined ? {} : { locate }) }), file: path };
}

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
  const { plain, locate } = readDocument(path, cwd);
  return { ...parseCredentialProviderConfig(plain, locate === undefined ? {} : { locate }), file: path };
}

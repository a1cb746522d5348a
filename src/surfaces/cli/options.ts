/** Options that several commands share, and parsers of their values. Each throws BadInput with what was expected. */
import { type Domain, RULES_MODES, type RulesMode } from '../../apiserver/machinery/index.ts';
import { didYouMean } from '../../schema/values/index.ts';
import { BadInput } from './exit.ts';

export const RULES = [
  '--rules <mode>',
  "specification refuses what it forbids; recorded accepts it with a warning (default: the scenario's, or its domain's)",
] as const;
export const ONE_SCENARIO = ['--scenario <name>', 'the scenario of this name, where a file has several'] as const;
export const DOMAIN = ['--domain <domain>', 'the spelling of names: orch.io or k8s.io', 'orch.io'] as const;
export const SECRETS = ['--show-secrets', 'shows what Secrets hold, instead of <redacted 1> and so on'] as const;
export const AS_JSON = ['--json', 'as JSON'] as const;

export const QUESTION = [
  ['--seed <n>', 'runs the scenario with this seed instead of its own'],
  ONE_SCENARIO,
  RULES,
  SECRETS,
  AS_JSON,
] as const;
export const HISTORY_PATH = 'a scenario, which is run, or a trace that run --trace wrote';
export const SCENARIO_PATHS = "scenario files, folders, or patterns such as 'scenarios/*/0*.yaml'";

const MOST_SEEDS = 1_000_000;

/** A seed: a whole number from 0. */
export function readSeed(text: string, option = '--seed'): number {
  const seed = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(seed)) return seed;
  const most = Number.isNaN(seed) ? '' : ` to ${Number.MAX_SAFE_INTEGER}`;
  throw new BadInput(`${option}: expected a whole number from 0${most}, found ${JSON.stringify(text)}`);
}

/** Seeds `A..B`, both included. */
export function readSeeds(text: string): readonly number[] {
  const parts = /^(\d+)\.\.=?(\d+)$/.exec(text);
  if (parts === null) throw new BadInput(`--seeds: expected two whole numbers such as 1..1000, found ${JSON.stringify(text)}`);
  const first = readSeed(parts[1] ?? '', '--seeds');
  const last = readSeed(parts[2] ?? '', '--seeds');
  if (last < first) throw new BadInput(`--seeds: expected the smaller number first, found ${JSON.stringify(text)}`);
  if (last - first >= MOST_SEEDS) throw new BadInput(`--seeds: at most ${MOST_SEEDS} seeds in one sweep, found ${last - first + 1}`);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

export function readJobs(text: string): number {
  const jobs = /^\d+$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > 256) throw new BadInput(`--jobs: expected a whole number from 1 to 256, found ${JSON.stringify(text)}`);
  return jobs;
}

/** Reads the mode of rules that only the specification has; undefined: not given. */
export const readRules = (text: string | undefined): RulesMode | undefined =>
  text === undefined ? undefined : readWord('--rules', text, RULES_MODES);

export const readDomain = (text: string): Domain => readWord('--domain', text, ['orch.io', 'k8s.io']);

/** A whole number from 1. */
export function readCount(option: string, text: string): number {
  const count = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(count)) throw new BadInput(`${option}: expected a whole number from 1 on, found ${JSON.stringify(text)}`);
  return count;
}

/** One of some words. Throws BadInput with all of them, and the nearest. `option` is its name in the message. */
export function readWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const found = words.find((each) => each === text);
  if (found !== undefined) return found;
  throw new BadInput(
    `${option}: expected ${words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`}, found ${JSON.stringify(text)}${didYouMean(text, words)}`,
  );
}

/** The levels of a run's log, quietest first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

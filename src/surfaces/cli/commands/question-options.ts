/** Options of all commands that query a history. */
import type { Command } from 'commander';
import { RULES_TEXT } from '../options.ts';

export interface QuestionOptions {
  readonly seed?: string;
  readonly scenario?: string;
  readonly rules?: string;
  readonly showSecrets?: boolean;
  readonly json?: boolean;
}

export const SECRETS_TEXT = 'shows what Secrets hold, instead of <redacted 1> and so on';

export const withQuestionOptions = (command: Command): Command =>
  command
    .option('--seed <n>', 'runs the scenario with this seed instead of its own')
    .option('--scenario <name>', 'the scenario of this name, where a file has several')
    .option('--rules <mode>', RULES_TEXT)
    .option('--show-secrets', SECRETS_TEXT)
    .option('--json', 'as JSON');

export const PATH_TEXT = 'a scenario, which is run, or a trace that run --trace wrote';

/** `--request path=/metrics,token=alice`: the answer of a process to a request, and how it is derived. */
import {
  type AccessRequest,
  accessToAgent,
  accessToScheduler,
  type parseAgentConfig,
  type parseSchedulerFlags,
} from '../../../controlplane/config/index.ts';
import { didYouMean } from '../../../schema/values/index.ts';
import { BadInput } from '../exit.ts';
import type { ProcessName, ReadConfig } from './read.ts';

const KEYS = ['path', 'listener', 'token', 'cert', 'proxy', 'user', 'review'] as const;
const WORDS: Readonly<Record<string, readonly string[]>> = {
  listener: ['server', 'read-only', 'health'],
  review: ['allowed', 'denied'],
};

function readRequest(text: string): AccessRequest {
  const said = new Map<string, string>();
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=');
    const key = at < 0 ? pair : pair.slice(0, at);
    const value = pair.slice(at + 1);
    if (at < 0 || !KEYS.some((each) => each === key))
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
export function answerLines(process: ProcessName, { config }: ReadConfig, text: string): readonly string[] {
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

/** Unknown words on command lines: each is refused with the found word and the nearest right one, without any effect. */
import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { describe as describeCommand } from '../../../src/surfaces/cli/command.ts';
import { commands } from '../../../src/surfaces/cli/commands/index.ts';
import { VALUES } from '../../../src/surfaces/cli/completion/values.ts';
import { cli, folderWith, HOLDS, silentIo } from './cli.ts';

const SCENARIO = 'holds.yaml';

/** A command with its options and arguments. */
async function definedAs(name: string): Promise<Command> {
  const entry = commands.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`no command is named ${name}`);
  return describeCommand(entry, new Command(name), { io: silentIo('.'), commands });
}

/** Words for the arguments of a command, each once. */
const argumentsOf = ({ registeredArguments }: Command): string[] =>
  registeredArguments.filter(({ variadic }) => !variadic).map((argument) => ({ target: 'Job/pi', path: SCENARIO })[argument.name()] ?? 'x');

/** Runs a command line that is refused, in a folder that must stay unchanged; returns the error. */
async function refusal(...args: readonly string[]): Promise<string> {
  const cwd = folderWith({ [SCENARIO]: HOLDS });
  const { code, err } = await cli(args, { cwd });
  expect([code, readdirSync(cwd)], args.join(' ')).toEqual([2, [SCENARIO]]);
  return err;
}

const swapped = (word: string): string => `${word.slice(0, -2)}${word.at(-1) ?? ''}${word.at(-2) ?? ''}`;

describe.each(commands.map(({ name }) => name))('%s', (name) => {
  it('refuses an unknown option, and names the nearest', async () => {
    const command = await definedAs(name);
    expect(await refusal(name, '--no-such-word-at-all')).toContain('--no-such-word-at-all');
    for (const { long } of command.options) {
      if (long === undefined || long === null || long.length < 6) continue;
      const wrong = swapped(long);
      if (wrong === long) continue;
      const said = await refusal(name, wrong);
      expect(said).toContain(wrong);
      expect(said).toMatch(/did you mean (?:one of )?--/i);
      expect(said).toContain(long);
    }
  });

  it('refuses and names an extra argument', async () => {
    const command = await definedAs(name);
    // A command with any number of arguments treats it as the name of a missing file, process or topic.
    const said = await refusal(name, ...argumentsOf(command), 'no-such-word');
    expect(said).toMatch(command.registeredArguments.some(({ variadic }) => variadic) ? /no-such-word|"x"|^x:/ : /no-such-word/);
  });

  it('refuses a value that is not one of those it takes, and names the nearest', async () => {
    const command = await definedAs(name);
    for (const { long, required, optional } of command.options) {
      const values = VALUES[`${name} ${long ?? ''}`] ?? VALUES[long ?? ''];
      if (values === undefined || (!required && !optional) || ['--scenario', '--shard', '--budget', '--start'].includes(long ?? ''))
        continue;
      const words = values({ words: [], word: '', cwd: '.' } as never).map(({ word }) => word);
      const right = words.find((word) => word.length > 3) ?? words[0] ?? '';
      const needed = command.registeredArguments.filter(({ variadic, required: isNeeded }) => variadic && isNeeded && name === 'what-if');
      const given = name === 'config' ? [] : [...argumentsOf(command).slice(0, 2), ...needed.map(() => 'x')];
      const said = await refusal(name, ...(given.length === 0 && name !== 'config' ? [SCENARIO] : given), long ?? '', swapped(right));
      expect(said).toContain(`; did you mean ${JSON.stringify(right)}?`);
    }
  });
});

describe('an unknown kind', () => {
  it.each([
    ['why', 'Pdo/x', SCENARIO],
    ['why', 'not', 'Pdo/x', SCENARIO],
    ['state', 'Pdo', SCENARIO],
    ['diff', 'Pdo/x', SCENARIO],
    ['kinds', 'Pdo'],
    ['schema', 'Pdo'],
  ])('%s %s', async (...args) => {
    expect(await refusal(...args)).toContain('there is no kind "Pdo"; did you mean Pod?');
  });

  it.each([
    ['why', 'Pdo', SCENARIO],
    ['why', 'not', 'Pdo', SCENARIO],
  ])('%s %s', async (...args) => {
    expect(await refusal(...args)).toContain('found "Pdo"; did you mean Pod?');
  });

  it('is refused together with other possible meanings', async () => {
    expect(await refusal('schema', 'scenaro')).toContain('did you mean scenario?');
  });
});

it('is refused in place of an option too', async () => {
  expect(await refusal('rules', 'json')).toContain('did you mean --json?');
});

it.each([
  [['--verison'], 'unknown option "--verison"; did you mean "--version"?'],
  [['--hepl'], 'unknown option "--hepl"; did you mean "--help"?'],
  [['run', SCENARIO, '--seed', '99999999999999999999'], '--seed: expected a whole number from 0 to 9007199254740991, found'],
  [['state', SCENARIO, '--at', '99999999999d'], '--at: expected a shorter duration: this is too large, 104249991d is the most'],
  [['state', SCENARIO, '--at', '0.1ms'], '--at: expected a duration of whole milliseconds, found "0.1ms"'],
  [['search', SCENARIO, '--budget', '99999999999d'], '--budget: expected a shorter duration'],
  [['search', SCENARIO, '--out', SCENARIO], `--out: ${SCENARIO} cannot be written: ${SCENARIO} is a file`],
  [['search', SCENARIO, '--out', `${SCENARIO}/below`], `--out: ${SCENARIO}/below cannot be written: ${SCENARIO} is a file`],
  [['search', SCENARIO, '--merge', 'nowhere'], 'nowhere'],
  [['serve', '--auth', 'nowhere.yaml'], 'nowhere.yaml: it cannot be read: no such file or folder'],
] as const)('a value that cannot be is refused before anything runs: %j', async (args, message) => {
  expect(await refusal(...args)).toContain(message);
});

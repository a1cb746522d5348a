/** Selects scenarios by name, by a pattern of names, or by words of their title. */
import { didYouMean } from '../../schema/values/index.ts';
import type { OptionsOf } from './command.ts';
import { BadInput } from './exit.ts';
import { nameMatcher } from './paths.ts';

interface Choosable {
  readonly scenario: { readonly name: string; readonly title?: string };
  readonly file: string;
}

export const CHOICE = [
  ['--scenario <name>', "only the scenario of this name, or those that a pattern such as 'job-*' matches"],
  ['--grep <text>', 'only scenarios whose name, title or file matches this regular expression, ignoring case'],
] as const;

/** Returns the selected scenarios. Throws BadInput if there is none. */
export function chosenOf<One extends Choosable>(
  scenarios: readonly One[],
  { scenario, grep }: Partial<OptionsOf<typeof CHOICE>>,
): readonly One[] {
  const among = named(scenarios, scenario);
  if (grep === undefined) return among;
  const wanted = expressionOf(grep);
  const found = among.filter(({ scenario: { name, title = '' }, file }) => wanted.test(name) || wanted.test(title) || wanted.test(file));
  if (found.length > 0) return found;
  throw new BadInput(
    `--grep: nothing like ${JSON.stringify(grep)} among ${among.length} scenarios${nearTo(grep, among)} (orchsim list shows them)`,
  );
}

function expressionOf(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch (error) {
    throw new BadInput(
      `--grep: expected a regular expression, found ${JSON.stringify(text)}: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

/** Returns the scenarios with this name or pattern; all without a name. */
export function named<One extends Choosable>(scenarios: readonly One[], name: string | undefined): readonly One[] {
  if (name === undefined) return scenarios;
  const matches = nameMatcher(name);
  const found = scenarios.filter(({ scenario }) => matches(scenario.name));
  if (found.length > 0) return found;
  throw new BadInput(`no scenario is named ${JSON.stringify(name)}${nearTo(name, scenarios)}`);
}

const nearTo = (word: string, scenarios: readonly Choosable[]): string =>
  didYouMean(
    word,
    scenarios.map(({ scenario }) => scenario.name),
  );

/** `list [PATH…]`: lists the scenarios of files and folders: names, titles, number of expectations. Nothing is run. */
import { dirname, basename, resolve } from 'node:path';
import { statSync } from 'node:fs';
import type { Scenario, Step } from '../../../lab/scenario/index.ts';
import { count, table } from '../../report/index.ts';
import { chosenOf, CHOICE } from '../choose.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { loadRunnable, type LoadedScenario } from '../load.ts';
import { AS_JSON, SCENARIO_PATHS } from '../options.ts';

const USUAL = 'scenarios';

export const command = defineCommand({
  arguments: [['[path...]', `${SCENARIO_PATHS} (default: ${USUAL}, or this folder)`]],
  options: [...CHOICE, AS_JSON],
  act({ io }, options, given) {
    const { scenarios, skipped } = loadRunnable(given.length > 0 ? given : [usual(io)], io, (text) => io.err(`note: ${text}\n`));
    const chosen = chosenOf(scenarios, options);
    io.out(options.json ? jsonText(chosen.map(rowOf)) : fitted(linesOf(chosen, io), io));
    for (const line of skipped) io.err(`${line}\n`);
    return skipped.length === 0 ? EXIT.held : EXIT.badInput;
  },
});

const usual = ({ cwd }: Io): string => (statSync(resolve(cwd, USUAL), { throwIfNoEntry: false })?.isDirectory() === true ? USUAL : '.');

/** The number of checks of a step: expectations, a wait, an expected error, the assertions of its note. */
function expectationsIn(step: Step): number {
  const claimed = step.assertions?.length ?? 0;
  if (step.verb === 'expect') return claimed + step.expectations.length;
  return claimed + (step.verb === 'waitFor' || step.verb === 'expectError' || step.verb === 'refusedStart' ? 1 : 0);
}

const expectationsOf = ({ steps }: Scenario): number => steps.reduce((sum, step) => sum + expectationsIn(step), 0);

const rowOf = ({ scenario, file }: LoadedScenario) => ({
  name: scenario.name,
  file,
  ...(scenario.title === undefined ? {} : { title: scenario.title }),
  ...(scenario.teaches === undefined ? {} : { teaches: scenario.teaches }),
  seed: scenario.seed,
  steps: scenario.steps.length,
  expectations: expectationsOf(scenario),
  invariants: scenario.expressed?.length ?? 0,
});

function linesOf(chosen: readonly LoadedScenario[], { palette }: Io): readonly string[] {
  const rows = table(
    chosen.map((loaded) => {
      const { name, file, title = '', seed, expectations } = rowOf(loaded);
      return [`  ${palette.strong(name)}`, palette.dim(basename(file)), `seed ${seed}`, count(expectations, 'expectation'), title];
    }),
  );
  const lines: string[] = [];
  let folder: string | undefined;
  for (const [at, { scenario, file }] of chosen.entries()) {
    const here = dirname(file);
    if (here !== folder) lines.push(...(folder === undefined ? [] : ['']), palette.accent(here));
    folder = here;
    lines.push(rows[at] ?? '');
    if (scenario.teaches !== undefined) lines.push(`    ${palette.dim(scenario.teaches.trim().replaceAll(/\s+/g, ' '))}`);
  }
  const files = new Set(chosen.map(({ file }) => file)).size;
  return [...lines, '', `${count(chosen.length, 'scenario')} in ${count(files, 'file')}`];
}

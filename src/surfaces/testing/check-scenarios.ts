/**
 * A property over random scenarios, for any test runner: silent when it holds; when it breaks, the shrunk scenario is in a file and the
 * error says how to see it again.
 */
import { OrchsimError } from '../../engine/error.ts';
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Arbitrary } from 'fast-check';
import { explore, findingText, type ExploreOptions, type Searched } from '../../lab/explore/index.ts';
import { callback, type ChecksOf, having, integer, options as known, refuse, simulateOptions, text } from '../api/index.ts';
import { printable } from '../report/index.ts';
import { writeWholeFile } from '../whole-file.ts';
import type { Scenario } from '../../lab/scenario/index.ts';

/** How `checkScenarios` searches, and where it writes what it finds. */
export interface CheckOptions extends Partial<ExploreOptions> {
  /** Where the shrunk scenario goes; default: `found-SEED.yaml` in the current folder. A file that is there stays: then the name gets a number. */
  readonly out?: string;
}

const RUNS = 100;
const HINT =
  'what this test brings along has to come along there too: from orchsim.config.ts beside the file or above it, or with --with MODULE (its default export is defineConfig({ controllers: […] }))';

const checkOptions = known({
  out: text,
  seed: integer(Number.MIN_SAFE_INTEGER),
  runs: integer(1),
  simulate: simulateOptions,
  broken: callback,
  wrong: callback,
} satisfies ChecksOf<Required<CheckOptions>>);

/**
 * Runs random scenarios. Returns what was seen when all hold; throws ORCH_COUNTEREXAMPLE when one breaks (an expectation, an invariant, or
 * `broken`), after it has been reduced and written to a file. Throws ORCH_ARGUMENT for a wrong argument.
 */
export function checkScenarios(scenarios: Arbitrary<Scenario>, how: CheckOptions = {}): Searched {
  refuse(
    'checkScenarios',
    having(['generate', 'shrink'], 'an arbitrary of fast-check')(scenarios, 'scenarios'),
    checkOptions(how, 'options'),
  );
  const { seed = 1, runs = RUNS, out = `found-${seed}.yaml`, ...options } = how;
  const searched = explore(scenarios, { seed, runs, ...options });
  const { finding } = searched;
  if (finding === undefined) return searched;
  const path = freeFor(finding.file, resolve(out));
  writeWholeFile(path, finding.file);
  const lines = [findingText(finding, shown(path))];
  if (options.simulate?.controllers !== undefined || options.simulate?.with !== undefined) lines.push(HINT);
  throw new OrchsimError('ORCH_COUNTEREXAMPLE', printable(lines.join('\n')), finding.run);
}

/** What is there stays, for somebody may have edited it: `found-1.yaml`, `found-1-2.yaml` and so on. */
function freeFor(text: string, wanted: string): string {
  let path = wanted;
  for (let nth = 2; existsSync(path) && readFileSync(path, 'utf8') !== text; nth++) path = wanted.replace(/(\.\w+)?$/, `-${nth}$1`);
  return path;
}

/** As people say it: relative, unless that leads outside. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

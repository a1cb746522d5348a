/**
 * A property over random scenarios, for any test runner. A property that holds prints nothing. When it breaks, the shrunk scenario is
 * written to a file, and the error gives the command that replays it.
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

/** Options of `checkScenarios`: those of the search, and where a counterexample is written. */
export interface CheckOptions extends Partial<ExploreOptions> {
  /**
   * Path of the shrunk scenario; default: `found-SEED.yaml` in the current folder. An existing file is kept: the new name gets a number.
   */
  readonly out?: string;
}

const RUNS = 100;
const HINT =
  'the replay needs the definitions of this test too: from orchsim.config.ts beside the file or above it, or with --with MODULE (its default export is defineConfig({ controllers: […] }))';

const checkOptions = known({
  out: text,
  seed: integer(Number.MIN_SAFE_INTEGER),
  runs: integer(1),
  simulate: simulateOptions,
  broken: callback,
  wrong: callback,
} satisfies ChecksOf<Required<CheckOptions>>);

/**
 * Runs random scenarios. Returns the statistics of the search when all hold.
 * @throws OrchsimError ORCH_COUNTEREXAMPLE when one breaks (an expectation, an invariant, or `broken`), after it has been reduced and written
 *   to a file; ORCH_ARGUMENT for a wrong argument
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

/** Returns a free path, for a user may have edited an existing file: `found-1.yaml`, `found-1-2.yaml` and so on. */
function freeFor(text: string, wanted: string): string {
  let path = wanted;
  for (let nth = 2; existsSync(path) && readFileSync(path, 'utf8') !== text; nth++) path = wanted.replace(/(\.\w+)?$/, `-${nth}$1`);
  return path;
}

/** Returns a path for messages: relative to the current folder, unless it is outside. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

/** Findings as scenario files that reproduce without the search. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice, type Scenario } from '../../../lab/scenario/index.ts';
import type { LoadedScenario } from '../load.ts';
import { writeWhole } from '../write.ts';

const HEAD = 'Found by orchsim search';

export interface Found {
  readonly claim: string;
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  readonly words: readonly string[];
}

/** Writes the files; returns their paths as messages show them. An existing file is kept, since a user may have edited it: the next free number is used. */
export function writeFound(found: readonly Found[], loaded: LoadedScenario, seed: number, folder: string, cwd: string): readonly string[] {
  const faults = faultsWith(loaded.plugins.definitions);
  const into = resolve(cwd, folder);
  let nth = 0;
  return found.map(({ claim, scenario, choices, words }) => {
    const comment = [`${HEAD} (seed ${seed}) from ${loaded.file}. What broke:`, ...words.map((line) => `  ${line}`)].join('\n');
    const title = `${claim} breaks in ${loaded.scenario.name}`;
    let [path, text] = ['', ''];
    do {
      const name = `found-${loaded.scenario.name}-${++nth}`;
      path = join(into, `${name}.yaml`);
      text = formatScenario({ ...scenario, name, title, choices }, { faults, comment });
    } while (existsSync(path) && !says(path, text));
    writeWhole({ option: '--out', path, cwd }, text);
    const shown = relative(cwd, path);
    return shown.startsWith('..') ? path : shown;
  });
}

/** Whether the file has this text: the same search writes the same file again. */
function says(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

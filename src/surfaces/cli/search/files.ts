/** What a search found as scenario files, which run without any of it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice, type Scenario } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import { beginningOf, systemSays } from '../files.ts';
import type { LoadedScenario } from '../load.ts';

const HEAD = 'Found by orchsim search';

export interface Found {
  readonly claim: string;
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  readonly words: readonly string[];
}

/** Writes them; answers their names as messages tell them. A file that no search has written is left alone. */
export function writeFound(found: readonly Found[], loaded: LoadedScenario, seed: number, folder: string, cwd: string): readonly string[] {
  const faults = faultsWith(loaded.own.definitions);
  const into = resolve(cwd, folder);
  try {
    if (found.length > 0) mkdirSync(into, { recursive: true });
    let nth = 0;
    return found.map(({ claim, scenario, choices, words }) => {
      let path: string;
      do path = join(into, `found-${loaded.scenario.name}-${++nth}.yaml`);
      while (existsSync(path) && !beginningOf(path, 64).includes(HEAD));
      const name = `found-${loaded.scenario.name}-${nth}`;
      const title = `${claim} breaks in ${loaded.scenario.name}`;
      const comment = [`${HEAD} (seed ${seed}) from ${loaded.file}. What broke:`, ...words.map((line) => `  ${line}`)].join('\n');
      writeFileSync(path, formatScenario({ ...scenario, name, title, choices }, { faults, comment }));
      const shown = relative(cwd, path);
      return shown.startsWith('..') ? path : shown;
    });
  } catch (error) {
    const reason = systemSays(error);
    if (reason === undefined) throw error;
    throw new BadInput(`--out: ${folder} cannot be written: ${reason}`);
  }
}

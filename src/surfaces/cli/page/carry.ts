/** Scenarios in the form that a page contains: their text, and the texts that they refer to. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { withoutSecrets } from '../../../schema/yaml/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import type { CarriedScenario } from '../../page/index.ts';
import { BadInput } from '../exit.ts';
import { readText } from '../files.ts';
import { builtProgram } from '../install.ts';
import type { LoadedScenario } from '../load.ts';

/** Returns a loaded scenario for a page, under the page's name for it. `several`: its file has other scenarios too. */
export function carry(
  { scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>,
  name: string,
  cwd: string,
  several: boolean,
): CarriedScenario {
  const full = resolve(cwd, file);
  const text = readText(full, file);
  const files: Record<string, string> = {};
  readScenarios(text, {
    file,
    plain: scenario.name,
    readFile: (path, from) => {
      const found = readText(resolve(cwd, dirname(from), path), path);
      files[path] = found;
      return found;
    },
  });
  return {
    name,
    title: scenario.title ?? scenario.name,
    file,
    text,
    ...(several ? { scenario: scenario.name } : {}),
    ...(Object.keys(files).length === 0 ? {} : { files }),
  };
}

/** Replaces the values of Secrets, for a page that does not run the scenario. */
export const redactedScenario = (carried: CarriedScenario): CarriedScenario => ({
  ...carried,
  text: withoutSecrets(carried.text),
  ...(carried.files === undefined
    ? {}
    : { files: Object.fromEntries(Object.entries(carried.files).map(([path, text]) => [path, withoutSecrets(text)])) }),
});

/** Returns the built page without scenarios; `recording.html` is the one without the engine. */
export function shell(name: 'page.html' | 'recording.html' = 'page.html'): string {
  try {
    return readFileSync(builtProgram(name), 'utf8');
  } catch {
    throw new BadInput('the page is not built: npm run build makes it');
  }
}

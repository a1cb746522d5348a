/** The playground: a page with all shipped scenarios. */
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageHtml } from '../../page/index.ts';
import { BadInput } from '../exit.ts';
import { shippedScenarios } from '../install.ts';
import { loadScenarios } from '../load.ts';
import { carry, shell } from './carry.ts';

/** The file: lessons come first, what is broken on purpose last. */
export function playground(): string {
  const root = fileURLToPath(shippedScenarios());
  const loaded = loadScenarios([root, join(root, 'broken')], { cwd: root });
  const files = loaded.map(({ file }) => file);
  const scenarios = loaded.map((each) => {
    const path = relative(root, resolve(root, each.file))
      .replaceAll('\\', '/')
      .replace(/\.ya?ml$/, '');
    const several = files.indexOf(each.file) !== files.lastIndexOf(each.file);
    return carry(each, several ? `${path}#${each.scenario.name}` : path, root, several);
  });
  const rank = (name: string): number => (name.startsWith('lessons/') ? 0 : name.startsWith('broken/') ? 2 : 1);
  const sorted = scenarios.sort((a, b) => rank(a.name) - rank(b.name));
  const [first] = sorted;
  if (first === undefined) throw new BadInput('there are no shipped scenarios: the installation is not whole');
  const start = sorted.find(({ name }) => name === 'job/15-crash-between-writes') ?? first;
  return pageHtml(shell(), { scenarios: sorted, open: first.name.startsWith('lessons/') ? first.name : start.name });
}

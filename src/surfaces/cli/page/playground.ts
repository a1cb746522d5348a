/** The playground: a page with all shipped scenarios. */
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageHtml } from '../../page/index.ts';
import { BadInput } from '../exit.ts';
import { shippedScenarios } from '../install.ts';
import { loadScenarios } from '../load.ts';
import { carry, shell } from './carry.ts';

/** What stands for the cluster of the server that the page comes from. */
const LIVE = { name: 'live', title: 'This cluster, live', file: '', text: '' };

/** The file, or, `live`, the page of a server, which shows its cluster first: lessons come first, what is broken on purpose last. */
export function playground(live = false): string {
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
  if (live) return pageHtml(shell(), { scenarios: [LIVE, ...sorted], open: LIVE.name, live: LIVE.name });
  return pageHtml(shell(), { scenarios: sorted, open: first.name.startsWith('lessons/') ? first.name : start.name });
}

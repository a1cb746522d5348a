/** The playground: a page with all shipped scenarios. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CarriedScenario, pageHtml, type Shipped } from '../../page/index.ts';
import { BadInput } from '../exit.ts';
import { builtProgram, shippedScenarios } from '../install.ts';
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
  const shipped = packedAs(sorted);
  if (live) return pageHtml(shell(), { scenarios: [LIVE, ...sorted], open: LIVE.name, live: LIVE.name }, shipped);
  return pageHtml(shell(), { scenarios: sorted, open: first.name.startsWith('lessons/') ? first.name : start.name }, shipped);
}

/** What the build packed (`src/pack-scenarios.mjs`), if these are the same still: whoever changes a scenario need not build. */
function packedAs(of: readonly CarriedScenario[]): Shipped | undefined {
  try {
    const [digest, packed] = readFileSync(builtProgram('scenarios.txt'), 'utf8').split('\n');
    const same = digest === createHash('sha256').update(JSON.stringify(of)).digest('base64');
    return same && packed !== undefined ? { of, packed } : undefined;
  } catch {
    return undefined;
  }
}

/** The playground: a page with all shipped scenarios. */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { simulate } from '../../../lab/simulation/index.ts';
import { type CarriedScenario, type LessonCard, lessonCardOf, pageHtml, runDataOf } from '../../page/index.ts';
import { BadInput } from '../exit.ts';
import { builtProgram, shippedScenarios } from '../install.ts';
import { loadScenarios, type LoadedScenario } from '../load.ts';
import { carry, shell } from './carry.ts';
import { sourcesDigest } from './sources.ts';

/** The entry for the cluster of the server that serves the page. */
const LIVE: CarriedScenario = { name: 'live', title: 'This cluster, live', file: '', text: '' };

/** The scenarios of a playground, in order, and the one that is open first. */
interface Carried {
  readonly scenarios: readonly CarriedScenario[];
  readonly open: string;
}

/**
 * Returns the playground file, or with `live` the page of a server, which shows its cluster first. The scenarios that the build packed
 * (`src/build/pack-scenarios.mjs`) are used if their `digest` is that of the present files; else `load` reads the files.
 */
export function playground(live = false, load: typeof carried = carried, digest: typeof sourcesDigest = sourcesDigest): string {
  const packed = packedScenarios(digest);
  const { scenarios, open } = packed ?? load();
  return pageHtml(
    shell(),
    live ? { scenarios: [LIVE, ...scenarios], open: LIVE.name, live: LIVE.name } : { scenarios, open },
    packed === undefined ? undefined : { of: scenarios, packed: packed.text },
  );
}

/** Reads all shipped scenarios: lessons first, scenarios that are broken on purpose last. */
function carried(): Carried {
  const root = fileURLToPath(shippedScenarios());
  const loaded = loadScenarios([root, join(root, 'broken')], { cwd: root });
  const files = loaded.map(({ file }) => file);
  const scenarios = loaded.map((each) => {
    const path = relative(root, resolve(root, each.file))
      .replaceAll('\\', '/')
      .replace(/\.ya?ml$/, '');
    const several = files.indexOf(each.file) !== files.lastIndexOf(each.file);
    const one = carry(each, several ? `${path}#${each.scenario.name}` : path, root, several);
    return path.startsWith('lessons/') ? { ...one, card: cardOf(each) } : one;
  });
  const rank = (name: string): number => (name.startsWith('lessons/') ? 0 : name.startsWith('broken/') ? 2 : 1);
  const sorted = scenarios.sort((a, b) => rank(a.name) - rank(b.name));
  const [first] = sorted;
  if (first === undefined) throw new BadInput('there are no shipped scenarios: the installation is incomplete');
  const start = sorted.find(({ name }) => name === 'job/15-crash-between-writes') ?? first;
  return { scenarios: sorted, open: first.name.startsWith('lessons/') ? first.name : start.name };
}

function cardOf({ scenario }: LoadedScenario): LessonCard {
  const run = simulate(scenario, { trace: true, tries: false });
  if (run.trace === undefined) throw new Error(`${scenario.name}: the run kept no trace`);
  return lessonCardOf(runDataOf(run, run.trace, undefined));
}

/** Returns the packed scenarios of the build; undefined if files have changed since. */
function packedScenarios(digest: typeof sourcesDigest): (Carried & { readonly text: string }) | undefined {
  try {
    const [head = '', text] = readFileSync(builtProgram('scenarios.txt'), 'utf8').split('\n');
    const { sources, open } = JSON.parse(head) as { readonly sources: string; readonly open: CarriedScenario };
    if (text === undefined || sources !== digest(fileURLToPath(shippedScenarios()))) return undefined;
    return { scenarios: [open], open: open.name, text };
  } catch {
    return undefined;
  }
}

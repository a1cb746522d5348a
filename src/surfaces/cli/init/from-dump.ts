/** `init --from DUMP`: a commented file of behaviours with defaults from the dump, and a scenario that uses both. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isOf } from '../../../apiserver/kinds/index.ts';
import { formatScenario, type DumpSource, type ScenarioFrom } from '../../../lab/scenario/index.ts';
import { behaviorsIn, type Suggestion, type Suggestions } from '../../../lab/snapshot/index.ts';
import { formatFlow } from '../../../schema/yaml/index.ts';
import { count, shellWord } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { writeWhole } from '../files.ts';
import type { Io } from '../io.ts';
import { loadDump } from '../load.ts';

const BEHAVIORS = 'behaviors.yaml';
const SCENARIO = 'from-a-cluster.yaml';

/** A file for a reader holds so many entries of a list at most. */
const MOST = 100;

/** Writes both files into the folder. Throws BadInput where the dump does not read, or one of them exists. */
export function writeFromDump(dir: string, source: DumpSource, io: Io): void {
  if (source.paths.includes('-'))
    throw new BadInput('init --from: the scenario names the dump, so it must be a file: kubectl get … -o yaml > dump.yaml');
  const root = resolve(io.cwd, dir);
  const taken = [BEHAVIORS, SCENARIO].filter((name) => existsSync(join(root, name)));
  if (taken.length > 0) throw new BadInput(taken.map((name) => `${join(dir, name)}: it exists already; init needs a folder without it`));
  const { from, lintWarnings = [] } = loadDump(source, io).scenario;
  if (from === undefined) throw new Error('the scenario of a dump does not read');
  const found = behaviorsIn(from.snapshot);
  const dump = source.paths.map((path) => relative(root, resolve(io.cwd, path)).replaceAll('\\', '/'));
  const files = [
    [BEHAVIORS, behaviorsText(found, dump.join(', '))],
    [SCENARIO, scenarioText({ ...from, paths: dump, behaviors: BEHAVIORS })],
  ] as const;
  for (const [name, text] of files) {
    writeWhole({ option: 'init', path: join(dir, name), cwd: io.cwd }, text);
    io.out(`  ${io.palette.good('+')} ${join(dir, name)}\n`);
  }
  for (const text of lintWarnings) io.out(`  ${io.palette.dim(`note ${text}`)}\n`);
  const [behaviors, scenario] = [BEHAVIORS, SCENARIO].map((name) => shellWord(join(dir, name)));
  io.out(
    `\nnow: npx orchsim run ${scenario}\n     npx orchsim what-if ${source.paths.map(shellWord).join(' --from ')} drain ${from.snapshot.nodes[0]?.name ?? 'NODE'} --behaviors ${behaviors}\n     npx orchsim help from-a-cluster\n`,
  );
}

const HEAD = `
# How the cluster of DUMP goes on in a simulation. The first entry that fits a pod counts; each line may be changed, and
# a line in a comment taken in. A pod that no entry fits starts at once, is ready at once, and runs until it is deleted.
#
#   startDelay: from scheduled to running      readyDelay: from running to ready
#   runFor: from running to exit               exitCodes: of each attempt, the last repeats
#   terminationDelay: from SIGTERM to exit     selector, namespace, owner: which pods
`.trimStart();

const USAGE = `
# What containers use: for autoscalers, kubectl top, and nodes under pressure. A list changes over time:
#   cpu: [{ at: 0s, is: 100m }, { at: 10m, is: 900m }]        memory: { from: 100Mi, to: 2Gi, over: 1h }
`;

function behaviorsText({ podBehaviors, usage }: Suggestions, dump: string): string {
  return [
    HEAD.replace('DUMP', dump),
    listText('podBehaviors', podBehaviors, '# No run of a Job, slow start or restart is in the dump.'),
    USAGE,
    listText('usage', usage, '# No pod in the dump requests anything.'),
  ].join('');
}

function listText(name: string, entries: readonly Suggestion[], otherwise: string): string {
  const shown = entries.slice(0, MOST);
  const rest = entries.length - shown.length;
  return [
    ...(shown.length === 0 ? [otherwise] : []),
    // Without a value where all entries stand in comments, so that one can be taken in.
    `${name}:${shown.length === 0 ? ' []' : ''}`,
    ...shown.flatMap(({ about, entry, isOff }) => [`  # ${about}`, `  ${isOff === true ? '# ' : ''}- ${formatFlow(entry)}`]),
    ...(rest > 0 ? [`  # ${count(rest, 'more entry', 'more entries')} of smaller workloads are left out.`] : []),
    '',
  ].join('\n');
}

const EXAMPLES = `
  # What happens: faults and requests at their times, with what is expected of them. Some to begin with:
  # steps:
  #   - at: 1m
  #     drain: { target: Node/NODE, ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, timeout: 5m }
  #   - at: 6m
  #     fault: { nodeDown: NODE }
  #   - at: 10m
  #     expect: { match: { kind: Deployment, metadata: { name: WEB, namespace: SPACE }, status: { availableReplicas: COUNT } } }
`.slice(1);

/** The Deployment of which most is available. */
function expectedOf({ snapshot }: ScenarioFrom) {
  const all = snapshot.objects.filter((object) => isOf('Deployment', object));
  const of = ({ status }: (typeof all)[number]): number => status.availableReplicas ?? 0;
  const [most] = all.toSorted((a, b) => of(b) - of(a));
  const { name = 'web', namespace = 'default' } = most?.metadata ?? {};
  return { name, namespace, available: most === undefined ? 1 : of(most) };
}

function scenarioText(from: ScenarioFrom): string {
  const [node] = from.snapshot.nodes;
  const { name, namespace, available } = expectedOf(from);
  const text = formatScenario(
    { name: 'from-a-cluster', title: 'The cluster of a dump, for ten minutes', untilMs: 600_000, from },
    { comment: `Written by orchsim init --from: the dump, with ${BEHAVIORS} for how its pods go on.` },
  );
  const examples = EXAMPLES.replaceAll('NODE', node?.name ?? 'node-1')
    .replace('WEB', name)
    .replace('SPACE', namespace)
    .replace('COUNT', String(available));
  return text.replace('  steps: []\n', '') + examples;
}

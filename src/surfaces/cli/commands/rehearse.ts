/** `rehearse OLD NEW`: installs old manifests, rolls to new ones, drains every node in turn, and rolls back. */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { planRehearsal, rehearse, releaseOf } from '../../../lab/rehearsal/index.ts';
import { formatProblem, formatScenario, type Manifests, parseManifestFiles, processesOf } from '../../../lab/scenario/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { didYouMean } from '../../../schema/values/index.ts';
import { heldRehearsal, rehearsalJson, rehearsalJunit, rehearsalLines, shellWord } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { foreignNote, hooksNote, MANIFESTS, manifestFiles, someManifests } from '../dump.ts';
import { BadInput, EXIT } from '../exit.ts';
import { FORCE_TEXT, refuseOverwrite, writeWhole } from '../files.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { pluginsOf } from '../load.ts';
import { readCount, readSeed, readWord } from '../options.ts';

const options = [
  ['--drain <nodes>', 'the nodes that are drained in turn: all, none, or names such as node-0,node-2', 'all'],
  [
    '--crash <process>',
    'crashes in each roll, and comes back after 30 s: controller-manager, scheduler, agent/node-0; may be given several times',
    [],
  ],
  ['--nodes <n>', 'the least number of nodes (default: 3, and what the manifests need)'],
  ['--invariants <invariant>', "registered invariants to check, such as 'deployment/*' (default: all); may be given several times", []],
  ['--seed <n>', 'of all random choices (default: 1)'],
  ['--format <format>', 'text, json or junit', 'text'],
  ['--json', 'the same as --format json'],
  ['--save <file>', 'writes the rehearsal as a scenario, which run, why, walk, search and page take'],
  ['--force', FORCE_TEXT],
] as const;
type Options = OptionsOf<typeof options>;

const AFTER = `
Invariants, from the first roll on: budgets are kept, workloads keep to their strategies, with several replicas one is there
while a node is drained, no claim is lost, and rolled back everything is as it was. Exit code 0: all of it; 1: not.
`;

export const command = defineCommand({
  arguments: [
    ['<old>', `${MANIFESTS}; - for standard input`],
    ['<new>', 'the manifests to roll to'],
  ],
  options,
  after: AFTER,
  act: ({ io }, given, old, next) => run(old, next, given, io),
});

function run(oldPath: string, nextPath: string, given: Options, io: Io): number {
  const format = given.json ? 'json' : readWord('--format', given.format, ['text', 'json', 'junit']);
  const { save } = given;
  if (save !== undefined && !given.force) refuseOverwrite(save, '--save', io.cwd);
  const { definitions } = pluginsOf(io);
  const [old, next] = readBoth(oldPath, nextPath, vocabulary(definitions), io);
  const kinds = kindsWith(namesFor(next.domain), definitions);
  const defined = new Map([...old.manifests, ...next.manifests].flatMap(({ object }) => scopeIn(object)));
  const plan = planRehearsal(releaseOf(old.manifests), releaseOf(next.manifests), {
    domain: next.domain,
    drain: given.drain === 'all' ? 'all' : given.drain === 'none' ? [] : given.drain.split(','),
    crash: given.crash,
    invariants: given.invariants,
    namespaced: (kind) => defined.get(kind) ?? kinds.byKind(kind)?.namespaced !== false,
    ...(given.nodes === undefined ? {} : { nodes: readCount('--nodes', given.nodes) }),
  });
  const { scenario } = plan;
  checkNames(
    '--drain',
    given.drain === 'all' || given.drain === 'none' ? [] : given.drain.split(','),
    scenario.cluster.nodes.map(({ name }) => name),
  );
  checkNames('--crash', given.crash, processesOf(scenario.cluster));
  const title = `${oldPath} → ${nextPath}`;
  const text = formatScenario(scenario, { comment: `Written by orchsim rehearse: ${title}`, faults: vocabulary(definitions).faults });
  if (save !== undefined) writeWhole({ option: '--save', path: save, cwd: io.cwd }, text);
  const began = performance.now();
  const found = rehearse(plan, {
    with: definitions,
    trace: format === 'text',
    ...(given.seed === undefined ? {} : { seed: readSeed(given.seed) }),
  });
  const took = performance.now() - began;
  for (const line of notesOn(old, next)) io.err(`note: ${line}\n`);
  if (format === 'json') io.out(jsonText(rehearsalJson(title, found)));
  else if (format === 'junit') io.out(rehearsalJunit(title, found, took));
  else io.out(fitted(rehearsalLines(title, found, io.palette), io));
  if (save !== undefined) io.err(`${save}: the rehearsal as a scenario; orchsim run ${shellWord(save)} --page rehearsal.html shows it\n`);
  return heldRehearsal(found) ? EXIT.held : EXIT.broken;
}

function readBoth(oldPath: string, nextPath: string, words: ReturnType<typeof vocabulary>, io: Io): readonly [Manifests, Manifests] {
  if (oldPath === '-' && nextPath === '-') throw new BadInput('-: standard input is read once: name a file');
  const files = [manifestFiles(oldPath, io), manifestFiles(nextPath, io)] as const;
  const both = files.map((each) => parseManifestFiles(each, words));
  const problems = both.flatMap((each) => ('problems' in each ? each.problems : []));
  if (problems.length > 0) throw new BadInput([...new Set(problems.map(formatProblem))]);
  const [old, next] = both as readonly Manifests[];
  if (old === undefined || next === undefined) throw new Error('two sets of manifests are read');
  someManifests(old, oldPath);
  someManifests(next, nextPath);
  if (old.domain !== next.domain) throw new BadInput(`${nextPath}: its names are of ${next.domain}, those of ${oldPath} of ${old.domain}`);
  return [old, next];
}

/** The scope of the kind that a definition among the manifests defines. */
function scopeIn(object: Manifests['manifests'][number]['object']): readonly (readonly [string, boolean])[] {
  const { names, scope } = (object['spec'] ?? {}) as { readonly names?: { readonly kind?: string }; readonly scope?: string };
  return object.kind === 'CustomResourceDefinition' && typeof names?.kind === 'string' ? [[names.kind, scope === 'Namespaced']] : [];
}

function checkNames(option: string, given: readonly string[], known: readonly string[]): void {
  const wrong = given.filter((name) => !known.includes(name));
  if (wrong.length > 0)
    throw new BadInput(
      wrong.map(
        (name) =>
          `${option}: there is no ${JSON.stringify(name)}${didYouMean(name, known)}; there are ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}`,
      ),
    );
}

function notesOn(...both: readonly Manifests[]): readonly string[] {
  const foreign = new Map<string, number>();
  for (const { foreign: of } of both) for (const [kind, many] of of) foreign.set(kind, Math.max(foreign.get(kind) ?? 0, many));
  return [...foreignNote(foreign), ...hooksNote(...both.map(({ manifests }) => manifests))];
}

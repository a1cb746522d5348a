/** `import LOG…`: replays an audit log as a scenario, and says where the run and the log part. */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { createLogReader, incidentOf, judgeIncident, readWatches, withRecords } from '../../../lab/incident/index.ts';
import type { AuditLog, Ref } from '../../../lab/incident/index.ts';
import { formatProblem, type Scenario } from '../../../lab/scenario/index.ts';
import { foreignKinds } from '../../../lab/snapshot/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import { parseDurationMs } from '../../../schema/values/index.ts';
import { agrees, importedLines, incidentJson, judgedLines, shellWord } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { dumpIn, saveScenario } from '../dump.ts';
import { BadInput, EXIT } from '../exit.ts';
import { FORCE_TEXT, refuseOverwrite } from '../files.ts';
import { eachLine, logFiles } from '../import/lines.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { loadDump, pluginsOf, type LoadedScenario } from '../load.ts';
import { readSeed, readWord } from '../options.ts';
import { shownAs } from '../paths.ts';

const options = [
  ['--from <path>', 'begins with the dump of the cluster from before the log: a file or folder; may be given several times', []],
  ['--with-secrets', 'Secrets keep their values, which are emptied otherwise'],
  ['--lenient', 'with --from: leaves out what cannot be read or contradicts something else, instead of refusing the dump'],
  ['--within <duration>', 'how far apart a write of the run and that of the log may be', '10s'],
  ['--seed <n>', 'of all random choices (default: 1)'],
  ['--format <format>', 'text or json', 'text'],
  ['--json', 'the same as --format json'],
  ['-o, --save <file>', 'writes the scenario, which run, why, walk, search, page and play take'],
  ['--no-run', 'only reads the log, and writes the scenario'],
  ['--force', FORCE_TEXT],
] as const;
type Options = OptionsOf<typeof options>;

const AFTER = `
Requests of people and of other programs become steps at their times, under their users. Writes of the controllers, the scheduler
and the nodes become a record, with which the run is compared: objects with drawn names by their owners. What nodes and containers
did (start times, exit codes, a silent node) is taken over. Exit code 0: the run does what the log says; 1: they part.
`;

export const command = defineCommand({
  arguments: [
    [
      '<log...>',
      'files or folders with lines of audit.k8s.io/v1, or recorded watches (kubectl get -w -o json), also packed (.gz); - for standard input',
    ],
  ],
  options,
  after: AFTER,
  act: ({ io }, given, logs) => importLogs(logs, given, io),
});

async function importLogs(paths: readonly string[], given: Options, io: Io): Promise<number> {
  const format = given.json ? 'json' : readWord('--format', given.format, ['text', 'json']);
  const { save } = given;
  if (save !== undefined && !given.force) refuseOverwrite(save, '--save', io.cwd);
  if (!given.run && save === undefined) throw new BadInput('--no-run: nothing would come of it; add --save FILE');
  const { value: withinMs } = parseDurationMs(given.within);
  if (withinMs === undefined) throw new BadInput(`--within: expected a duration such as 10s, found ${JSON.stringify(given.within)}`);
  const files = logFiles(paths, io.cwd);
  const { definitions } = pluginsOf(io);
  const registries = (['k8s.io', 'orch.io'] as const).map((domain) => kindsWith(namesFor(domain), definitions));
  const log = await readAll(files, registries, io);
  for (const problem of log.problems) io.err(`${formatProblem(problem)}\n`);
  if (log.from === undefined)
    throw new BadInput(
      `${paths.join(', ')}: expected lines of audit.k8s.io/v1, as an API server writes them, or a recorded watch, found none`,
    );
  const { scenario: base, plugins } = baseOf(log.isNeutral ? 'orch.io' : 'k8s.io', log.from, given, io);
  if (base.from !== undefined && (log.to ?? 0) < base.startAt)
    throw new BadInput('--from: the dump is newer than every line of the log; it must be from before what is replayed');
  const kinds = kindsWith(namesFor(base.domain), {
    kinds: [...(plugins.definitions.kinds ?? []), ...foreignKinds(base.from?.snapshot.foreign ?? [])],
  });
  const incident = incidentOf(log, base, kinds, { withinMs, secrets: given.withSecrets });
  const imported = { files: files.map((file) => (file === '-' ? '-' : shownAs(file, io.cwd))), log, incident };
  const { scenario } = incident;
  if (save !== undefined) saveScenario(scenario, save, `Imported by orchsim: ${imported.files.join(', ')}`, io);
  if (format === 'text') io.out(fitted(importedLines(imported, io.palette), io));
  const seed = given.seed === undefined ? {} : { seed: readSeed(given.seed) };
  const judged = given.run ? judgeIncident(scenario, { ...seed, with: plugins.definitions }) : undefined;
  if (format === 'json') io.out(jsonText(incidentJson(imported, judged, withinMs)));
  else if (judged !== undefined) io.out(fitted(judgedLines(judged, imported, withinMs, io.palette), io));
  if (save !== undefined) io.err(`${save}: the incident as a scenario; orchsim run ${shellWord(save)} replays it\n`);
  return judged === undefined || agrees(judged) ? EXIT.held : EXIT.broken;
}

/** JavaScript holds no longer text than twice this. */
const LONGEST_WATCH = 256 * 1024 * 1024;

/** The lines of audit logs, and the events of recorded watches, recognised by the first line of each file. */
async function readAll(files: readonly string[], registries: readonly KindRegistry[], io: Io): Promise<AuditLog> {
  const kindOf = ({ group, resource }: Ref): string | undefined =>
    registries.map((kinds) => kinds.byPlural(group, resource)).find((kind) => kind !== undefined)?.kind;
  const refOf = (apiVersion: string, kind: string): Ref | undefined => {
    const registry = registries.find((kinds) => {
      const known = kinds.byKind(kind);
      return known !== undefined && kinds.apiVersionOf(known) === apiVersion;
    });
    const known = registry?.byKind(kind);
    return registry === undefined || known === undefined
      ? undefined
      : { group: registry.names.group(known.groupPrefix), version: known.version, resource: known.plural };
  };
  const reader = createLogReader(kindOf);
  const watches = new Map<string, string[]>();
  const size = { left: LONGEST_WATCH };
  await eachLine(
    files,
    (text, file, line) => {
      if (line === 1 && isWatch(text)) watches.set(file, []);
      const watch = watches.get(file);
      if (watch === undefined) reader.line(text, file, line);
      else if ((size.left -= text.length) < 0) throw new BadInput(`${file}: at most ${LONGEST_WATCH} characters of watches are read`);
      else watch.push(text);
    },
    io,
  );
  const log = reader.end();
  const recorded = [...watches].map(([file, lines]) => ({ file, text: lines.join('\n') }));
  return recorded.length === 0 ? log : withRecords(log, readWatches(recorded, refOf));
}

/** A watch begins with an object, in one line or in many. */
const isWatch = (first: string): boolean =>
  first.trim() === '{' || (first.startsWith('{') && !first.includes('"audit.k8s.io/') && !first.includes('"stage"'));

const TITLE = 'An incident, replayed';

/** The scenario before it has steps: of the dump, or empty from the first line of the log on. */
function baseOf(domain: Scenario['domain'], startAt: number, given: Options, io: Io): Pick<LoadedScenario, 'scenario' | 'plugins'> {
  if (given.from.length === 0) {
    const text = JSON.stringify({
      apiVersion: 'scenario.orch.io/v1',
      kind: 'Scenario',
      metadata: { name: 'incident' },
      spec: { domain, title: TITLE },
    });
    const read = readScenarios(text);
    if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error('the empty scenario does not read');
    return { scenario: { ...read.scenarios[0], startAt }, plugins: pluginsOf(io) };
  }
  const loaded = loadDump(dumpIn(given), io);
  return { ...loaded, scenario: { ...loaded.scenario, name: 'incident', title: TITLE } };
}

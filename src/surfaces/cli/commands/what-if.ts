/** `what-if DUMP QUESTION…`: asks a question of a cluster from its dump, or of a scenario, and says what goes, comes and waits. */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { formatProblem, parseManifestFiles, type Scenario, vocabularyBeside } from '../../../lab/scenario/index.ts';
import { withDumped } from '../../../lab/snapshot/index.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { formatDurationMs, parseDurationMs } from '../../../schema/values/index.ts';
import type { Run } from '../../../lab/simulation/index.ts';
import { redacted } from '../../../lab/trace/index.ts';
import { LONGEST, runDataOf, type RunData } from '../../page/index.ts';
import { putPage, recordedPage } from '../page/carry.ts';
import { installed } from '../../../lab/rehearsal/index.ts';
import { askWhatIf, ASKED_AT_MS, objectsAt, withoutQuestion, withQuestion } from '../../../lab/what-if/index.ts';
import { cameThrough, grouped, shellWord, whatIfJson, whatIfJunit, whatIfLines } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { dumpIn, foreignNote, hooksNote, isScenarioFile, manifestFiles, saveScenario, someManifests } from '../dump.ts';
import { BadInput, EXIT } from '../exit.ts';
import { FORCE_TEXT, refuseOverwrite } from '../files.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { loadDump, loadOne } from '../load.ts';
import { readSeed, readWord } from '../options.ts';
import { FORMS, readQuestion } from '../what-if/question.ts';

const options = [
  ['--from <path>', 'further files or folders of the same dump; may be given several times', []],
  ['--with-secrets', 'Secrets keep their values, which are emptied otherwise'],
  ['--lenient', 'leaves out what cannot be read or contradicts something else, instead of refusing the dump'],
  ['--behaviors <file>', 'how its pods go on, and what they use; init --from writes the file'],
  ['--at <time>', 'when it is asked of a scenario, such as 5m (default: at its end)'],
  ['--seed <n>', 'of all random choices (default: 1)'],
  ['--format <format>', 'text, json or junit', 'text'],
  ['--json', 'the same as --format json'],
  ['--page <file>', 'writes a page with both futures side by side: with the question, and without it'],
  ['--save <file>', 'writes the question as a scenario, which run, why, walk, search and page take'],
  ['--force', FORCE_TEXT],
] as const;
type Options = OptionsOf<typeof options>;

const AFTER = `
Questions:
${FORMS.map((form) => `  ${form}`).join('\n')}

The question is asked after a minute, which is left to the cluster itself; of a scenario, such as an imported incident, at its end or
--at a moment, from which its later steps go on. Exit code 0: every workload has what it had or
wants, no pod waits, and nothing is written any more; 1: something is short, waits, or was refused.
`;

export const command = defineCommand({
  arguments: [
    ['<dump>', 'a file or folder of kubectl get -o yaml, cluster-info dump or kwokctl; - for standard input; or a scenario'],
    ['<question...>', 'such as drain node-3'],
  ],
  options,
  after: AFTER,
  act: ({ io }, given, dump, words) => answer(dump, words, given, io),
});

function answer(dump: string, words: readonly string[], given: Options, io: Io): number {
  const format = given.json ? 'json' : readWord('--format', given.format, ['text', 'json', 'junit']);
  const { save, page } = given;
  if (save !== undefined && !given.force) refuseOverwrite(save, '--save', io.cwd);
  if (page !== undefined && !given.force) refuseOverwrite(page, '--page', io.cwd);
  const isScenario = isScenarioFile(dump, io.cwd);
  const { plugins, scenario: bare } = isScenario
    ? loadOne(dump, { ...io, from: dumpIn(given) })
    : loadDump(dumpIn({ ...given, from: [dump, ...given.from] }), io);
  const { definitions } = plugins;
  const how = { ...(given.seed === undefined ? {} : { seed: readSeed(given.seed) }), with: definitions };
  const atMs = isScenario ? momentOf(bare, given.at) : ASKED_AT_MS;
  if (!isScenario && given.at !== undefined)
    throw new BadInput(`--at: of a dump it is asked after its first minute; ${dump} is no scenario`);
  const served = kindsWith(namesFor(bare.domain), definitions);
  const kinds = bare.from === undefined ? served : withDumped(served, bare.from.snapshot);
  const manifests = (path: string) => {
    if (path === '-' && [dump, ...given.from].includes('-')) throw new BadInput('-: standard input is read once: name a file');
    const words = vocabularyBeside(vocabulary(definitions), bare.from);
    const read = parseManifestFiles(manifestFiles(path, io), { ...words, domain: bare.domain });
    if ('problems' in read) throw new BadInput(read.problems.map(formatProblem));
    someManifests(read, path);
    for (const line of [...foreignNote(read.foreign), ...hooksNote(read.manifests)]) io.err(`note: ${line}\n`);
    return installed(read.manifests);
  };
  const question = words.join(' ');
  const { steps, forMs } = readQuestion(words, {
    scenario: bare,
    kinds,
    manifests,
    atMs,
    objects: () => (isScenario ? objectsAt(bare, atMs, how) : (bare.from?.snapshot.objects ?? [])),
  });
  const until = { untilMs: Math.max(atMs + forMs, isScenario ? (bare.untilMs ?? 0) : 0) };
  const scenario: Scenario = { ...withQuestion(bare, steps, atMs), name: 'what-if', title: `What if: ${question}`, ...until };
  if (save !== undefined) saveScenario(scenario, save, `Asked of ${isScenario ? dump : 'the dump'}: what if ${question}?`, io);
  const began = performance.now();
  const found = askWhatIf(scenario, { ...how, askedAtMs: atMs });
  const took = performance.now() - began;
  if (format === 'json') io.out(jsonText(whatIfJson(question, found)));
  else if (format === 'junit') io.out(whatIfJunit(question, found, took));
  else {
    for (const text of bare.lintWarnings ?? []) io.err(`note: ${text}\n`);
    io.out(fitted(whatIfLines(question, found, io.palette), io));
  }
  if (page !== undefined) writePage(page, found.run, withoutQuestion({ ...withQuestion(bare, [], atMs), ...until }, how), question, io);
  if (save !== undefined) io.err(`${save}: the question as a scenario; orchsim run ${shellWord(save)} --page what-if.html shows it\n`);
  return cameThrough(found) ? EXIT.held : EXIT.broken;
}

/** When a question is asked of a scenario, milliseconds since its start: at a moment, or at its end. */
function momentOf({ untilMs, steps }: Scenario, at: string | undefined): number {
  if (at !== undefined) {
    const { value } = parseDurationMs(at);
    if (value === undefined) throw new BadInput(`--at: expected a time since the start such as 5m, found ${JSON.stringify(at)}`);
    if (untilMs !== undefined && value > untilMs)
      throw new BadInput(`--at: expected a time before the scenario ends (until: ${formatDurationMs(untilMs)}), found ${at}`);
    return value;
  }
  return untilMs ?? Math.max(0, ...steps.map(({ timing }) => (timing.when === 'at' ? timing.atMs : 0))) + ASKED_AT_MS;
}

function writePage(path: string, asked: Run, without: Run, question: string, io: Io): void {
  const dataOf = (run: Run): RunData => {
    if (run.trace === undefined) throw new Error('the run of a page keeps its trace');
    const { entries } = run.trace;
    if (entries.length > LONGEST)
      throw new BadInput(
        `--page: the run has ${grouped(entries.length)} entries, and a page with two runs holds ${grouped(LONGEST)}; orchsim run of the saved question (--save) writes a page of a part: --page-window 50s..5m`,
      );
    return runDataOf(run, redacted(run.trace));
  };
  const html = recordedPage(
    { said: `what if: ${question}`, title: `What if: ${question}`, run: dataOf(asked) },
    { said: 'without it', run: dataOf(without) },
  );
  putPage(html, path, '--page', io);
  io.err(`page: ${path}\n`);
}

/** `what-if DUMP QUESTION…`: asks a question of a cluster from its dump, and says what goes, comes and waits. */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { formatProblem, parseManifestFiles, type Scenario, vocabularyBeside } from '../../../lab/scenario/index.ts';
import { withDumped } from '../../../lab/snapshot/index.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import type { Run } from '../../../lab/simulation/index.ts';
import { redacted } from '../../../lab/trace/index.ts';
import { LONGEST, runDataOf, type RunData } from '../../page/index.ts';
import { recordedPage } from '../page/carry.ts';
import { installed } from '../../../lab/rehearsal/index.ts';
import { askWhatIf, ASKED_AT_MS, withoutQuestion } from '../../../lab/what-if/index.ts';
import { cameThrough, grouped, whatIfJson, whatIfJunit, whatIfLines } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { dumpIn, foreignNote, manifestFiles, saveScenario, someManifests } from '../dump.ts';
import { BadInput, EXIT } from '../exit.ts';
import { FORCE_TEXT, refuseOverwrite, writeWhole } from '../files.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import { loadScenarios } from '../load.ts';
import { readSeed, readWord } from '../options.ts';
import { FORMS, readQuestion } from '../what-if/question.ts';

const options = [
  ['--from <path>', 'further files or folders of the same dump; may be given several times', []],
  ['--with-secrets', 'Secrets keep their values, which are emptied otherwise'],
  ['--lenient', 'leaves out what cannot be read or contradicts something else, instead of refusing the dump'],
  ['--behaviors <file>', 'how its pods go on, and what they use; init --from writes the file'],
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

The question is asked after a minute, which is left to the cluster itself. Exit code 0: every workload has what it had or
wants, no pod waits, and nothing is written any more; 1: something is short, waits, or was refused.
`;

export const command = defineCommand({
  arguments: [
    ['<dump>', 'a file or folder of kubectl get -o yaml, cluster-info dump or kwokctl; - for standard input'],
    ['<question...>', 'such as drain node-3'],
  ],
  options,
  after: AFTER,
  act: ({ io }, given, dump, words) => answer(dump, words, given, io),
});

function answer(dump: string, words: readonly string[], given: Options, io: Io): number {
  const format = given.json ? 'json' : readWord('--format', given.format, ['text', 'json', 'junit']);
  const { save, page } = given;
  for (const [path, option] of [
    [save, '--save'],
    [page, '--page'],
  ] as const)
    if (path !== undefined && !given.force) refuseOverwrite(path, option, io.cwd);
  const place = { ...io, from: dumpIn({ ...given, from: [dump, ...given.from] }) };
  const [loaded] = loadScenarios([], place);
  if (loaded === undefined) throw new Error('the scenario of a dump does not read');
  const { definitions } = loaded.plugins;
  const bare = loaded.scenario;
  const served = kindsWith(namesFor(bare.domain), definitions);
  const kinds = bare.from === undefined ? served : withDumped(served, bare.from.snapshot);
  const manifests = (path: string) => {
    if (path === '-' && [dump, ...given.from].includes('-')) throw new BadInput('-: standard input is read once: name a file');
    const words = vocabularyBeside(vocabulary(definitions), bare.from);
    const read = parseManifestFiles(manifestFiles(path, io), { ...words, domain: bare.domain });
    if ('problems' in read) throw new BadInput(read.problems.map(formatProblem));
    someManifests(read, path);
    for (const line of foreignNote(read.foreign)) io.err(`note: ${line}\n`);
    return installed(read.manifests);
  };
  const question = words.join(' ');
  const { steps, forMs } = readQuestion(words, { scenario: bare, kinds, manifests });
  const scenario: Scenario = { ...bare, name: 'what-if', title: `What if: ${question}`, untilMs: ASKED_AT_MS + forMs, steps };
  if (save !== undefined) saveScenario(scenario, save, `Asked of the dump: what if ${question}?`, io);
  const began = performance.now();
  const seed = given.seed === undefined ? {} : { seed: readSeed(given.seed) };
  const found = askWhatIf(scenario, { ...seed, with: definitions });
  const took = performance.now() - began;
  if (format === 'json') io.out(jsonText(whatIfJson(question, found)));
  else if (format === 'junit') io.out(whatIfJunit(question, found, took));
  else {
    for (const text of bare.lintWarnings ?? []) io.err(`note: ${text}\n`);
    io.out(fitted(whatIfLines(question, found, io.palette), io));
  }
  if (page !== undefined) writePage(page, found.run, withoutQuestion(scenario, { ...seed, with: definitions }), question, io);
  if (save !== undefined) io.err(`${save}: the question as a scenario; orchsim run ${save} --page what-if.html shows it\n`);
  return cameThrough(found) ? EXIT.held : EXIT.broken;
}

/** Both runs side by side. */
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
  if (path === '-') io.out(html, 'verbatim');
  else writeWhole({ option: '--page', path, cwd: io.cwd }, html);
  io.err(`page: ${path}\n`);
}

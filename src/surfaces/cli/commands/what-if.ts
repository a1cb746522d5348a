/** `what-if DUMP QUESTION…`: asks a question of a cluster from its dump, and says what goes, comes and waits. */
import { resolve } from 'node:path';
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { formatProblem, parseManifests, type Scenario } from '../../../lab/scenario/index.ts';
import { foreignKinds } from '../../../lab/snapshot/index.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { askWhatIf, ASKED_AT_MS } from '../../../lab/what-if/index.ts';
import { cameThrough, whatIfJson, whatIfJunit, whatIfLines } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { dumpIn, saveScenario } from '../dump.ts';
import { BadInput, EXIT } from '../exit.ts';
import { FORCE_TEXT, readText, refuseOverwrite } from '../files.ts';
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
  const { save } = given;
  if (save !== undefined && !given.force) refuseOverwrite(save, '--save', io.cwd);
  const place = { ...io, from: dumpIn({ ...given, from: [dump, ...given.from] }) };
  const [loaded] = loadScenarios([], place);
  if (loaded === undefined) throw new Error('the scenario of a dump does not read');
  const { definitions } = loaded.plugins;
  const bare = loaded.scenario;
  const foreign = foreignKinds(bare.from?.snapshot.foreign ?? []);
  const kinds = kindsWith(namesFor(bare.domain), { kinds: [...(definitions.kinds ?? []), ...foreign] });
  const manifests = (path: string) => {
    const read = parseManifests(readText(resolve(io.cwd, path), path), { ...vocabulary(definitions), file: path, domain: bare.domain });
    if ('problems' in read) throw new BadInput(read.problems.map(formatProblem));
    return read.manifests;
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
  if (save !== undefined) io.err(`${save}: the question as a scenario; orchsim run ${save} --page what-if.html shows it\n`);
  return cameThrough(found) ? EXIT.held : EXIT.broken;
}

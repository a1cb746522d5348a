/** `search PATH -- COMMAND…`: searches for faults on programs that break a scenario, and prints what it found. */
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import { DRAWN, searchPrograms, type ProgramFinding, type ProgramSearched } from '../../drive/index.ts';
import { count } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import { fitted, jsonText, type Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { readSeed, readWord } from '../options.ts';
import { progressOn } from '../run/progress.ts';
import { writeFound } from '../search/files.ts';
import type { Options, SearchOptions } from '../search/options.ts';
import { checkInCluster, driveCommand, readCommands, readDrive, undrivableLines, servedScenario } from './options.ts';

/** `3`: at least 3 of 5 runs; `4/6`: at least 4 of 6. */
function readConfirm(text: string): { readonly times: number; readonly of: number } {
  const [, some = '0', all = '5'] = /^(\d{1,3})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const [times, of] = [Number(some), Number(all)];
  if (times < 1 || times > of)
    throw new BadInput(`--confirm: expected from 1 to 5, or a number of a number such as 4/6, found ${JSON.stringify(text)}`);
  return { times, of };
}

function readDrawn(text: string): readonly string[] {
  return text.split(',').map((name) => readWord('--faults', name.trim(), DRAWN));
}

export async function searchWithPrograms(
  loaded: LoadedScenario,
  words: readonly string[],
  given: Options,
  { budget, jobs, json, out, untilFound }: SearchOptions,
  io: Io,
): Promise<number> {
  const scenario = servedScenario(loaded, given);
  const { replicas, ...how } = readDrive(given, scenario, io.cwd);
  const commands = readCommands(words, scenario, replicas, io.cwd);
  checkInCluster(how, commands);
  const seed = given.seed === undefined ? 1 : readSeed(given.seed);
  if (how.inCluster?.folder !== undefined && jobs > 1)
    throw new BadInput('--in-cluster: a folder is of one run at a time: add --jobs 1, or leave the folder away');
  const confirm = readConfirm(given.confirm);
  if (budget === 'plateau') throw new BadInput('--budget: a search with programs takes a time or a number of runs');
  const progress = progressOn(io);
  const beganAt = performance.now();
  const searched = await undrivableLines(() =>
    searchPrograms({
      ...how,
      scenario,
      seed,
      commands,
      definitions: loaded.plugins.definitions,
      cwd: io.cwd,
      signal: io.stop ?? io.interruption?.(),
      confirm,
      jobs,
      ...(given.faults === undefined ? {} : { faults: readDrawn(given.faults) }),
      goesOn: (runs, findings) =>
        !(untilFound && findings > 0) && ('runs' in budget ? runs < budget.runs : performance.now() - beganAt < budget.ms),
      onProgress: (runs, findings) => progress.show(`${runs} runs, ${findings} found`),
    }),
  ).finally(progress.clear);
  if ('unfit' in searched) {
    const { failures } = searched.unfit.run;
    io.out(
      fitted([io.palette.bad(`✗ ${scenario.name}: it does not hold without faults`), ...failures.map(({ message }) => `  ${message}`)], io),
    );
    return EXIT.broken;
  }
  const found = searched.findings.map((finding) => asFound(finding));
  const files = writeFound(found, loaded, seed, out, io.cwd);
  // A finding's file has one scenario, and states its seed.
  const again = (file: string): string => driveCommand(file, words, { ...given, seed: undefined, scenario: undefined });
  if (json) io.out(jsonText(documentOf(searched, files)));
  else io.out(fitted(linesOf(searched, files, scenario.name, again, faultsWith(loaded.plugins.definitions), jobs, io), io));
  return searched.findings.length > 0 ? EXIT.broken : EXIT.held;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
const rateText = ({ rate: { broke, of } }: ProgramFinding): string => `broke ${broke} of ${of} runs`;

const asFound = (finding: ProgramFinding) => ({
  claim: finding.broke,
  scenario: finding.scenario,
  choices: [],
  words: [...finding.words, rateText(finding)],
});

const documentOf = ({ findings, ...rest }: ProgramSearched, files: readonly string[]) => ({
  ...rest,
  findings: findings.map(({ scenario: _, ...finding }, at) => ({ ...finding, file: files[at] })),
});

export function linesOf(
  { findings, rare, runs, allRuns, startMs, runMs, worldMs, firstRequestMs, startRequests, startLists, totalMs }: ProgramSearched,
  files: readonly string[],
  name: string,
  again: (file: string) => string,
  faults: ReturnType<typeof faultsWith>,
  jobs: number,
  { palette }: Io,
): readonly string[] {
  const sign = findings.length === 0 ? palette.good('✓') : palette.bad('✗');
  const perSecond = (allRuns / totalMs) * 1_000;
  return [
    `${sign} ${name}: ${count(findings.length, 'finding')}  ${runs} runs with faults`,
    palette.dim(`  ${allRuns} runs in ${seconds(totalMs)}, ${perSecond.toFixed(1)} a second with ${jobs} side by side`),
    palette.dim(
      `  a run takes ${seconds(runMs)}: ${seconds(firstRequestMs)} until the program asks for the first time (the world is made meanwhile, in ${seconds(worldMs)}), ${seconds(startMs - firstRequestMs)} until it is ready (${count(startRequests, 'request')}${startLists.length === 0 ? '' : `, lists of ${startLists.join(', ')}`}), ${seconds(runMs - startMs)} for the steps`,
    ),
    ...findings.flatMap((finding, at) => [
      '',
      `  ${palette.strong(finding.broke)}: ${rateText(finding)}`,
      ...finding.words.map((line) => `     ${line.trim()}`),
      ...finding.faults.map(({ fault, before }) => `     - before step ${before + 1}: ${callText(fault, faults)}`),
      `     found in run ${finding.run}; confirmed and reduced in ${count(finding.confirmed, 'run')}`,
      `     see it again: ${again(files[at] ?? '')}`,
    ]),
    ...(rare.length === 0 ? [] : ['', `  broke once, and too rarely after that: ${rare.join('; ')}`]),
  ];
}

/** A fault as a scenario writes it. */
function callText({ name, subject, parameters }: ProgramFinding['faults'][number]['fault'], faults: ReturnType<typeof faultsWith>): string {
  const spec = faults.find((each) => each.name === name);
  const given = Object.entries(parameters).map(([key, value]) => {
    const isTime = spec?.parameters[key]?.type === 'duration' && typeof value === 'number';
    return `${key}: ${isTime ? formatDurationMs(value) : Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`;
  });
  return `{ ${[`${name}: ${String(subject)}`, ...given].join(', ')} }`;
}

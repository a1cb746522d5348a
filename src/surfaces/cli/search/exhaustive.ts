/** Exhaustive searches: `search --exhaustive` tries every order within instants, `search --deviations 1` every single fault at every point. */
import { elsewhereText, findingLines } from './report-lines.ts';
import { choicesFor, exploring, OpaqueState, deviating, byCause, findingOf } from '../../../lab/search/index.ts';
import type { Catch, Explored, OrderFinding, Baseline, Deviated, Finding } from '../../../lab/search/index.ts';
import { count, shellWord, type Palette } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import { momentsBuild, trialsFor } from '../moments.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { type Reported, also, rawOne, smallOne, writeFound } from './files.ts';
import type { SearchOptions, Budget } from './options.ts';
import { progressOn } from '../run/progress.ts';

/** `given`: the scenario gives no latencies, and default ones were used. */
type Wanted = SearchOptions & { readonly most: number | undefined; readonly given: boolean };

export async function exploreOne(base: Baseline, loaded: LoadedScenario, wanted: Wanted, io: Io): Promise<number> {
  const { scenario, plugins } = loaded;
  const { budget, most, judge, untilFound, json, given } = wanted;
  const making = { with: plugins.definitions, judge };
  const limit = most === undefined ? {} : { depth: most };
  const moments = momentsBuild(plugins.definitions);
  const steps = moments?.exploringMoments(base.quiescence.scenario, limit) ?? exploring(base.quiescence.scenario, { ...making, ...limit });
  const { latest, stopped } = await runToEnd(steps, budget, io, ({ runs, states, findings }) => ({
    enough: untilFound && findings.length > 0,
    text: `${runs} runs, ${states} states, ${findings.length} found`,
  })).catch((error: unknown): never => {
    throw error instanceof OpaqueState ? new BadInput(`${scenario.name}: ${error.message}`) : error;
  });
  if (latest === undefined) return EXIT.held;
  const catches: Catch[] = [];
  const orders: OrderFinding[] = [];
  for (const finding of latest.findings) {
    const choices = choicesFor({ scenario: base.quiescence.scenario, making }, finding);
    const { cause, seen, firstRun } = finding;
    if (choices === undefined) orders.push(finding);
    else catches.push({ cause, choices, run: firstRun, firstRun, seen });
  }
  const reported = await reduceAndWrite(catches, base, loaded, wanted, io);
  const code = stopped === 'interrupted' ? EXIT.interrupted : latest.findings.length > 0 ? EXIT.broken : EXIT.held;
  const story: Story = { latest, reported, orders, stopped, given };
  if (json) io.out(jsonText(exploredDocument(story, scenario.name, code)));
  else io.out(fitted(exploredLines(story, loaded, io.palette), io));
  return code;
}

export interface Story {
  readonly latest: Explored;
  /** Orders that choices reproduce, with a file. */
  readonly reported: readonly Reported[];
  /** Orders that no delay reproduces. */
  readonly orders: readonly OrderFinding[];
  readonly stopped: 'spent' | 'interrupted' | undefined;
  readonly given: boolean;
}

export function exploredLines(
  { latest, reported, orders, stopped, given }: Story,
  { scenario: { name }, file, flags }: LoadedScenario,
  palette: Palette,
): readonly string[] {
  const { runs, states, ends, deepest, complete, cut } = latest;
  const counts = palette.dim(`${count(runs, 'run')} · ${count(states, 'state')}`);
  const found = reported.length + orders.length;
  const headline =
    found > 0
      ? palette.bad(`✗ ${name}: ${count(found, 'finding')}`)
      : palette.good(complete ? `✓ ${name}: it holds in every order within its instants` : `✓ ${name}: no order that was tried broke it`);
  return [
    `${headline}  ${counts}`,
    ...reported.flatMap((each, at) => findingLines(each, at + 1, `seen in ${count(each.seen, 'run')}`, flags, palette)),
    ...orders.flatMap(({ cause, words, seen }, at) => [
      '',
      `  ${reported.length + at + 1}  ${palette.strong(cause.claim)}`,
      ...cause.message.split('\n').map((line) => `     ${line}`),
      ...(words.length === 0 ? [] : ['     out of order:', ...words.map((line) => `     - ${line}`)]),
      palette.dim(`     seen in ${count(seen, 'run')}; no delay reproduces it, so no file is written`),
      `     see it again: npx orchsim search ${shellWord(file)}${also(flags)} --exhaustive`,
    ]),
    '',
    `  ${complete ? 'complete' : 'not complete'}: up to ${deepest} branchings in one run, ${count(ends.size, 'final state')}; independent events were tried in one order only`,
    ...(given ? ['  the scenario gives no latencies, so these apply: 2 ms for a request, 1 ms for a watch event'] : []),
    ...elsewhereText(latest.elsewhere),
    ...(cut === 0 ? [] : [`  ${count(cut, 'order')} deeper than --depth were not tried`]),
    ...(stopped === undefined || complete
      ? []
      : [stopped === 'spent' ? '  a larger --budget tries more (plateau: everything)' : '  interrupted']),
  ];
}

export function exploredDocument(
  { latest: { ends, findings: _, ...rest }, reported, orders, given }: Story,
  scenario: string,
  exitCode: number,
): unknown {
  return {
    exitCode,
    scenario,
    way: 'exhaustive',
    ...rest,
    ends: ends.size,
    latencyGiven: given,
    findings: [
      ...reported.map(({ claim, words, choices, file, seen }) => ({ claim, words, choices, file, seen })),
      ...orders.map(({ cause: { claim, message }, picks, words, seen }) => ({ claim, message, words, picks, seen })),
    ],
  };
}

/** Tries every single fault at every point; returns the exit code. */
export async function deviateOne(base: Baseline, loaded: LoadedScenario, wanted: SearchOptions, io: Io): Promise<number> {
  const { budget, faults, judge, untilFound, json } = wanted;
  const { latest, stopped } = await runToEnd(
    deviating(base, { with: loaded.plugins.definitions, judge }, faults),
    budget,
    io,
    ({ runs, all, catches }) => ({
      enough: untilFound && catches.length > 0,
      text: `${runs} of ${all} faults tried, ${catches.length} found`,
    }),
  );
  if (latest === undefined) return EXIT.held;
  const reported = await reduceAndWrite(latest.catches, base, loaded, wanted, io);
  const code = stopped === 'interrupted' ? EXIT.interrupted : reported.length > 0 ? EXIT.broken : EXIT.held;
  if (json) io.out(jsonText(deviatedDocument(latest, loaded.scenario.name, reported, code)));
  else io.out(fitted(deviatedLines(latest, loaded, reported, stopped, io.palette), io));
  return code;
}

export const deviatedDocument = (
  { runs, all, stuck, points, elsewhere }: Deviated,
  scenario: string,
  reported: readonly Reported[],
  exitCode: number,
): unknown => ({
  exitCode,
  scenario,
  way: 'deviations',
  runs,
  all,
  stuck,
  elsewhere,
  points: Object.fromEntries(points),
  findings: reported.map(({ claim, words, choices, file, seen }) => ({ claim, words, choices, file, seen })),
});

export function deviatedLines(
  { runs, all, points, stuck, elsewhere }: Deviated,
  { scenario: { name }, flags }: LoadedScenario,
  findings: readonly Reported[],
  stopped: 'spent' | 'interrupted' | undefined,
  palette: Palette,
): readonly string[] {
  const tried = runs === all ? `all ${all} tried` : `${runs} of ${all} tried`;
  const headline =
    findings.length > 0
      ? palette.bad(`✗ ${name}: ${count(findings.length, 'finding')}`)
      : palette.good(runs === all ? `✓ ${name}: no single fault breaks it` : `✓ ${name}: no single fault that was tried broke it`);
  const total = [...points.values()].reduce((sum, many) => sum + many, 0);
  return [
    `${headline}  ${palette.dim(tried)}`,
    ...findings.flatMap((each, at) => findingLines(each, at + 1, undefined, flags, palette)),
    '',
    `  at ${count(total, 'point')}: ${[...points].map(([sort, many]) => `${sort} ${many}`).join(', ')}`,
    ...elsewhereText(elsewhere),
    ...(stuck === 0 ? [] : [`  ${count(stuck, 'run')} ended early, because a step failed`]),
    ...(stopped === undefined ? [] : [stopped === 'spent' ? '  more --budget tries more (plateau: all of them)' : '  interrupted']),
  ];
}

const PAUSE_MS = 50;

/** Continues until everything has been tried, the budget is spent, or Ctrl-C. Returns the last result, and why it stopped early. */
async function runToEnd<T extends { readonly runs: number }>(
  steps: Generator<T, T>,
  budget: Budget,
  io: Io,
  onStep: (latest: T) => { readonly enough: boolean; readonly text: string },
): Promise<{ readonly latest: T | undefined; readonly stopped?: 'spent' | 'interrupted' }> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const startedAt = Date.now();
  let [latest, yieldedAt]: [T | undefined, number] = [undefined, startedAt];
  try {
    for (;;) {
      const { done, value } = steps.next();
      latest = value;
      if (done === true) return { latest };
      const { enough, text } = onStep(value);
      if (enough) return { latest, stopped: 'spent' };
      progress.show(text);
      const now = Date.now();
      if (isUsedUp(budget, value.runs, now - startedAt)) return { latest, stopped: 'spent' };
      if (now - yieldedAt < PAUSE_MS) continue;
      yieldedAt = now;
      await new Promise((go) => setImmediate(go));
      if (interruption?.aborted === true) return { latest, stopped: 'interrupted' };
    }
  } finally {
    progress.clear();
  }
}

/** A plateau is reached when everything has been tried. */
const isUsedUp = (budget: Budget, runs: number, ms: number): boolean =>
  budget !== 'plateau' && ('runs' in budget ? runs >= budget.runs : ms >= budget.ms);

/** Reduces findings and writes them. After Ctrl-C they are written as they were found: each reproduces, with more faults than needed. */
async function reduceAndWrite(
  catches: readonly Catch[],
  base: Baseline,
  loaded: LoadedScenario,
  { seed, faults, judge, out }: Pick<SearchOptions, 'seed' | 'faults' | 'judge' | 'out'>,
  io: Io,
): Promise<readonly Reported[]> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const { definitions } = loaded.plugins;
  const trials = trialsFor(definitions);
  const ground = { scenario: base.quiescence.scenario, field: { ...base.field, seed, faults } };
  const small: Finding[] = [];
  const raw: Catch[] = [];
  for (const caught of catches) {
    await new Promise((go) => setImmediate(go));
    const finding = interruption?.aborted === true ? undefined : findingOf(ground, caught, { with: definitions, judge }, trials);
    if (finding === undefined) raw.push(caught);
    else small.push(finding);
    progress.show(`${small.length} of ${catches.length} findings reduced`);
  }
  progress.clear();
  const found = [...byCause(small).map(smallOne), ...raw.map((caught) => rawOne(caught, ground))];
  const files = writeFound(found, loaded, seed, out, io.cwd);
  return found.map((each, at): Reported => ({ ...each, file: files[at] }));
}

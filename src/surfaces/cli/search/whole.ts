/** Searches that look at all there is of one sort, every order or every single deed, and what they say of how far they came. */
import {
  deviating,
  exploring,
  findingOf,
  survey,
  Untellable,
  withLatency,
  type Deviated,
  type Explored,
  type Survey,
} from '../../../lab/search/index.ts';
import { count, shellWord, type Palette } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { progressOn } from '../run/progress.ts';
import type { Budget } from './budget.ts';
import { writeFound } from './files.ts';
import { tellUnfit } from './go.ts';
import type { Whole, Wishes } from './wishes.ts';

/** Looks at all there is of one sort; answers the exit code. */
export async function searchWhole(loaded: LoadedScenario, wishes: Wishes, whole: Whole, io: Io): Promise<number> {
  const { scenario, given } = whole.of === 'orders' ? withLatency(loaded.scenario) : { scenario: loaded.scenario, given: false };
  const looked = survey(scenario, { with: loaded.own.definitions });
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, wishes.json);
  return whole.of === 'orders' ? exploreOne(looked, loaded, { ...wishes, ...whole, given }, io) : deviateOne(looked, loaded, wishes, io);
}

/** How all orders are looked at. */
interface Wanted extends Wishes {
  readonly depth?: number;
  /** The scenario said nothing of latencies, and got some. */
  readonly given: boolean;
}

const PAUSE_MS = 50;

/** Goes on until everything has been looked at, the budget is spent or somebody interrupts; answers what there is then, and which of these it was. */
async function goThrough<T extends { readonly runs: number }>(
  going: Generator<T, T>,
  budget: Budget,
  io: Io,
  hear: (so: T) => { readonly enough: boolean; readonly text: string },
): Promise<{ readonly so: T | undefined; readonly stopped?: 'spent' | 'interrupted' }> {
  const interruption = io.interruption?.();
  const progress = progressOn(io);
  const startedAt = Date.now();
  let [so, breathedAt]: [T | undefined, number] = [undefined, startedAt];
  try {
    for (;;) {
      const { done, value } = going.next();
      so = value;
      if (done === true) return { so };
      const { enough, text } = hear(value);
      if (enough) return { so, stopped: 'spent' };
      progress.show(text);
      const now = Date.now();
      if (isUsedUp(budget, value.runs, now - startedAt)) return { so, stopped: 'spent' };
      if (now - breathedAt < PAUSE_MS) continue;
      breathedAt = now;
      await new Promise((go) => setImmediate(go));
      if (interruption?.aborted === true) return { so, stopped: 'interrupted' };
    }
  } finally {
    progress.clear();
  }
}

/** A plateau is the end of what there is. */
const isUsedUp = (budget: Budget, runs: number, ms: number): boolean =>
  budget !== 'plateau' && ('runs' in budget ? runs >= budget.runs : ms >= budget.ms);

/** Looks at every order within instants. */
async function exploreOne(looked: Survey, { scenario, own }: LoadedScenario, wanted: Wanted, io: Io): Promise<number> {
  const { budget, depth, untilFound, json, given } = wanted;
  const going = exploring(looked.calm.scenario, { with: own.definitions, ...(depth === undefined ? {} : { depth }) });
  const { so, stopped } = await goThrough(going, budget, io, ({ runs, states, findings }) => ({
    enough: untilFound && findings.length > 0,
    text: `${runs} runs, ${states} states, ${findings.length} found`,
  })).catch((error: unknown): never => {
    throw error instanceof Untellable ? new BadInput(`${scenario.name}: ${error.message}`) : error;
  });
  if (so === undefined) return EXIT.held;
  const code = stopped === 'interrupted' ? EXIT.interrupted : so.findings.length > 0 ? EXIT.broken : EXIT.held;
  if (json) io.out(`${JSON.stringify(exploredDocument(so, scenario.name, code, given), null, 2)}\n`);
  else io.out(`${exploredLines(so, scenario.name, stopped, given, io.palette).join('\n')}\n`);
  return code;
}

function exploredLines(
  { runs, states, ends, deepest, complete, cut, findings }: Explored,
  name: string,
  stopped: 'spent' | 'interrupted' | undefined,
  given: boolean,
  palette: Palette,
): readonly string[] {
  const looked = palette.dim(`${count(runs, 'run')} · ${count(states, 'state')}`);
  const found = findings.length > 0;
  const headline = found
    ? palette.bad(`✗ ${name}: ${count(findings.length, 'thing')} found`)
    : palette.good(complete ? `✓ ${name}: it holds in every order within its instants` : `✓ ${name}: no order that was tried broke it`);
  return [
    `${headline}  ${looked}`,
    ...findings.flatMap(({ cause, words, seen }, at) => [
      '',
      `  ${at + 1}  ${palette.strong(cause.claim)}`,
      ...cause.message.split('\n').map((line) => `     ${line}`),
      ...(words.length === 0 ? [] : ['     out of their turn:', ...words.map((line) => `     - ${line}`)]),
      palette.dim(`     seen in ${count(seen, 'run')}`),
    ]),
    '',
    `  ${complete ? 'complete' : 'not complete'}: up to ${deepest} branchings in one run, ${count(ends.size, 'way')} to end; what makes no difference was tried in one order only`,
    ...(given ? ['  latencies were given to it, because it says none: 2 ms a request, 1 ms until news arrive'] : []),
    ...(cut === 0 ? [] : [`  ${count(cut, 'order')} deeper than --depth were not looked at`]),
    ...(stopped === undefined || complete
      ? []
      : [stopped === 'spent' ? '  more --budget looks at more (plateau: at everything)' : '  interrupted']),
  ];
}

const exploredDocument = ({ ends, findings, ...rest }: Explored, scenario: string, exitCode: number, given: boolean): unknown => ({
  exitCode,
  scenario,
  way: 'exhaustive',
  ...rest,
  ends: ends.size,
  latencyGiven: given,
  findings: findings.map(({ cause: { claim, message }, picks, words, seen }) => ({ claim, message, words, picks, seen })),
});

/** Makes every single deed at every point. */
async function deviateOne(looked: Survey, loaded: LoadedScenario, wanted: Wishes, io: Io): Promise<number> {
  const { budget, deeds, untilFound, json, seed, out } = wanted;
  const making = { with: loaded.own.definitions };
  const { so, stopped } = await goThrough(deviating(looked, making, deeds), budget, io, ({ runs, all, catches }) => ({
    enough: untilFound && catches.length > 0,
    text: `${runs} of ${all} faults tried, ${catches.length} found`,
  }));
  if (so === undefined) return EXIT.held;
  const ground = { scenario: looked.calm.scenario, field: { ...looked.field, seed, deeds } };
  const findings = so.catches.flatMap((caught) => findingOf(ground, caught, making) ?? []);
  const files = writeFound(
    findings.map(({ cause: { claim }, scenario, choices, words }) => ({ claim, scenario, choices, words })),
    loaded,
    seed,
    out,
    io.cwd,
  );
  const code = stopped === 'interrupted' ? EXIT.interrupted : findings.length > 0 ? EXIT.broken : EXIT.held;
  const told = findings.map(({ cause: { claim }, choices, words }, at) => ({ claim, words, choices, file: files[at] ?? '' }));
  const { points, ...rest } = so;
  if (json)
    io.out(
      `${JSON.stringify({ exitCode: code, scenario: loaded.scenario.name, way: 'deviations', runs: rest.runs, all: rest.all, stuck: rest.stuck, points: Object.fromEntries(points), findings: told }, null, 2)}\n`,
    );
  else io.out(`${deviatedLines(so, loaded, told, stopped, io.palette).join('\n')}\n`);
  return code;
}

function deviatedLines(
  { runs, all, points, stuck }: Deviated,
  { scenario: { name }, flags }: LoadedScenario,
  findings: readonly { readonly claim: string; readonly words: readonly string[]; readonly file: string }[],
  stopped: 'spent' | 'interrupted' | undefined,
  palette: Palette,
): readonly string[] {
  const tried = runs === all ? `all ${all} tried` : `${runs} of ${all} tried`;
  const headline =
    findings.length > 0
      ? palette.bad(`✗ ${name}: ${count(findings.length, 'thing')} found`)
      : palette.good(runs === all ? `✓ ${name}: no single fault breaks it` : `✓ ${name}: no single fault that was tried broke it`);
  const total = [...points.values()].reduce((sum, many) => sum + many, 0);
  return [
    `${headline}  ${palette.dim(tried)}`,
    ...findings.flatMap(({ claim, words, file }, at) => [
      '',
      `  ${at + 1}  ${palette.strong(claim)}`,
      ...words.map((line) => `     ${line}`),
      `     see it again: npx orchsim run ${shellWord(file)}${flags === undefined ? '' : ` ${flags}`} -v`,
    ]),
    '',
    `  at ${count(total, 'point')}: ${[...points].map(([sort, many]) => `${sort} ${many}`).join(', ')}`,
    ...(stuck === 0 ? [] : [`  ${count(stuck, 'run')} ended early, because a step could not be taken then`]),
    ...(stopped === undefined ? [] : [stopped === 'spent' ? '  more --budget tries more (plateau: all of them)' : '  interrupted']),
  ];
}

/** `search --exhaustive`: tries every order within instants, and reports how complete the search was. */
import { elsewhereText, findingLines } from './report-lines.ts';
import {
  choicesFor,
  exploring,
  OpaqueState,
  type Catch,
  type Explored,
  type OrderFinding,
  type Baseline,
} from '../../../lab/search/index.ts';
import { count, shellWord, type Palette } from '../../report/index.ts';
import { runToEnd, reduceAndWrite } from './exhaustive-runner.ts';
import { BadInput, EXIT } from '../exit.ts';
import { momentsBuild } from '../moments.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { type Reported, also } from './files.ts';
import type { SearchOptions } from './options.ts';

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

interface Story {
  readonly latest: Explored;
  /** Orders that choices reproduce, with a file. */
  readonly reported: readonly Reported[];
  /** Orders that no delay reproduces. */
  readonly orders: readonly OrderFinding[];
  readonly stopped: 'spent' | 'interrupted' | undefined;
  readonly given: boolean;
}

function exploredLines(
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

function exploredDocument(
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

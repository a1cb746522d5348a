/** `search --deviations 1`: tries every single fault at every point. */
import { elsewhereText, findingLines } from './report-lines.ts';
import { deviating, type Deviated, type Baseline } from '../../../lab/search/index.ts';
import { count, type Palette } from '../../report/index.ts';
import { EXIT } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { runToEnd, reduceAndWrite } from './exhaustive-runner.ts';
import type { Reported } from './files.ts';
import type { SearchOptions } from './options.ts';

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

const deviatedDocument = (
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

function deviatedLines(
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

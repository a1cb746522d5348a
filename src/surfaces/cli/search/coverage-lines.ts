/** The coverage of a search as lines: how much was reached, or with every table. */
import { compareText } from '../../../schema/values/index.ts';
import { knownBy, type MomentCoverage, type Reach, type Tally } from '../../../lab/search/index.ts';
import { count, reasonsOf, table, type Known, type Palette } from '../../report/index.ts';

export interface SearchCoverage {
  readonly reach: Reach;
  readonly runs: number;
  readonly known: Known;
  readonly whole: boolean;
}

/** Reasons in the sources of the active controllers: given ones and missing ones. */
export function sourcesOf({ reach: { reasons }, known }: Pick<SearchCoverage, 'reach' | 'known'>): ReturnType<typeof reasonsOf>['reasons'] {
  const atWork = new Set(reasons.map(({ controller }) => controller));
  const given = reasons.flatMap(({ controller, said }) => said.map((reason) => [controller, reason, 1] as const));
  return reasonsOf(given, known).reasons.filter(({ of }) => atWork.has(of));
}

export function searchCoverageLines(coverage: SearchCoverage, palette: Palette): readonly string[] {
  const { reach, runs, whole } = coverage;
  const said = reach.reasons.reduce((sum, each) => sum + each.said.length, 0);
  const { tried, untried } = reach;
  const sources = sourcesOf(coverage);
  const given = sources.reduce((sum, { taken }) => sum + taken.length, 0);
  const missed = sources.flatMap(({ of, missed: never }) => never.map((reason) => `${of}: ${reason}`));
  const lastNewRun = reach.curve.at(-1)?.run ?? 0;
  return [
    `  ${count(runs, 'run')} reached ${count(said, 'reason')} of ${count(reach.reasons.length, 'controller')}: half of them by run ${knownBy(reach, 0.5)}, 90 % by run ${knownBy(reach, 0.9)}, the last new one in run ${lastNewRun}`,
    ...(!whole || sources.length === 0
      ? []
      : [
          `  ${given} of ${count(given + missed.length, 'reason')} in the sources of these controllers were given${missed.length === 0 ? '' : `; not: ${missed.join(' | ')}`}`,
        ]),
    ...(whole ? [`  faults: ${tried.length === 0 ? 'none' : doneText(tried)}`] : []),
    ...(!whole || untried.length === 0
      ? []
      : [
          `  ${tried.length} of ${tried.length + untried.length} pairs of a fault and a target were tried; not: ${untried
            .map(({ injectedFault, whom }) => `${injectedFault} (${whom})`)
            .join(', ')}`,
        ]),
    ...(whole && tried.length > 0 ? triedTable(tried, palette) : []),
    ...(runs - lastNewRun < runs / 4 ? ['  new reasons were still being reached at the end: a larger --budget may find more'] : []),
    ...(reach.idle.length === 0 ? [] : [`  not exercised in any run: ${reach.idle.join(', ')}`]),
  ];
}

/** Moments by controller and fault: how many of them were tried. */
export const momentsTable = ({ rows }: MomentCoverage, palette: Palette): readonly string[] =>
  rows.length === 0
    ? []
    : table([
        ['    FAULT', 'TO', 'MOMENTS TRIED', 'OF'].map((head) => palette.dim(head)),
        ...rows.map(({ injectedFault, whom, tried, of }) => [
          `    ${injectedFault}`,
          whom,
          tried === 0 ? palette.dim('·') : String(tried),
          String(of),
        ]),
      ]);

export function doneBy(tried: readonly Tally[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const one of tried) times.set(one.injectedFault, (times.get(one.injectedFault) ?? 0) + one.times);
  return new Map([...times].sort(([a], [b]) => compareText(a, b)));
}

const doneText = (tried: readonly Tally[]): string =>
  [...doneBy(tried)].map(([injectedFault, times]) => `${injectedFault} ${times}`).join(', ');

function triedTable(tried: readonly Tally[], palette: Palette): readonly string[] {
  return table([
    ['    FAULT', 'TO', 'TIMES', 'BROKE', 'NEW REASON', 'NOTHING NEW'].map((head) => palette.dim(head)),
    ...tried.map(({ injectedFault, whom, times, broke, news, nothing }) => [
      `    ${injectedFault}`,
      whom,
      ...[times, broke, news, nothing].map((n) => (n === 0 ? palette.dim('·') : String(n))),
    ]),
  ]);
}

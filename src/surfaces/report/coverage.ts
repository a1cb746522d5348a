/** Coverage of runs, as a table and as data: faults × controllers, exercised invariants, reasons of decisions. */
import { compareText } from '../../schema/values/index.ts';
import { sumCoverage, type Coverage } from '../../lab/coverage.ts';
import type { Palette } from './terminal.ts';
import type { RunSummary } from './summary.ts';
import { count, firstLines, table } from './table.ts';

export interface Known {
  readonly faults: readonly string[];
  /** Reasons by the folder of their controllers; `…` stands for the variable parts. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}

export type CoverageReport = ReturnType<typeof coverageReport>;

const patternOf = (reason: string): RegExp =>
  new RegExp(
    `^${reason
      .replaceAll(/\d+(?:\.\d+)?/g, '…')
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

export function coverageReport(runs: readonly RunSummary[], known: Known) {
  const { faults, injected, reasons } = sumCoverage(runs.flatMap(({ coverage }) => coverage ?? []));
  const exercised = new Map<string, number>();
  for (const run of runs) for (const { name, exercised: seen } of run.invariants) exercised.set(name, (exercised.get(name) ?? 0) + seen);
  const times = new Map(injected);
  const names = [...new Set([...known.faults, ...times.keys()])];
  return {
    runs: runs.length,
    faults: names.map((fault) => ({
      fault,
      injected: times.get(fault) ?? 0,
      controllers: Object.fromEntries(faults.filter(([of]) => of === fault).map(([, controller, met]) => [controller, met])),
    })),
    invariants: [...exercised].map(([name, seen]) => ({ name, exercised: seen })),
    ...reasonsOf(reasons, known),
  };
}

/** Counts the given reasons by the branches of the sources. */
export function reasonsOf(given: Coverage['reasons'], { reasons }: Pick<Known, 'reasons'>) {
  const branches = Object.entries(reasons).flatMap(([of, texts]) =>
    texts.map((reason) => ({ of, reason, pattern: patternOf(reason), open: reason.split('…').length, times: 0 })),
  );
  // If several patterns match, the most specific one counts.
  const closest = [...branches].sort((a, b) => a.open - b.open || b.reason.length - a.reason.length);
  /** Reasons outside the sources' list: composed at run time, or given by controllers of a user. */
  const others: { controller: string; reason: string; times: number }[] = [];
  for (const [controller, reason, times] of given) {
    const fitting = closest.filter(({ pattern }) => pattern.test(reason));
    const branch = fitting.find(({ of }) => of === controller) ?? fitting[0];
    if (branch === undefined) others.push({ controller, reason, times });
    else branch.times += times;
  }
  return {
    others,
    reasons: Object.keys(reasons).map((of) => {
      const own = branches.filter((branch) => branch.of === of);
      return {
        of,
        taken: own.filter(({ times }) => times > 0).map(({ reason, times }) => ({ reason, times })),
        missed: own.filter(({ times }) => times === 0).map(({ reason }) => reason),
      };
    }),
  };
}

/** The table lists at most so many missing reasons; JSON has all. */
const SHOWN = 3;

export function coverageLines({ runs, faults, invariants, reasons, others }: CoverageReport, palette: Palette): readonly string[] {
  const injected = faults.filter((each) => each.injected > 0);
  const met = [...new Set(injected.flatMap(({ controllers }) => Object.keys(controllers)))].sort(compareText);
  const idle = faults.filter((each) => each.injected === 0).map(({ fault }) => fault);
  const judged = invariants.filter(({ exercised }) => exercised > 0);
  const vacuous = invariants.filter(({ exercised }) => exercised === 0).map(({ name }) => name);
  const taken = reasons.reduce((sum, each) => sum + each.taken.length, 0);
  const there = reasons.reduce((sum, each) => sum + each.taken.length + each.missed.length, 0);
  const faultRows = injected.map(({ fault, injected: times, controllers }) => [
    `    ${fault}`,
    String(times),
    ...met.map((controller) => String(controllers[controller] ?? palette.dim('·'))),
  ]);
  const reasonRows = reasons
    .filter((each) => each.taken.length > 0)
    .map(({ of, taken: given, missed }) => [
      `    ${of}`,
      `${given.length} of ${given.length + missed.length}`,
      palette.dim(missed.length === 0 ? '' : `missing: ${firstLines(missed, SHOWN).join(' | ')}`),
    ]);
  return [
    '',
    palette.strong(`coverage of ${count(runs, 'run')}`),
    `  faults: ${injected.length} of ${faults.length} were injected; how often a controller was active within ten seconds of each`,
    ...(injected.length === 0 ? [] : table([['    FAULT', 'TIMES', ...met].map((head) => palette.dim(head)), ...faultRows])),
    ...(idle.length === 0 ? [] : [palette.dim(`    never: ${idle.join(', ')}`)]),
    `  invariants: ${judged.length} of ${invariants.length} were exercised`,
    ...(vacuous.length === 0 ? [] : [palette.dim(`    not exercised: ${vacuous.join(', ')}`)]),
    `  reasons of decisions: ${taken} of ${there} in the sources were given, and ${count(others.length, 'other')}`,
    ...table(reasonRows),
  ];
}

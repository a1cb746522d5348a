/** The results of one scenario with many seeds: what held, what was exercised, and the commands that replay failing seeds. */
import { createDigest } from '../../engine/digest.ts';
import { present, pushTo, unlessEmpty } from '../../schema/values/index.ts';
import { formatSince, withoutChance, type DiscriminatingFeature } from '../../lab/trace/index.ts';
import type { Unread } from './json.ts';
import type { RunSummary } from './summary.ts';
import { junitDocument, messageOf, skippedCase, unreadSuites, type JunitSuite } from './junit.ts';
import { replayCommand } from './explain.ts';
import { PLAIN, type Palette } from './terminal.ts';
import { count, grouped, pad } from './table.ts';
import { verdictLines } from './text.ts';

type SweepSummary = NonNullable<ReturnType<typeof mergeSweep>>;

/** Seeds with the same failure, and features that distinguish them from the seeds that held (or, if none held, from other failures). */
export interface CommonFeatures {
  readonly failure: string;
  readonly seeds: readonly number[];
  readonly comparedWith: 'held' | 'failed in another way' | 'nothing';
  readonly features: readonly DiscriminatingFeature[];
}

/**
 * Summarises the runs of one scenario, in the order of their seeds. Returns undefined without runs. `common`: features that the failing seeds
 * share and the others lack; `unrun`: seeds that were not run because of an interruption.
 */
export function mergeSweep(runs: readonly RunSummary[], common: readonly CommonFeatures[] = [], unrun: readonly number[] = []) {
  const [first] = runs;
  if (first === undefined) return undefined;
  const digest = createDigest();
  const invariants = new Map<string, { name: string; temporal: string; held: boolean; exercised: number }>();
  for (const run of runs) {
    digest.mixText(run.digest);
    for (const { name, temporal, held, exercised } of run.invariants) {
      const sum = invariants.get(name);
      invariants.set(name, { name, temporal, held: held && (sum?.held ?? true), exercised: exercised + (sum?.exercised ?? 0) });
    }
  }
  const sum = (of: (run: RunSummary) => number): number => runs.reduce((total, run) => total + of(run), 0);
  return present({
    scenario: first.scenario,
    title: first.title,
    file: first.file,
    seeds: runs.length,
    held: runs.filter(({ verdict }) => verdict === 'held').length,
    failing: runs.flatMap((run) => {
      const [failure] = run.failures;
      if (failure === undefined) return [];
      const { seed, verdict, file, flags } = run;
      const { kind, message, invariant, sinceStartMs } = failure;
      return [present({ seed, verdict, kind, message, invariant, sinceStartMs, replay: replayCommand(file, seed, flags) })];
    }),
    common,
    unrun: unlessEmpty(unrun),
    invariants: [...invariants.values()],
    commits: sum(({ counters }) => counters.commits),
    steps: sum(({ steps }) => steps),
    longestMs: runs.reduce((longest, { lengthMs }) => Math.max(longest, lengthMs), 0),
    digest: digest.text(),
  });
}

const NAME = 34;
/** At most so many failures, and so many seeds of each, are listed. */
const SHOWN = 10;
const LISTED = 20;

export function sweepLines(sweep: SweepSummary, palette: Palette): readonly string[] {
  const whole = sweep.held === sweep.seeds;
  const mark = whole ? palette.good('✓') : palette.bad('✗');
  const verdict = whole ? `all ${count(sweep.seeds, 'seed')} held` : `${grouped(sweep.held)} of ${count(sweep.seeds, 'seed')} held`;
  const unseen = sweep.invariants.filter(({ held, exercised }) => held && exercised === 0).length;
  const seen =
    sweep.invariants.length === 0
      ? []
      : [`${sweep.invariants.length - unseen} of ${count(sweep.invariants.length, 'invariant')} exercised`];
  const facts = [count(sweep.commits, 'write'), `longest ${formatSince(sweep.longestMs)}`, ...seen, `digest ${sweep.digest}`];
  const lines = [
    `${mark} ${pad(palette.strong(sweep.scenario), NAME)} ${whole ? palette.good(verdict) : palette.bad(verdict)}`,
    `    ${palette.dim(facts.join(' · '))}`,
  ];
  if (sweep.unrun !== undefined) lines[0] = `${lines[0] ?? ''}, ${count(sweep.unrun.length, 'seed')} not run`;
  const groups = groupByFailure(sweep.failing);
  for (const [key, failing] of [...groups].slice(0, SHOWN)) {
    const [first] = failing;
    if (first === undefined) continue;
    const seeds = failing
      .slice(0, LISTED)
      .map(({ seed }) => seed)
      .join(', ');
    lines.push(
      `    ${palette.bad(messageOf(first))}`,
      `      ${failing.length === 1 ? 'seed' : count(failing.length, 'seed')} ${seeds}${failing.length > LISTED ? ', …' : ''}`,
      ...commonLines(
        sweep.common.find(({ failure }) => failure === key),
        palette,
      ),
      `      ${first.replay}`,
    );
  }
  if (groups.size > SHOWN) lines.push(`    and ${count(groups.size - SHOWN, 'other failure')} (--json names them all)`);
  return lines;
}

/** Sums up the sweeps of several scenarios: those that failed, and files that could not be read, by name. */
export function sweepTotals(sweeps: readonly SweepSummary[], unread: readonly Unread[], palette: Palette): readonly string[] {
  const failed = sweeps.filter(({ held, seeds }) => held < seeds);
  const said = failed.map(({ scenario, file, held, seeds }) => [scenario, `${file}, ${seeds - held} of ${count(seeds, 'seed')}`] as const);
  const verdict = `${count(sweeps.length - failed.length, 'scenario')} held under every seed, ${failed.length} did not`;
  return verdictLines(verdict, said, unread, palette);
}

/** The features that failing seeds share, with their frequencies. */
function commonLines(common: CommonFeatures | undefined, palette: Palette): readonly string[] {
  if (common === undefined || common.comparedWith === 'nothing') return [];
  const others = common.comparedWith === 'held' ? 'that held' : 'that failed in another way';
  if (common.features.length === 0) return [palette.dim(`      no event distinguishes them from those ${others}`)];
  return [
    `      common to these seeds, and absent in those ${others}:`,
    ...common.features.map(
      ({ text, here, elsewhere }) => `        ${text} ${palette.dim(`(${here} of these, ${elsewhere} of the others compared)`)}`,
    ),
  ];
}

/** Returns the text by which failures are grouped: generated names are left out. */
export const failureKey = (failure: Parameters<typeof messageOf>[0]): string => withoutChance(messageOf(failure));

export function groupByFailure<One extends Parameters<typeof messageOf>[0]>(failing: readonly One[]): ReadonlyMap<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of failing) pushTo(groups, failureKey(one), one);
  return groups;
}

/** Sweeps as JUnit XML: a suite for each scenario, a case for each seed. Each failure lists the features that the failing seeds share. */
export function sweepsJunit(
  sweeps: readonly SweepSummary[],
  runs: readonly { readonly run: RunSummary; readonly tookMs: number }[],
  unread: readonly Unread[] = [],
): string {
  return junitDocument([
    ...sweeps.map((sweep): JunitSuite => {
      const { scenario, file, common, unrun = [] } = sweep;
      const cases = runs.filter(({ run }) => run.scenario === scenario && run.file === file);
      return {
        name: file,
        cases: [
          ...cases.map(({ run: { seed, lengthMs, failures }, tookMs }) => ({
            name: `${scenario} seed ${seed}`,
            tookMs,
            lengthMs,
            failures: failures.map((failure) => ({
              type: failure.kind,
              message: messageOf(failure),
              text: [
                failure.message,
                ...failure.detail,
                ...commonLines(
                  common.find(({ seeds, failure: key }) => seeds.includes(seed) && key === failureKey(failure)),
                  PLAIN,
                ).map((line) => line.trim()),
                `see it again: ${sweep.failing.find((one) => one.seed === seed)?.replay ?? ''}`,
              ].join('\n'),
            })),
          })),
          ...unrun.map((seed) => skippedCase(`${scenario} seed ${seed}`)),
        ],
      };
    }),
    ...unreadSuites(unread),
  ]);
}

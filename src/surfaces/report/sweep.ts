/** One scenario under many seeds, in a line: what held, what was ever seen, and for each seed that failed the command that replays it. */
import { createDigest } from '../../engine/digest.ts';
import { formatSince } from '../../lab/trace/index.ts';
import { replayCommand } from './explain.ts';
import type { Palette } from './palette.ts';
import type { RunSummary } from './summary.ts';
import { count, grouped, pad } from './table.ts';

export interface SweepSummary {
  readonly scenario: string;
  readonly title?: string;
  readonly file: string;
  readonly seeds: number;
  readonly held: number;
  readonly failing: readonly {
    readonly seed: number;
    readonly verdict: RunSummary['verdict'];
    readonly kind: string;
    readonly message: string;
    readonly invariant?: string;
    readonly sinceStartMs: number;
    readonly replay: string;
  }[];
  /** Over all seeds. */
  readonly invariants: readonly { readonly name: string; readonly temporal: string; readonly held: boolean; readonly witnesses: number }[];
  readonly commits: number;
  readonly steps: number;
  readonly longestMs: number;
  /** A fingerprint of all runs in the order of their seeds. */
  readonly digest: string;
}

/** Runs of one scenario, in the order of their seeds. */
export function mergeSweep(runs: readonly RunSummary[]): SweepSummary | undefined {
  const [first] = runs;
  if (first === undefined) return undefined;
  const digest = createDigest();
  const invariants = new Map<string, { name: string; temporal: string; held: boolean; witnesses: number }>();
  for (const run of runs) {
    digest.mixText(run.digest);
    for (const { name, temporal, held, witnesses } of run.invariants) {
      const sum = invariants.get(name);
      invariants.set(name, { name, temporal, held: held && (sum?.held ?? true), witnesses: witnesses + (sum?.witnesses ?? 0) });
    }
  }
  const sum = (of: (run: RunSummary) => number): number => runs.reduce((total, run) => total + of(run), 0);
  return {
    scenario: first.scenario,
    ...(first.title === undefined ? {} : { title: first.title }),
    file: first.file,
    seeds: runs.length,
    held: runs.filter(({ verdict }) => verdict === 'held').length,
    failing: runs.flatMap((run) => {
      const [failure] = run.failures;
      if (failure === undefined) return [];
      const { kind, message, invariant, sinceStartMs } = failure;
      return [
        {
          seed: run.seed,
          verdict: run.verdict,
          kind,
          message,
          ...(invariant === undefined ? {} : { invariant }),
          sinceStartMs,
          replay: replayCommand(run.file, run.seed, run.flags),
        },
      ];
    }),
    invariants: [...invariants.values()],
    commits: sum(({ counters }) => counters.commits),
    steps: sum(({ steps }) => steps),
    longestMs: runs.reduce((longest, { lengthMs }) => Math.max(longest, lengthMs), 0),
    digest: digest.text(),
  };
}

const NAME = 34;
/** Different failures told, and seeds listed of each. */
const SHOWN = 10;
const LISTED = 20;

export function sweepLines(sweep: SweepSummary, palette: Palette): readonly string[] {
  const whole = sweep.held === sweep.seeds;
  const mark = whole ? palette.good('✓') : palette.bad('✗');
  const verdict = whole ? `all ${count(sweep.seeds, 'seed')} held` : `${grouped(sweep.held)} of ${count(sweep.seeds, 'seed')} held`;
  const unseen = sweep.invariants.filter(({ held, witnesses }) => held && witnesses === 0).length;
  const seen =
    sweep.invariants.length === 0 ? [] : [`${sweep.invariants.length - unseen} of ${count(sweep.invariants.length, 'invariant')} at stake`];
  const facts = [count(sweep.commits, 'write'), `longest ${formatSince(sweep.longestMs)}`, ...seen, `digest ${sweep.digest}`];
  const lines = [
    `${mark} ${pad(palette.strong(sweep.scenario), NAME)} ${whole ? palette.good(verdict) : palette.bad(verdict)}`,
    `    ${palette.dim(facts.join(' · '))}`,
  ];
  const alike = groupAlike(sweep.failing);
  for (const [message, failing] of [...alike].slice(0, SHOWN)) {
    const [first] = failing;
    if (first === undefined) continue;
    const seeds = failing
      .slice(0, LISTED)
      .map(({ seed }) => seed)
      .join(', ');
    lines.push(
      `    ${palette.bad(message)}`,
      `      ${failing.length === 1 ? 'seed' : count(failing.length, 'seed')} ${seeds}${failing.length > LISTED ? ', …' : ''}`,
      `      ${first.replay}`,
    );
  }
  if (alike.size > SHOWN) lines.push(`    and ${count(alike.size - SHOWN, 'other failure')} (--json names them all)`);
  return lines;
}

/** Seeds that failed in the same words. */
function groupAlike(failing: SweepSummary['failing']): ReadonlyMap<string, SweepSummary['failing'][number][]> {
  const alike = new Map<string, SweepSummary['failing'][number][]>();
  for (const one of failing) {
    const message = one.invariant === undefined ? one.message : `${one.invariant}: ${one.message}`;
    const group = alike.get(message);
    if (group === undefined) alike.set(message, [one]);
    else group.push(one);
  }
  return alike;
}

/** The summary of a run as plain data, and runs as a JSON document. The same seed gives the same bytes on every machine. */
import type { Coverage } from '../../lab/coverage.ts';
import { type LintWarning, lintWarningsOn } from '../../lab/scenario/index.ts';
import type { InvariantResult, Liveness, Run, RunFailure, Verdict } from '../../lab/simulation/index.ts';
import { formatParts, type NarrationStep } from '../../lab/trace/index.ts';
import type { CoverageReport } from './coverage.ts';
import { type Explanation, replayCommand } from './explain.ts';

/** A run without its trace and its cluster: plain data, for reports, files and other threads. */
export interface RunSummary {
  readonly scenario: string;
  readonly title?: string;
  readonly file: string;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly failures: readonly RunFailure[];
  readonly invariants: readonly InvariantResult[];
  /** The narration, and the trace step of each part. */
  readonly narrationSteps: readonly NarrationStep[];
  readonly digest: string;
  readonly counters: { readonly commits: number; readonly deliveries: number; readonly reconciles: number; readonly refusals: number };
  /** Number of kernel events. */
  readonly steps: number;
  /** Virtual milliseconds. */
  readonly lengthMs: number;
  readonly settled: boolean;
  /** Parts of its files without effect, and rules of the specification that were not enforced; absent: none. */
  readonly lintWarnings?: readonly LintWarning[];
  /** The coverage of the run; absent: not requested. */
  readonly coverage?: Coverage;
  /** A livelock, if one was found; absent: none, or not searched for. */
  readonly liveness?: Liveness;
  /** Command line options that change the run, such as `--rules recorded`; absent: none. */
  readonly flags?: string;
}

/** Summarises a run. `flags`: options of the command line that its replay needs. */
export function summarize(run: Run, file: string, flags = ''): RunSummary {
  const {
    scenario: { name, title },
    seed,
    verdict,
    failures,
    invariants,
    narrationSteps,
    digest,
    counters,
    steps,
    lengthMs,
    settled,
  } = run;
  const lintWarnings = [...lintWarningsOn(run.scenario, (kind) => run.cluster.kinds.byKind(kind)?.schema), ...run.lintWarnings];
  return {
    scenario: name,
    ...(title === undefined ? {} : { title }),
    file,
    seed,
    verdict,
    failures,
    invariants,
    narrationSteps: narrationSteps.filter(({ text }) => text !== undefined),
    digest,
    counters: { ...counters },
    steps,
    lengthMs,
    settled,
    ...(lintWarnings.length === 0 ? {} : { lintWarnings }),
    ...(flags === '' ? {} : { flags }),
  };
}

export interface ExplainedRun {
  readonly run: RunSummary;
  /** One for each failure. */ readonly explanations: readonly Explanation[];
  /** Milliseconds of real time. Not deterministic, so it is not in the document. */
  readonly tookMs?: number;
}

const failureJson = (run: RunSummary, failure: RunFailure, explanation: Explanation | undefined): object => ({
  ...failure,
  causes: (explanation?.chain ?? []).map((parts) => ({ ...parts, line: formatParts(parts).trimStart() })),
  ...(explanation?.waits === undefined ? {} : { waits: explanation.waits }),
  ...(explanation?.cacheView === undefined ? {} : { cacheView: explanation.cacheView }),
  ...(explanation?.busiest === undefined ? {} : { busiest: explanation.busiest }),
  replay: replayCommand(run.file, run.seed, run.flags),
});

/** Runs that an interruption prevented. */
export interface Unrun {
  readonly scenario: string;
  readonly file: string;
  readonly seed: number;
}

/** A file that could not be read, with the problems, a line each. */
export interface Unread {
  readonly file: string;
  readonly messages: readonly string[];
}

/** Optional parts of the document. */
export interface Extras {
  readonly unrun?: readonly Unrun[];
  readonly unread?: readonly Unread[];
  readonly coverage?: CoverageReport | undefined;
}

/** Returns the document that `run --format json` prints; it is complete after an interruption too. */
export function runsJson(runs: readonly ExplainedRun[], exitCode: number, { unrun = [], unread = [], coverage }: Extras = {}): string {
  const held = runs.filter(({ run }) => run.verdict === 'held').length;
  const document = {
    held,
    broken: runs.filter(({ run }) => run.verdict === 'broken').length,
    unsettled: runs.filter(({ run }) => run.verdict === 'unsettled').length,
    exitCode,
    ...(unrun.length === 0 ? {} : { interrupted: { run: runs.length, of: runs.length + unrun.length, unrun } }),
    ...(unread.length === 0 ? {} : { unreadable: unread }),
    ...(coverage === undefined ? {} : { coverage }),
    runs: runs.map(({ run, explanations }) => ({
      ...run,
      failures: run.failures.map((failure, at) => failureJson(run, failure, explanations[at])),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

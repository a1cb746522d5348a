/** Runs as a JSON document. The same seed gives the same bytes on every machine. */
import { formatParts } from '../../lab/trace/index.ts';
import type { RunFailure } from '../../lab/simulation/index.ts';
import { replayCommand, type Explanation } from './explain.ts';
import type { CoverageReport } from './coverage.ts';
import type { RunSummary } from './summary.ts';

export interface ExplainedRun {
  readonly run: RunSummary;
  /** One for each failure. */ readonly explanations: readonly Explanation[];
  /** Milliseconds of real time. Not deterministic, so it is not in the document. */
  readonly tookMs?: number;
}

const failureJson = (run: RunSummary, failure: RunFailure, explanation: Explanation | undefined): object => ({
  ...failure,
  causes: (explanation?.chain ?? []).map((parts) => ({ ...parts, line: formatParts(parts).trimStart() })),
  waits: explanation?.waits ?? failure.waits,
  cacheView: explanation?.cacheView,
  busiest: explanation?.busiest,
  replay: replayCommand(run.file, run.seed, run.flags),
});

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

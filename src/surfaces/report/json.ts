/** Runs for programs: one document, the same bytes for the same seed, whatever the machine. */
import { formatParts } from '../../lab/trace/index.ts';
import type { RunFailure } from '../../lab/simulation/index.ts';
import { replayCommand, type Explanation } from './explain.ts';
import type { CoverageReport } from './coverage.ts';
import type { RunSummary } from './summary.ts';

export interface ExplainedRun {
  readonly run: RunSummary;
  /** One for each failure. */ readonly explanations: readonly Explanation[];
  /** Milliseconds of the machine's: no part of what is the same for the same seed. */
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

/** What was to be run, and was not, because somebody interrupted. */
export interface Unrun {
  readonly scenario: string;
  readonly file: string;
  readonly seed: number;
}

/** A file that was to be run and could not be read, and why, a line each. */
export interface Unread {
  readonly file: string;
  readonly messages: readonly string[];
}

/** What else there is to say of runs. */
export interface Besides {
  readonly unrun?: readonly Unrun[];
  readonly unread?: readonly Unread[];
  readonly coverage?: CoverageReport | undefined;
}

/** The document that `run --format json` prints; whole as well where it was interrupted. */
export function runsJson(runs: readonly ExplainedRun[], exitCode: number, { unrun = [], unread = [], coverage }: Besides = {}): string {
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

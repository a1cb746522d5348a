/** The summary of a run: plain data without trace and cluster, the same whichever thread ran it. */
import { lintWarningsOn, type LintWarning } from '../../lab/scenario/index.ts';
import type { FirstWrite, InvariantResult, Liveness, Run, RunFailure, Verdict } from '../../lab/simulation/index.ts';
import type { Coverage } from '../../lab/coverage.ts';
import type { NarrationStep } from '../../lab/trace/index.ts';

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
  /** Of a run that begins with a dump: what the restored cluster wrote by itself in its first minute. */
  readonly firstWrites?: readonly FirstWrite[];
  /** The coverage of the run; absent: not requested. */
  readonly coverage?: Coverage;
  /** A livelock, if one was found; absent: none, or not searched for. */
  readonly liveness?: Liveness;
  /** Command line options that change the run, such as `--rules recorded`; absent: none. */
  readonly flags?: string;
}

/** Summarises a run. `flags`: options of the command line that its replay needs. */
export function summarize(run: Run, file: string, flags = ''): RunSummary {
  const { seed, verdict, failures, invariants, narrationSteps, digest, counters, steps, lengthMs, settled } = run;
  const { name, title } = run.scenario;
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
    ...(run.firstWrites === undefined ? {} : { firstWrites: run.firstWrites }),
    ...(flags === '' ? {} : { flags }),
  };
}

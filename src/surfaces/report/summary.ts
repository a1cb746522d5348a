/** What is kept of a run when the cluster is let go: plain data, the same whichever thread made it. */
import { lintWarningsOn, type LintWarning } from '../../lab/scenario/index.ts';
import type { InvariantResult, Liveness, Run, RunFailure, Verdict } from '../../lab/simulation/index.ts';
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
  /** What is told, and where in the trace. */
  readonly narrationSteps: readonly NarrationStep[];
  readonly digest: string;
  readonly counters: { readonly commits: number; readonly deliveries: number; readonly reconciles: number; readonly refusals: number };
  /** Events the kernel handled. */
  readonly steps: number;
  /** Virtual milliseconds. */
  readonly lengthMs: number;
  readonly settled: boolean;
  /** What its files say in vain, and against rules that are not held against them; absent: nothing. */
  readonly lintWarnings?: readonly LintWarning[];
  /** What it has tried of what there is; absent: nobody asked. */
  readonly coverage?: Coverage;
  /** What it repeats for ever; absent: it got somewhere, or nobody asked. */
  readonly liveness?: Liveness;
  /** Options that its command had, such as `--rules recorded`; absent: none that matter. */
  readonly flags?: string;
}

/** `flags`: what was chosen on the command line and not by the file, for the command that runs it again. */
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

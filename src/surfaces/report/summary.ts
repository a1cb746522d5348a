/** The summary of a run: the same whichever thread ran it. */
import { lintWarningsOn, type LintWarning } from '../../lab/scenario/index.ts';
import type { Liveness, Run } from '../../lab/simulation/index.ts';
import type { Coverage } from '../../lab/coverage.ts';
import { present, unlessEmpty } from '../../schema/values/index.ts';

/** A run without its trace and its cluster: plain data, for reports, files and other threads. */
export interface RunSummary extends Omit<Run, 'scenario' | 'lintWarnings' | 'trace' | 'taken' | 'unused' | 'cluster'> {
  readonly scenario: string;
  readonly title?: string;
  readonly file: string;
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
  const { seed, verdict, failures, invariants, narrationSteps, digest, counters, steps, lengthMs, settled } = run;
  const { name, title } = run.scenario;
  const lintWarnings = [...lintWarningsOn(run.scenario, (kind) => run.cluster.kinds.byKind(kind)?.schema), ...run.lintWarnings];
  return present({
    scenario: name,
    title,
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
    lintWarnings: unlessEmpty(lintWarnings),
    firstWrites: run.firstWrites,
    flags: flags === '' ? undefined : flags,
  });
}

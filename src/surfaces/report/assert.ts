/** The failures of a run as text, as the command line reports them. */
import type { Run } from '../../lab/simulation/index.ts';
import { explain } from './explain.ts';
import { PLAIN } from './palette.ts';
import { printable } from './terminal.ts';
import { summarize } from './summary.ts';
import { failureLines, replayLines } from './text.ts';

/**
 * Returns what went wrong in a run, in words; empty when the run held. A run with a trace includes the causes. `file` is the path of the
 * scenario; without it there is no command that replays the run.
 */
export function describeFailures(run: Run, file?: string): string {
  const summary = summarize(run, file ?? run.scenario.source?.file ?? run.scenario.name);
  if (run.failures.length === 0) return '';
  const lines = run.failures.flatMap((failure) =>
    failureLines(summary, failure, run.trace === undefined ? undefined : explain(run.trace, failure), PLAIN),
  );
  const again =
    file === undefined ? ['', `  see it again: simulate(scenario, { seed: ${run.seed}, trace: true })`] : replayLines(summary, PLAIN);
  return printable([...lines, ...again].join('\n'));
}

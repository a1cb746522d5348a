/** A run in words and columns, for a terminal. Colours come from a palette, so that pipes and tests get none. */
import { chainOf, formatLine, formatSince } from '../../lab/trace/index.ts';
import type { Run, RunFailure } from '../../lab/simulation/index.ts';

export interface Palette { good(text: string): string; bad(text: string): string; dim(text: string): string; strong(text: string): string }
const same = (text: string): string => text;
export const PLAIN: Palette = { good: same, bad: same, dim: same, strong: same };

const count = (n: number, one: string): string => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`;

/** One line a scenario. */
export function runLine(run: Run, palette: Palette): string {
  const mark = run.verdict === 'held' ? palette.good('✓') : palette.bad('✗');
  const witnessed = run.invariants.filter(({ held, witnesses }) => held && witnesses > 0).length;
  const facts = `${formatSince(run.lengthMs)} virtual, ${count(run.counters.commits, 'write')}, ${count(witnessed, 'invariant')} held, digest ${run.digest}`;
  return `${mark} ${palette.strong(run.scenario.name.padEnd(34))} ${run.scenario.title ?? ''}\n    ${palette.dim(facts)}`;
}

/** A failure with what was expected and found, where, why, and how to see it again. */
export function failureText(run: Run, failure: RunFailure, file: string, palette: Palette): string {
  const at = failure.source === undefined ? file : `${failure.source.file}:${failure.source.line}:${failure.source.col}`;
  const head = failure.invariant === undefined ? failure.message : `invariant ${failure.invariant}: ${failure.message}`;
  const lines = [`  ${palette.bad(head)}`, ...failure.detail.map((line) => `  ${line}`), `  ${palette.dim(`at ${formatSince(failure.sinceStartMs)}, step ${failure.traceStep}, ${at}`)}`];
  if (run.trace !== undefined && failure.traceStep > 0) {
    lines.push('  how it came to that:', `  ${formatLine(run.trace, failure.traceStep)}`);
    for (const { step } of chainOf(run.trace, failure.traceStep).slice(0, 8)) lines.push(`  ${palette.dim(formatLine(run.trace, step))}`);
  }
  lines.push(`  see it again: npx orchsim run ${file} --seed ${run.seed} -v`);
  return lines.join('\n');
}

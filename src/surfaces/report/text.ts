/** A run in words, for a terminal: a line and its facts; for each failure what was expected and found, where, why, and how to see it again. */
import { formatSince, shortKey } from '../../lab/trace/index.ts';
import type { RunFailure } from '../../lab/simulation/index.ts';
import { replayCommand, type Explanation } from './explain.ts';
import type { Palette } from './palette.ts';
import { paintParts } from './paint.ts';
import type { RunSummary } from './summary.ts';
import { count, pad, table } from './table.ts';

const NAME = 34;

const marks = { held: '✓', broken: '✗', unsettled: '…' } as const;
const mark = ({ verdict }: RunSummary, palette: Palette): string => (verdict === 'held' ? palette.good : palette.bad)(marks[verdict]);

/** Invariants in a few words: how many held, and which never had a chance to break. */
function invariantText({ invariants }: RunSummary): string {
  if (invariants.length === 0) return 'no invariants';
  const held = invariants.filter((each) => each.held);
  const seen = held.reduce((sum, { witnesses }) => sum + witnesses, 0);
  return `${count(held.filter(({ witnesses }) => witnesses > 0).length, 'invariant')} held, seen ${count(seen, 'time')}`;
}

/** The line of a scenario and the facts below it. */
export function runLines(run: RunSummary, palette: Palette): readonly string[] {
  const facts = [`${formatSince(run.lengthMs)} of virtual time`, count(run.counters.commits, 'write'), count(run.counters.reconciles, 'decision'), invariantText(run), `seed ${run.seed}`, `digest ${run.digest}`];
  return [`${mark(run, palette)} ${pad(palette.strong(run.scenario), NAME)} ${run.title ?? ''}`.trimEnd(), `    ${palette.dim(facts.join(' · '))}`];
}

const headOf = ({ kind, invariant, message }: RunFailure): string => {
  switch (kind) {
    case 'invariant': return `invariant ${invariant ?? ''} is broken: ${message}`;
    case 'expectation': return `expectation failed: ${message}`;
    case 'step': return `a step failed: ${message}`;
    case 'limit': return `the run did not come to an end: ${message}`;
    default: { const never: never = kind; return never; }
  }
};

/** A failure in full. */
export function failureLines(run: RunSummary, failure: RunFailure, explanation: Explanation | undefined, palette: Palette): readonly string[] {
  const place = failure.source === undefined ? run.file : `${failure.source.file}:${failure.source.line}:${failure.source.col}`;
  const lines = ['', `  ${palette.bad(headOf(failure))}`, ...failure.detail.map((line) => `  ${line}`), `    ${palette.dim(`at ${formatSince(failure.sinceStartMs)}, step #${failure.traceStep}, ${place}`)}`];
  if (explanation !== undefined && explanation.chain.length > 0) {
    lines.push('', '  how it came to that, the latest first:', ...explanation.chain.map((parts) => `  ${paintParts(parts, palette)}`));
    if (explanation.more > 0) lines.push(`             ${palette.dim(`and ${count(explanation.more, 'earlier cause')}`)}`);
  }
  const busiest = explanation?.busiest ?? [];
  if (busiest.length > 0) lines.push('', '  busiest towards the end:', ...table(busiest.map(({ who, key, decisions, lastWhy }) => [`    ${who}`, shortKey(key), count(decisions, 'decision'), `last why: ${lastWhy}`])));
  lines.push('', `  see it again: ${palette.strong(replayCommand(run.file, run.seed))}`);
  return lines;
}

/** The closing line. */
export function totalsLine(runs: readonly RunSummary[], palette: Palette): string {
  const held = runs.filter(({ verdict }) => verdict === 'held').length;
  const text = `${count(held, 'scenario')} held, ${runs.length - held} did not`;
  return held === runs.length ? palette.good(text) : palette.bad(text);
}

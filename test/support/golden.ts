/**
 * A run as a golden text: one line for each action with its reason, written to be read as a diff. Steps, revisions and lease renewals are
 * left out, as is the waiting of controllers that never act in the run: a new controller must not change every scenario.
 */
import { createHash } from 'node:crypto';
import type { Run } from '../../src/lab/simulation/index.ts';
import { formatSince, type Entry, type LineParts } from '../../src/lab/trace/index.ts';
import { createTimeline } from '../../src/surfaces/report/index.ts';

/** The maximum number of lines of one scenario; the rest is counted and fingerprinted, so that a change is visible. */
const LONGEST = 400;

const doerOf = (entry: Entry): string | undefined =>
  entry.type === 'write' || entry.type === 'refusal'
    ? entry.controller
    : entry.type === 'reconcile' && entry.writes > 0
      ? entry.controller
      : undefined;

function line({ time, who, about, what, why }: LineParts): string {
  return `${time.padStart(11)}  ${who.padEnd(16)} ${about.padEnd(18)} ${what}${why === '' ? '' : `   (${why})`}`.trimEnd();
}

/** Returns the golden text of a run with a trace. */
export function goldenText(run: Run): string {
  const {
    scenario: { name, title = '', startAt },
    trace,
    verdict,
    invariants,
    lengthMs,
    seed,
  } = run;
  if (trace === undefined) throw new Error('a golden text is made of a trace: run with { trace: true }');
  const doers = new Set(trace.entries.map(doerOf));
  const timeline = createTimeline(startAt, 1);
  const lines: string[] = [];
  for (const [index, entry] of trace.entries.entries()) {
    const parts = timeline.next(entry, index + 1);
    if (entry.type === 'note')
      lines.push(
        '',
        ...entry.text
          .trim()
          .split('\n')
          .map((text) => `  | ${text.trim()}`),
      );
    else if (parts !== undefined && (entry.type !== 'reconcile' || doers.has(entry.controller))) lines.push(line(parts));
  }
  const rest = lines.splice(LONGEST);
  if (rest.length > 0)
    lines.push(`  … ${rest.length} more lines (${createHash('sha256').update(rest.join('\n')).digest('hex').slice(0, 16)})`);
  const seen = invariants
    .filter(({ exercised }) => exercised > 0)
    .map(
      ({ name: property, held, exercised }) =>
        `  ${held ? 'held' : 'BROKEN'}, seen ${exercised === 1 ? 'once' : `${exercised} times`}: ${property}`,
    );
  return [`${name} (seed ${seed}): ${title}`, '', ...lines, '', `${verdict} after ${formatSince(lengthMs)}`, ...seen, ''].join('\n');
}

/**
 * A run as a golden text: one line for each action with its reason, written to be read as a diff. Steps, revisions and lease renewals are
 * left out, as is the waiting of controllers that never act in the run: a new controller must not change every scenario. Sentences are
 * marked, for `wording.ts`; title and notes stand in the scenario, and are left out.
 */
import { createHash } from 'node:crypto';
import type { Run } from '../../src/lab/simulation/index.ts';
import { formatSince, type Entry, type LineParts } from '../../src/lab/trace/index.ts';
import { createTimeline } from '../../src/surfaces/report/index.ts';
import { marked } from './wording.ts';

/** The maximum number of lines of one scenario; the rest is counted and fingerprinted, so that a change is visible. */
const LONGEST = 400;

const doerOf = (entry: Entry): string | undefined =>
  entry.type === 'write' || entry.type === 'refusal'
    ? entry.controller
    : entry.type === 'reconcile' && entry.writes > 0
      ? entry.controller
      : undefined;

function line({ time, who, about, what, why }: LineParts): string {
  return `${time.padStart(11)}  ${who.padEnd(16)} ${about.padEnd(18)} ${withMarks(what)}${why === '' ? '' : `   ${marked(why)}`}`.trimEnd();
}

/** What a line says of a write is structure: operation, kind, names, fields. The message of an event is a sentence, and so is all else. */
function withMarks(what: string): string {
  if (/^(?:create|update|patch|delete|apply) [A-Z]/.test(what)) return what;
  const [, event = '', message = what] = /^(event \w+: )(.*)$/s.exec(what) ?? [];
  return `${event}${marked(message)}`;
}

/** Returns the golden text of a run with a trace, with marks around its sentences. */
export function goldenText(run: Run): string {
  const {
    scenario: { name, startAt },
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
  let notes = 0;
  for (const [index, entry] of trace.entries.entries()) {
    const parts = timeline.next(entry, index + 1);
    if (entry.type === 'note') lines.push('', `  | note ${++notes}`);
    else if (parts !== undefined && (entry.type !== 'reconcile' || doers.has(entry.controller))) lines.push(line(parts));
  }
  const seen = invariants
    .filter(({ exercised }) => exercised > 0)
    .map(
      ({ name: property, held, exercised }) =>
        `  ${held ? 'held' : 'BROKEN'}, seen ${exercised === 1 ? 'once' : `${exercised} times`}: ${property}`,
    );
  return [`${name} (seed ${seed})`, '', ...lines, '', `${verdict} after ${formatSince(lengthMs)}`, ...seen, ''].join('\n');
}

/** Returns the structure of a golden text, with a fingerprint in place of the lines that are too many. */
export function clipped(structure: string): string {
  const lines = structure.split('\n');
  const [first, end] = [2 + LONGEST, lines.lastIndexOf('', -2)];
  if (end <= first) return structure;
  const rest = lines.slice(first, end).join('\n');
  const fingerprint = createHash('sha256').update(rest).digest('hex').slice(0, 16);
  return lines.toSpliced(first, end - first, `  … ${end - first} more lines (${fingerprint})`).join('\n');
}

/** What a step tells: its headline, and what has broken up to it: when, in words, and the object whose write broke it. */
import type { ObjectName } from '../../../lab/trace/index.ts';
import type { Model } from './index.ts';
import { reportedAt } from './log.ts';

/** Log entries that are searched for the last change of a subject. */
const MOST = 5_000;

/**
 * Returns the step whose sentence is the headline of a step: at a note the last change of the note's subject, elsewhere the last entry of
 * the log that is no decision to wait. `single`: the reader asked for single entries, so it is the last one that is no note.
 */
export function headlineStep(of: Model, step: number, single: boolean): number {
  if (single) return lastEntry(of, step);
  const subject = subjectAt(of, step);
  const changed = subject === undefined ? undefined : lastChange(of, step, subject);
  if (changed !== undefined) return changed;
  const { told } = of.reported;
  return told[reportedAt({ steps: told }, step)] ?? 0;
}

function lastEntry({ trace: { entries } }: Model, step: number): number {
  let at = step;
  while (at > 0 && entries[at - 1]?.type === 'note') at--;
  return at;
}

function subjectAt({ run: { lesson } }: Model, step: number): ObjectName | undefined {
  const note = lesson.narrationSteps.findLast((each) => each.step === step);
  return note?.about ?? lesson.looks.findLast((each) => each.step === step)?.at;
}

function lastChange({ reported: { told }, trace: { entries } }: Model, step: number, subject: ObjectName): number | undefined {
  const key = subject.namespace === undefined ? subject.name : `${subject.namespace}/${subject.name}`;
  const from = reportedAt({ steps: told }, step);
  for (let at = from; at >= Math.max(0, from - MOST); at--) {
    const entry = entries[(told[at] ?? 0) - 1];
    if (entry?.type === 'write' && entry.change.kind === subject.kind && entry.change.key === key) return told[at];
  }
  return undefined;
}

/**
 * The breaches up to a step, the first one first. `uid`: that of the object of the last write before it; undefined: the breach is about
 * time, or about nothing that is there.
 */
export function breachesAt({ run: { failures }, trace: { entries } }: Model, step: number) {
  return failures
    .filter((failure) => failure.step <= step && failure.step > 0)
    .map(({ step: at, invariant, message }) => {
      let before = at;
      while (before > 0 && (entries[before - 1]?.type === 'check' || entries[before - 1]?.type === 'note')) before--;
      const entry = entries[before - 1];
      const uid = entry?.type === 'write' && entry.change.kind !== 'Event' ? entry.change.object.metadata.uid : undefined;
      return { step: at, title: invariant ?? 'Failed', message, uid };
    });
}

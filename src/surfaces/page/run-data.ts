/** What a page shows of a run: its trace, or a stretch of it, its verdict, its lesson. */
import type { Scenario } from '../../lab/scenario/index.ts';
import type { Run } from '../../lab/simulation/index.ts';
import { windowOf, type Trace } from '../../lab/trace/index.ts';
import type { Lesson, RunData } from './protocol.ts';

/** Entries that a page holds at once: beyond that it is slow to open. */
export const LONGEST = 100_000;

/** Steps `from + 1` to `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is shown first of a run of so many entries: what led to its first failure, or its beginning; undefined: all of it. */
export function stretchFor(entries: number, failedAt: number | undefined): Span | undefined {
  if (entries <= LONGEST) return undefined;
  const to = failedAt === undefined ? LONGEST : Math.max(LONGEST, Math.min(entries, failedAt + LONGEST / 10));
  return { from: to - LONGEST, to };
}

/** A stretch that begins after a step, or earlier where the run ends before it is full. */
export function stretchFrom({ entries }: Trace, step: number): Span | undefined {
  if (entries.length <= LONGEST) return undefined;
  const from = Math.max(0, Math.min(step, entries.length - LONGEST));
  return { from, to: from + LONGEST };
}

/** A run as a page shows it, all of it or a stretch. */
export function runDataOf(run: Run, whole: Trace, span?: Span): RunData {
  const { from, to } = span ?? { from: 0, to: whole.entries.length };
  const trace = span === undefined ? whole : windowOf(whole, from, to);
  const { scenario, seed, verdict, digest, failures, invariants, lengthMs } = run;
  return {
    name: scenario.name,
    seed,
    verdict,
    digest,
    failures: failures.map(({ kind, message, detail, traceStep, invariant }) => ({
      kind,
      message,
      detail,
      step: Math.max(0, Math.min(traceStep, to) - from),
      ...(invariant === undefined ? {} : { invariant }),
    })),
    invariants: {
      atStake: invariants.filter(({ witnesses }) => witnesses > 0).length,
      broken: invariants.filter(({ held }) => !held).length,
    },
    lesson: lessonOf(scenario, beatsIn(run.beats, from, to)),
    trace,
    lengthMs,
    ...(span === undefined ? {} : { window: { from, of: whole.entries.length } }),
  };
}

/** What is told beside a run, with the questions that its moments answer and what may be tried there. */
function lessonOf({ name, title, teaches }: Scenario, beats: Run['beats']): Lesson {
  return {
    title: title ?? name,
    ...(teaches === undefined ? {} : { teaches }),
    beats: beats.flatMap(({ text = '', traceStep, taken, about, ask, tries }) =>
      text === '' && ask === undefined && tries === undefined
        ? []
        : [
            {
              step: traceStep,
              taken,
              note: text,
              ...(about === undefined ? {} : { about }),
              ...(ask === undefined ? {} : { ask }),
              ...(tries === undefined ? {} : { tries }),
            },
          ],
    ),
    looks: beats.flatMap(({ traceStep, look }) => (look === undefined ? [] : [{ step: traceStep, ...look }])),
  };
}

/** Beats of a stretch, by its own steps. */
const beatsIn = (beats: Run['beats'], from: number, to: number): Run['beats'] =>
  from === 0
    ? beats.filter(({ traceStep }) => traceStep <= to)
    : beats.filter(({ traceStep }) => traceStep > from && traceStep <= to).map((beat) => shifted(beat, from));

const shifted = (beat: Run['beats'][number], by: number): Run['beats'][number] => ({
  ...beat,
  traceStep: beat.traceStep - by,
  ...(beat.ask === undefined ? {} : { ask: { ...beat.ask, traceStep: Math.max(0, beat.ask.traceStep - by) } }),
});

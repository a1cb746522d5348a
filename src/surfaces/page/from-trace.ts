/** A run as a page shows it, from the file of its trace: what a trace does not tell, nobody knows here. */
import type { Beat, Trace, TraceHead } from '../../lab/trace/index.ts';
import type { LessonBeat, PageFailure, RunData } from './protocol.ts';

/** What `readTrace` reads. The file may be anybody's: what is not what it should be is left out. */
interface Saved {
  readonly head: Pick<TraceHead, 'scenario' | 'seed'>;
  readonly trace: Trace;
}

export function runOfTrace({ head, trace }: Saved): RunData {
  const failures = failuresOf(trace);
  const { beats = [], ...rest } = trace;
  return {
    name: nameOf(head),
    seed: Number(head.seed),
    verdict: failures.length === 0 ? 'held' : failures.some(({ kind }) => kind === 'limit') ? 'unsettled' : 'broken',
    digest: '',
    failures,
    invariants: { atStake: 0, broken: failures.length },
    lesson: { title: nameOf(head), beats: beats.flatMap((beat) => told(beat, trace.entries.length)), looks: [] },
    trace: rest,
    lengthMs: (trace.entries.at(-1)?.at ?? trace.startAt) - trace.startAt,
    recorded: true,
  };
}

const nameOf = ({ scenario }: Saved['head']): string => String(scenario);

/** Checks that did not hold are entries too. */
const failuresOf = ({ entries }: Trace): readonly PageFailure[] =>
  entries.flatMap((entry, at) =>
    entry.type === 'check' && !entry.held
      ? [{ kind: String(entry.name), message: String(entry.detail), detail: [], step: at + 1, invariant: String(entry.name) }]
      : [],
  );

/** Its notes; a recording asks nothing, and nothing can be tried in it. */
const told = ({ text, traceStep, taken }: Beat, length: number): readonly LessonBeat[] =>
  typeof text === 'string' && Number.isSafeInteger(traceStep) && traceStep >= 0 && traceStep <= length
    ? [{ step: traceStep, taken: Number(taken), note: text }]
    : [];

/** Why two recordings cannot stand side by side; undefined: they can. They are called as whoever gave them calls them. */
export function whyNotBeside(
  first: { readonly said: string; readonly name: string },
  second: { readonly said: string; readonly name: string },
): string | undefined {
  if (first.name === second.name) return undefined;
  return `${second.said} is of the scenario ${second.name}, ${first.said} of ${first.name}: two recordings stand side by side where they are of one scenario`;
}

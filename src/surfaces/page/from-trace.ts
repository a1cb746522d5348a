/** A run as a page shows it, from the file of its trace: what a trace does not tell, nobody knows here. */
import type { NarrationStep, Trace } from '../../lab/trace/index.ts';
import type { LessonStep, PageFailure, RunData } from './protocol.ts';

/** What `readTrace` reads: a head and entries of the right kinds, of which anything else may be missing, for the file may be anybody's. */
interface Saved {
  readonly head: { readonly scenario: unknown; readonly seed: unknown };
  readonly trace: Trace;
}

export function runOfTrace({ head, trace }: Saved): RunData {
  const name = textIn(head.scenario);
  const failures = failuresOf(trace);
  const { narrationSteps = [], ...rest } = trace;
  return {
    name,
    seed: numberIn(head.seed),
    verdict: failures.length === 0 ? 'held' : failures.some(({ kind }) => kind === 'limit') ? 'unsettled' : 'broken',
    digest: '',
    failures,
    invariants: { exercised: 0, broken: failures.length },
    lesson: {
      title: name,
      narrationSteps: narrationSteps.flatMap((narrationStep) => reported(narrationStep, trace.entries.length)),
      looks: [],
    },
    trace: rest,
    lengthMs: (trace.entries.at(-1)?.at ?? trace.startAt) - trace.startAt,
    recorded: true,
  };
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberIn = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

/** Checks that did not hold are entries too. */
const failuresOf = ({ entries }: Trace): readonly PageFailure[] =>
  entries.flatMap((entry, at) =>
    entry.type === 'check' && !entry.held
      ? [{ kind: textIn(entry.name), message: textIn(entry.detail), detail: [], step: at + 1, invariant: textIn(entry.name) }]
      : [],
  );

/** Its notes; a recording asks nothing, and nothing can be tried in it. */
const reported = ({ text, traceStep, taken }: NarrationStep, length: number): readonly LessonStep[] =>
  textIn(text) === '' || numberIn(traceStep) > length ? [] : [{ step: numberIn(traceStep), taken: numberIn(taken), note: textIn(text) }];

/** Why two recordings cannot stand side by side; undefined: they can. They are called as whoever gave them calls them. */
export function whyNotBeside(
  first: { readonly said: string; readonly name: string },
  second: { readonly said: string; readonly name: string },
): string | undefined {
  if (first.name === second.name) return undefined;
  return `${second.said} is of the scenario ${second.name}, ${first.said} of ${first.name}: two recordings stand side by side where they are of one scenario`;
}

/** Converts a trace file to the run data of a page. Data that a trace does not have stays empty. */
import type { NarrationStep, Trace } from '../../lab/trace/index.ts';
import type { LessonStep, PageFailure, RunData } from './protocol.ts';

/**
 * The result of `readTrace`: head and entries have the right types, other members may be missing, because the file can be from anywhere.
 */
interface Saved {
  readonly head: { readonly scenario: unknown; readonly seed: unknown; readonly domain?: unknown };
  readonly trace: Trace;
}

export function runOfTrace({ head, trace }: Saved): RunData {
  const name = textIn(head.scenario);
  const failures = failuresOf(trace);
  const { narrationSteps = [], ...rest } = trace;
  return {
    name,
    seed: numberIn(head.seed),
    domain: textIn(head.domain) === 'k8s.io' ? 'k8s.io' : 'orch.io',
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

/** Failed checks are entries too. */
const failuresOf = ({ entries }: Trace): readonly PageFailure[] =>
  entries.flatMap((entry, at) =>
    entry.type === 'check' && !entry.held
      ? [{ kind: textIn(entry.name), message: textIn(entry.detail), detail: [], step: at + 1, invariant: textIn(entry.name) }]
      : [],
  );

/** The notes of a recording; a recording has no questions and no what-ifs. */
const reported = ({ text, traceStep, taken }: NarrationStep, length: number): readonly LessonStep[] =>
  textIn(text) === '' || numberIn(traceStep) > length ? [] : [{ step: numberIn(traceStep), taken: numberIn(taken), note: textIn(text) }];

/** A recording: what the caller calls it, and the name of its scenario. */
type Named = Readonly<Record<'said' | 'name', string>>;

/** Returns why two recordings cannot be compared; undefined: they can. */
export function whyNotBeside(first: Named, second: Named): string | undefined {
  if (first.name === second.name) return undefined;
  return `${second.said} is of the scenario ${second.name}, ${first.said} of ${first.name}: two recordings are compared only if they are of one scenario`;
}

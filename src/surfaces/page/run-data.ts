/** The data of a run for a page: its trace or a part of it, its verdict, its lesson. */
import type { Scenario } from '../../lab/scenario/index.ts';
import type { Run } from '../../lab/simulation/index.ts';
import { windowOf, type ObjectName, type Trace } from '../../lab/trace/index.ts';
import { present } from '../../schema/values/index.ts';
import type { Lesson, RunData } from './protocol.ts';

/** Maximum number of entries of a recording, of a live cluster, and of two runs beside each other. */
export const LONGEST = 100_000;
/** Maximum number of entries of a run that the page's engine makes. */
export const MOST = 1_000_000;

/** Steps `from + 1` to `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of a long run that is shown first: before its first failure, or its beginning. undefined: all of it. */
export function stretchFor(entries: number, failedAt: number | undefined, most = LONGEST): Span | undefined {
  if (entries <= most) return undefined;
  const to = failedAt === undefined ? most : Math.max(most, Math.min(entries, failedAt + most / 10));
  return { from: to - most, to };
}

/** The part after a step, or an earlier one if the run ends before it is full. */
export function stretchFrom({ entries }: Trace, step: number): Span | undefined {
  if (entries.length <= MOST) return undefined;
  const from = Math.max(0, Math.min(step, entries.length - MOST));
  return { from, to: from + MOST };
}

export function runDataOf(run: Run, whole: Trace, span?: Span): RunData {
  const { from, to } = span ?? { from: 0, to: whole.entries.length };
  const trace = span === undefined ? whole : windowOf(whole, from, to);
  const { scenario, seed, verdict, digest, failures, invariants, lengthMs } = run;
  return {
    name: scenario.name,
    seed,
    domain: scenario.domain,
    verdict,
    digest,
    failures: failures.map(({ kind, message, detail, traceStep, invariant, source, about }) => ({
      kind,
      message,
      detail,
      step: Math.max(0, Math.min(traceStep, to) - from),
      ...present({
        invariant,
        place: source === undefined ? undefined : { file: source.file, line: source.line, col: source.col },
        about: about === undefined ? undefined : nameIn(about),
      }),
    })),
    invariants: {
      exercised: invariants.filter(({ exercised }) => exercised > 0).length,
      broken: invariants.filter(({ held }) => !held).length,
    },
    lesson: lessonOf(scenario, narrationStepsIn(run.narrationSteps, from, to)),
    trace,
    lengthMs,
    ...(span === undefined ? {} : { window: { from, of: whole.entries.length } }),
  };
}

const nameIn = ({ kind, namespace, name }: ObjectName): ObjectName => ({ kind, ...present({ namespace }), name });

function lessonOf({ name, title, teaches }: Scenario, narrationSteps: Run['narrationSteps']): Lesson {
  return {
    title: title ?? name,
    ...present({ teaches }),
    narrationSteps: narrationSteps.flatMap(({ text = '', traceStep, taken, about, ask, tries }) =>
      text === '' && ask === undefined && tries === undefined
        ? []
        : [{ step: traceStep, taken, note: text, ...present({ about, ask, tries }) }],
    ),
    looks: narrationSteps.flatMap(({ traceStep, look }) => (look === undefined ? [] : [{ step: traceStep, ...look }])),
  };
}

/** The narration steps of a part, by its own steps. */
const narrationStepsIn = (narrationSteps: Run['narrationSteps'], from: number, to: number): Run['narrationSteps'] =>
  from === 0
    ? narrationSteps.filter(({ traceStep }) => traceStep <= to)
    : narrationSteps.filter(({ traceStep }) => traceStep > from && traceStep <= to).map((narrationStep) => shifted(narrationStep, from));

const shifted = (narrationStep: Run['narrationSteps'][number], by: number): Run['narrationSteps'][number] => ({
  ...narrationStep,
  traceStep: narrationStep.traceStep - by,
  ...(narrationStep.ask === undefined ? {} : { ask: { ...narrationStep.ask, traceStep: Math.max(0, narrationStep.ask.traceStep - by) } }),
});

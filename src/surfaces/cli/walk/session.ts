/** The position of a walk: a history, the current step, and the stops. A fork is another session on top. */
import { entryAt, type NarrationStep, type ObjectName, type Trace } from '../../../lab/trace/index.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { present } from '../../../schema/values/index.ts';
import type { History } from '../question/history.ts';
import { momentOf, type Moment } from '../question/world.ts';
import type { Palette } from '../../report/index.ts';

export interface Session {
  readonly history: History;
  /** The scenario of the history; a saved trace has none and cannot be forked. */
  readonly scenario?: Scenario;
  /** The name and text of a fork; absent: it is not a fork. */
  readonly fork?: { readonly name: string; readonly text: string };
  readonly narrationSteps: ReadonlyMap<number, Stop>;
  /** Steps of all stops: the start, each narration step, the end. */
  readonly stops: readonly number[];
  /** The current moment; the instant may be between two steps. */
  moment: Moment;
  /** The stop whose question was asked and not yet answered. */
  open?: number;
  /** Indexes of the answers, by the steps of their stops; undefined for a question that was skipped. */
  readonly answers: Map<number, number | undefined>;
}

export interface Stop {
  readonly text?: string;
  /** The description of the step, if there is no narration. */
  readonly does?: string;
  readonly about?: ObjectName;
  readonly ask?: NonNullable<NarrationStep['ask']>;
  readonly look?: NonNullable<NarrationStep['look']>;
  /** The what-ifs, and the number of scenario steps before them. */
  readonly tries?: { readonly says: readonly string[]; readonly taken: number };
}

/** Returns the stops of a trace, by step: ends of scenario steps, narration, failures. */
export function narrationStepsOf({ entries, narrationSteps = [] }: Trace): Map<number, Stop> {
  const found = new Map<number, Stop>();
  const put = (step: number, stop: Stop): void => {
    const { text } = stop;
    const before = found.get(step);
    const does = [before?.does, stop.does].filter((each) => each !== undefined).join('\n');
    if (before?.text === undefined || text !== undefined) found.set(step, { ...before, ...stop, ...(does === '' ? {} : { does }) });
  };
  for (const narrationStep of narrationSteps) if (narrationStep.traceStep > 0) put(narrationStep.traceStep, stopOf(narrationStep));
  for (const [at, entry] of entries.entries()) {
    if (entry.type === 'note') put(at + 1, { text: entry.text.trim(), ...(entry.about === undefined ? {} : { about: entry.about }) });
    if (entry.type === 'check' && !entry.held) put(at + 1, { does: `${entry.name} failed: ${entry.detail}` });
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

const stopOf = ({ text, does, about, ask, look, tries, taken }: NarrationStep): Stop => ({
  ...(text === undefined ? { does } : {}),
  ...present({ about, ask, look, tries: tries === undefined ? undefined : { says: tries, taken } }),
});

export function sessionOf(history: History, step = 0): Session {
  const { trace, run } = history;
  const narrationSteps = narrationStepsOf(trace);
  // A failure is about the object with the wrong state.
  for (const { about, traceStep } of run?.failures ?? []) {
    const stop = narrationSteps.get(traceStep + 1);
    if (stop !== undefined && stop.about === undefined && about !== undefined) narrationSteps.set(traceStep + 1, { ...stop, about });
  }
  const stops = [...new Set([0, ...narrationSteps.keys(), step, trace.entries.length])].sort((a, b) => a - b);
  return {
    history,
    narrationSteps,
    stops,
    moment: momentOf(trace, step),
    answers: new Map(),
    ...(run === undefined ? {} : { scenario: run.scenario }),
  };
}

/** The stop after or before a step; undefined at either end. */
export const stopAfter = ({ stops, moment: { step } }: Session): number | undefined => stops.find((stop) => stop > step);
export const stopBefore = ({ stops, moment: { step } }: Session): number | undefined => stops.findLast((stop) => stop < step);

/** The object that the current stop is about. */
export function aboutHere({ narrationSteps, history: { trace }, moment }: Session): ObjectName | undefined {
  const narrationStep = narrationSteps.get(moment.step);
  return (entryAt(trace, moment.step)?.at ?? trace.startAt) === moment.at ? narrationStep?.about : undefined;
}

/** `stop 2 of 5`, `between stops`, `the start`, `the end`. */
export function placeOf({ narrationSteps, stops, moment: { step } }: Session): string {
  if (step === 0) return 'the start';
  if (narrationSteps.has(step)) return `stop ${[...narrationSteps.keys()].indexOf(step) + 1} of ${narrationSteps.size}`;
  return step === stops.at(-1) ? 'the end' : 'between stops';
}

/** A walk: the first session, and one for each fork on top of it. */
export interface Walk {
  readonly palette: Palette;
  /** Writes the file of a fork; returns the path that messages show. */
  readonly save: (name: string, text: string) => string;
  readonly sessions: [Session, ...Session[]];
  forks: number;
  hasRefused: boolean;
  /** The steps of each trace that the timeline shows. */
  readonly reported: WeakMap<Trace, readonly { readonly step: number; readonly text: string }[]>;
}

/** The current session: the latest fork. */
export const here = ({ sessions }: Walk): Session => sessions.at(-1) ?? sessions[0];

/** Where a walk is: a history, the step it stands at, and the places worth stopping. A fork is another session on top. */
import { entryAt, type Trace } from '../../../lab/trace/index.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import type { History } from '../question/history.ts';
import { momentOf, type Moment } from '../question/moment.ts';

export interface Session {
  readonly history: History;
  /** The scenario behind it; a saved trace has none and cannot be forked. */
  readonly scenario?: Scenario;
  /** Steps worth a stop: the start, each beat, the end. */
  readonly stops: readonly number[];
  /** Where it stands; the instant may lie between two steps. */
  moment: Moment;
}

/** The steps at which a note stands. */
export const beatsOf = ({ entries }: Trace): number[] => entries.flatMap((entry, at) => (entry.type === 'note' ? [at + 1] : []));

export function sessionOf(history: History, step = 0): Session {
  const { trace, run } = history;
  const stops = [...new Set([0, ...beatsOf(trace), step, trace.entries.length])].sort((a, b) => a - b);
  return { history, stops, moment: momentOf(trace, step), ...(run === undefined ? {} : { scenario: run.scenario }) };
}

/** The stop after or before a step; undefined at either end. */
export const stopAfter = ({ stops, moment: { step } }: Session): number | undefined => stops.find((stop) => stop > step);
export const stopBefore = ({ stops, moment: { step } }: Session): number | undefined => stops.findLast((stop) => stop < step);

/** The text of the beat at a step. */
export function beatAt({ history: { trace } }: Session, step: number): string | undefined {
  const entry = entryAt(trace, step);
  return entry?.type === 'note' ? entry.text.trim() : undefined;
}

/** `beat 2 of 5`, `between beats`, `the start`, `the end`. */
export function placeOf({ history: { trace }, stops, moment: { step } }: Session): string {
  if (step === 0) return 'the start';
  const beats = beatsOf(trace);
  const at = beats.indexOf(step);
  if (at >= 0) return `beat ${at + 1} of ${beats.length}`;
  return step === stops.at(-1) ? 'the end' : 'between beats';
}

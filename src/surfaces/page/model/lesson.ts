/** The questions of a lesson: when each is put, what has been answered, and how far one comes before the next. */
import type { LessonStep } from '../protocol.ts';

/** A question, put at a step and answered at the beat that follows. */
export interface Put {
  /** The beat's place in the lesson. */
  readonly narrationStep: number;
  /** The step at which it is put: all that is told before it has been told. */
  readonly from: number;
  /** The step of the beat that answers it. */
  readonly until: number;
}

/** Answers by the beat's place: the choice, or undefined where the reader asked to be shown. */
export type Answers = ReadonlyMap<number, number | undefined>;

/** The questions in the order in which they are put. */
export const putsOf = (narrationSteps: readonly LessonStep[]): readonly Put[] =>
  narrationSteps.flatMap(({ ask, step }, narrationStep) =>
    ask === undefined ? [] : [{ narrationStep, from: Math.max(ask.traceStep, narrationSteps[narrationStep - 1]?.step ?? 0), until: step }],
  );

/** The first that nobody has answered. */
const firstOpen = (puts: readonly Put[], answers: Answers): Put | undefined =>
  puts.find(({ narrationStep }) => !answers.has(narrationStep));

/** The question that waits for an answer at a step. */
export function openAt(puts: readonly Put[], answers: Answers, step: number): Put | undefined {
  const put = firstOpen(puts, answers);
  return put !== undefined && put.from <= step ? put : undefined;
}

/** How far one comes: to the first open question, and no further. */
export const barrierOf = (puts: readonly Put[], answers: Answers, length: number): number => firstOpen(puts, answers)?.from ?? length;

/** Questions that lie wholly behind a step: whoever begins there has passed over them. */
export const passedBy = (puts: readonly Put[], step: number): Answers =>
  new Map(puts.filter(({ until }) => until <= step).map(({ narrationStep }) => [narrationStep, undefined]));

/** `a` to `d`. */
export const letterOf = (at: number): string => String.fromCharCode(97 + at);

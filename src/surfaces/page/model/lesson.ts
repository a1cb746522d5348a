/** The questions of a lesson: when each is asked, the answers, and how far the reader may move before the next. */
import type { LessonStep } from '../protocol.ts';

/** A question, asked at a step and answered at the following narration step. */
export interface LessonQuestion {
  /** The index of the narration step in the lesson. */
  readonly narrationStep: number;
  /** The step at which it is asked: after the narration before it. */
  readonly from: number;
  /** The narration step that answers it. */
  readonly until: number;
}

/** Answers by the index of the narration step: the choice, or undefined if the reader asked for the answer. */
export type Answers = ReadonlyMap<number, number | undefined>;

export const questionsOf = (narrationSteps: readonly LessonStep[]): readonly LessonQuestion[] =>
  narrationSteps.flatMap(({ ask, step }, narrationStep) =>
    ask === undefined ? [] : [{ narrationStep, from: Math.max(ask.traceStep, narrationSteps[narrationStep - 1]?.step ?? 0), until: step }],
  );

const firstOpen = (questions: readonly LessonQuestion[], answers: Answers): LessonQuestion | undefined =>
  questions.find(({ narrationStep }) => !answers.has(narrationStep));

export function openAt(questions: readonly LessonQuestion[], answers: Answers, step: number): LessonQuestion | undefined {
  const question = firstOpen(questions, answers);
  return question !== undefined && question.from <= step ? question : undefined;
}

/** The last reachable step: that of the first open question. */
export const barrierOf = (questions: readonly LessonQuestion[], answers: Answers, length: number): number =>
  firstOpen(questions, answers)?.from ?? length;

/** Questions before a step count as skipped when a reader starts there. */
export const passedBy = (questions: readonly LessonQuestion[], step: number): Answers =>
  new Map(questions.filter(({ until }) => until <= step).map(({ narrationStep }) => [narrationStep, undefined]));

/** `a` to `d`. */
export const letterOf = (at: number): string => String.fromCharCode(97 + at);

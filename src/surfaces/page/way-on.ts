/** The way on: what the reader reads, answers or opens next. One button, and the Enter key, follow it through a run and the course. */
import { batch, computed } from '@preact/signals';
import { answer, go, move, stopPlaying, unfork } from './actions.ts';
import type { CarriedScenario, LessonStep } from './protocol.ts';
import * as state from './state.ts';

type Ask = NonNullable<LessonStep['ask']>;

/** The next action of the reader. */
export type WayOn =
  | { readonly is: 'question'; readonly ask: Ask }
  /** A question is answered, and the run plays to its answer. */
  | { readonly is: 'watching'; readonly ask: Ask; readonly given: number | undefined; readonly to: number }
  /** To a later step of the run. */
  | { readonly is: 'step'; readonly say: string; readonly to: number }
  /** From a comparison to the run itself. */
  | { readonly is: 'back' }
  /** What the lesson taught. */
  | { readonly is: 'recap' }
  | { readonly is: 'lesson'; readonly next: CarriedScenario }
  | { readonly is: 'course' };

/** The index of the shown lesson in the course; -1: it is none. */
export const lessonIndex = computed(() => state.lessons.value.findIndex(({ name }) => name === state.scenario.value?.name));

/** The way on from here; undefined: the run has ended, and it is no lesson. */
export const wayOn = computed<WayOn | undefined>(() => {
  const of = state.model.value;
  if (of === undefined) return undefined;
  if (state.other.value !== undefined) return { is: 'back' };
  const { narrationSteps } = of.run.lesson;
  const at = state.narrationStep.value;
  const next = narrationSteps[at + 1];
  const open = state.openQuestion.value;
  const asked = open === undefined ? undefined : narrationSteps[open.narrationStep]?.ask;
  if (asked !== undefined) return { is: 'question', ask: asked };
  if (next === undefined) return of.questions.length > 0 && !state.recap.value ? { is: 'recap' } : afterLast(of.length);
  const question = of.questions.find(({ narrationStep }) => narrationStep === at + 1);
  if (next.ask === undefined || question === undefined) return { is: 'step', say: at < 0 ? 'Begin' : 'Next', to: next.step };
  if (question.from > state.reading.value) return { is: 'step', say: at < 0 ? 'Begin' : 'To the question', to: question.from };
  // A reader who has gone back, or has stopped the run, goes on like at any step.
  if (state.hurry.value === undefined) return { is: 'step', say: 'To the answer', to: next.step };
  return { is: 'watching', ask: next.ask, given: state.answers.value.get(at + 1), to: next.step };
});

function afterLast(length: number): WayOn | undefined {
  if (BUILT_WITH_ENGINE) {
    const at = lessonIndex.value;
    const next = at < 0 ? undefined : state.lessons.value[at + 1];
    if (next !== undefined) return { is: 'lesson', next };
    if (at >= 0) return { is: 'course' };
  }
  return state.here.value < length ? { is: 'step', say: 'To the end', to: length } : undefined;
}

/** The address of a lesson from its beginning, and that of the course. */
export const addressOf = ({ name }: Pick<CarriedScenario, 'name'>): string => `#${new URLSearchParams({ file: name }).toString()}`;
export const COURSE = '#course';

/** The lesson to go on with: the last one that is not done, else the first unread one. */
export const nextLesson = computed(() => {
  const { lessons, last } = state.progress.value;
  const all = state.lessons.value;
  const open = all.find(({ name }) => name === last && lessons.get(name)?.done !== true);
  return open ?? all.find(({ name }) => lessons.get(name)?.done !== true) ?? all[0];
});

/** Where the reader goes on with a lesson: at the last moment, or at the beginning of one that is done. */
export function addressIn(lesson: CarriedScenario): string {
  const read = state.progress.value.lessons.get(lesson.name);
  return read === undefined || read.done ? addressOf(lesson) : `#${read.at}`;
}

/** Goes on. At an open question it shows the answer, because the reader has not given one. */
export function goOn(): void {
  // A page of recordings has no course.
  if (BUILT_WITH_ENGINE && state.view.value === 'course') {
    if (nextLesson.value !== undefined) location.hash = addressIn(nextLesson.value);
    return;
  }
  const way = wayOn.value;
  batch(() => {
    if (way === undefined) move(1);
    else if (way.is === 'back') unfork();
    else if (way.is === 'question') answer();
    else if (way.is === 'recap') state.recap.value = true;
    else if (BUILT_WITH_ENGINE && way.is === 'lesson') location.hash = addressOf(way.next);
    else if (BUILT_WITH_ENGINE && way.is === 'course') location.hash = COURSE;
    else if ('to' in way) {
      stopPlaying();
      go(way.to);
    }
  });
}

/** The notes of the run up to the cursor, each with its moment; at the end of a lesson, what it taught and what to try. */
import { go, openAt, compare } from '../actions.ts';
import { since } from '../model/words.ts';
import type { LessonStep } from '../protocol.ts';
import { answers, here, lessons, model, narrationStep as lastNarrationStep, other, recap, selection, canFork } from '../state.ts';
import { lessonIndex } from '../way-on.ts';
import { isReading, show } from './focus.ts';
import { Prose, Spans } from './prose.tsx';
import { ReplyMessage } from './question.tsx';
import { Icon } from './icon.tsx';

export function Story() {
  const of = model.value;
  if (of === undefined) return null;
  const { title, teaches, narrationSteps } = of.run.lesson;
  const current = lastNarrationStep.value;
  const lesson = lessonIndex.value;
  return (
    <div class="story">
      {BUILT_WITH_ENGINE && lesson >= 0 && (
        <p class="quiet">
          Lesson {lesson + 1} of {lessons.value.length}
        </p>
      )}
      <h1>{title}</h1>
      {/* The sentence that a lesson teaches would give away its answers. */}
      {teaches !== undefined && of.questions.length === 0 && <p class="teaches">{teaches}</p>}
      <Failures />
      {current < 0 && of.questions.length > 0 && (
        <p class="quiet">
          {narrationSteps.length} moments, {of.questions.length} questions. Enter goes on.
        </p>
      )}
      {narrationSteps.slice(0, current + 1).map((narrationStep, at) => (
        <NarrationStep of={narrationStep} at={at} current={at === current} key={at} />
      ))}
      <p class="unseen" role="status">
        {announced(narrationSteps[current], answers.value.get(current))}
      </p>
      {BUILT_WITH_ENGINE && recap.value && current === narrationSteps.length - 1 && <Learned />}
    </div>
  );
}

/** A new note for readers who hear it: whether the answer was right, and the note without its markup. */
function announced(narrationStep: LessonStep | undefined, given: number | undefined): string {
  if (narrationStep === undefined) return '';
  const { ask, note } = narrationStep;
  const verdict = ask === undefined || given === undefined ? '' : given === ask.right ? 'Correct. ' : 'Incorrect. ';
  return `${verdict}${note.replaceAll(/[*`]/g, '')}`;
}

/** The end of a lesson. */
function Learned() {
  const { teaches, narrationSteps } = model.value?.run.lesson ?? { narrationSteps: [] };
  const tries = narrationSteps.flatMap(({ tries: offered = [], taken, step }) => offered.map((said, at) => ({ said, at, taken, step })));
  return (
    <section class="learned" aria-label="What you have learned" tabIndex={-1} ref={comeIntoView}>
      <h2>What you have learned</h2>
      {teaches !== undefined && (
        <p>
          <Spans text={teaches} />
        </p>
      )}
      {tries.length > 0 && (
        <>
          <h3>Try it yourself</h3>
          <Tries of={tries.slice(0, MOST_TRIES)} />
        </>
      )}
    </section>
  );
}

const MOST_TRIES = 2;

/** Failures come first, because they are the reason to open such a page. */
function Failures() {
  const failures = model.value?.run.failures ?? [];
  if (failures.length === 0) return null;
  return (
    <ul class="failures">
      {failures.map(({ message, invariant, step, detail, place, about }) => (
        <li class={step <= here.value ? 'happened' : ''}>
          <button
            aria-current={here.value === step ? 'step' : undefined}
            onClick={() => {
              go(step);
              if (about !== undefined) selection.value = about;
            }}
          >
            <b>{invariant === undefined ? 'Failed' : invariant}</b> {message}
            <small>{detail[0] ?? ''}</small>
          </button>
          {place !== undefined && (
            <button class="link place" onClick={() => openAt(place)}>
              {place.file}:{place.line}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function NarrationStep({ of: { step, note, ask, tries, taken }, at, current }: { of: LessonStep; at: number; current: boolean }) {
  const of = model.value;
  const ms = (of?.trace.entries[step - 1]?.at ?? of?.trace.startAt ?? 0) - (of?.trace.startAt ?? 0);
  return (
    <article class={`note ${current ? 'current' : ''}`} tabIndex={-1} ref={current ? comeIntoView : null}>
      <button class="when" onClick={() => go(step)} aria-label={`Note ${at + 1}, at ${since(ms)}`}>
        <i>{at + 1}</i> {since(ms)}
      </button>
      {ask !== undefined && <ReplyMessage ask={ask} given={answers.value.get(at)} />}
      {note !== '' && <Prose text={note} />}
      {BUILT_WITH_ENGINE && tries !== undefined && <Tries of={tries.map((said, index) => ({ said, at: index, taken, step }))} />}
    </article>
  );
}

/** The new note takes the focus of a reader of notes, so that it is read aloud and keys go on. */
function comeIntoView(element: HTMLElement | null): void {
  if (element === null) return;
  show(element);
  if (other.value === undefined && isReading()) element.focus({ preventScroll: true });
}

interface Try {
  readonly said: string;
  /** Its index among those of its narration step. */
  readonly at: number;
  /** Number of scenario steps before it. */
  readonly taken: number;
  readonly step: number;
}

function Tries({ of }: { readonly of: readonly Try[] }) {
  const tried = other.value?.how;
  return (
    <ul class="tries" aria-label="To try">
      {of.map(({ said, at, taken, step }) => {
        const is =
          tried?.is === 'fork' && 'try' in tried.injectedFault && tried.injectedFault.try[0] === taken && tried.injectedFault.try[1] === at;
        return (
          <li>
            <button
              class="what-if"
              disabled={!canFork.value}
              aria-pressed={is}
              onClick={() => void compare({ is: 'fork', step, said, injectedFault: { try: [taken, at] } })}
            >
              <Icon of="bolt" /> {said}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** A question of the lesson: its choices while it is open, the prediction until it is answered, then the right choice with its reason. */
import { answer } from '../actions.ts';
import { letterOf } from '../model/lesson.ts';
import { since } from '../model/words.ts';
import type { LessonStep } from '../protocol.ts';
import { here, hurry, model } from '../state.ts';
import { isReading } from './focus.ts';
import { Icon } from './icon.tsx';
import { Spans } from './prose.tsx';

type Ask = NonNullable<LessonStep['ask']>;

/** All choices look the same, so that none is suggested. It takes the focus of a reader of notes, so that it is read aloud. */
export const OpenQuestion = ({ ask: { question, choices } }: { readonly ask: Ask }) => (
  <section class="question open" aria-label="Question" tabIndex={-1} ref={takeFocus}>
    <h2>What do you think?</h2>
    <p>
      <Spans text={question} />
    </p>
    <ol>
      {choices.map(({ say }, at) => (
        <li>
          <button onClick={() => answer(at)} aria-keyshortcuts={letterOf(at)}>
            <kbd>{letterOf(at)}</kbd>
            <span>
              <Spans text={say} />
            </span>
          </button>
        </li>
      ))}
    </ol>
    <button class="link" onClick={() => answer()} aria-keyshortcuts="Enter">
      show the answer <kbd aria-hidden="true">⏎</kbd>
    </button>
  </section>
);

function takeFocus(element: HTMLElement | null): void {
  if (element !== null && isReading()) element.focus({ preventScroll: true });
}

/** The reader has answered, and the run has not reached the answer yet. */
export const Predicted = ({ ask: { question, choices }, given }: { readonly ask: Ask; readonly given: number | undefined }) => (
  <section class="question" aria-label="Question">
    <p>
      <Spans text={question} />
    </p>
    <p class="quiet">
      {given === undefined ? '' : `${letterOf(given)} · `}
      {given !== undefined && <Spans text={choices[given]?.say ?? ''} />}
    </p>
    <Clock />
  </section>
);

/** The virtual time, which runs to the moment of the answer. */
function Clock() {
  const of = model.value;
  const to = hurry.value;
  if (of === undefined || to === undefined) return null;
  const at = (step: number): string => since((of.trace.entries[step - 1]?.at ?? of.trace.startAt) - of.trace.startAt);
  return (
    <p class="clock">
      <i /> <time>{at(here.value)}</time> <span class="quiet">of {at(to)}</span>
    </p>
  );
}

/** The right choice with its reason; a wrong answer with the reason against it. */
export function ReplyMessage({ ask: { question, choices, right }, given }: { readonly ask: Ask; readonly given: number | undefined }) {
  return (
    <section class="question answered" aria-label={given === undefined ? 'Answer' : given === right ? 'Correct' : 'Incorrect'}>
      <p>
        <Spans text={question} />
      </p>
      <ol>
        {choices.map(({ say, because }, at) => {
          const is = at === right ? 'right' : at === given ? 'wrong' : 'other';
          return (
            <li class={is} aria-label={LABELS[is]}>
              {is === 'other' ? <i class="dot" /> : <Icon of={is === 'right' ? 'check' : 'close'} />}
              <span>
                <Spans text={say} />
                {is !== 'other' && (
                  <small>
                    <Spans text={because} />
                  </small>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const LABELS = { right: 'Correct', wrong: 'Your answer; incorrect', other: 'Incorrect' } as const;

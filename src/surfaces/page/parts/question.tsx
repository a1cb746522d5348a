/** A question of the lesson: its choices while it is open, what was predicted while the world goes on, and then what is so and why. */
import { answer } from '../actions.ts';
import { letterOf } from '../model/lesson.ts';
import type { LessonStep } from '../protocol.ts';
import { Icon } from './icon.tsx';
import { Spans } from './prose.tsx';

type Ask = NonNullable<LessonStep['ask']>;

/** Nothing is given away: the choices look alike. */
export const OpenQuestion = ({ ask: { question, choices } }: { readonly ask: Ask }) => (
  <section class="question open" aria-label="Question" aria-live="polite">
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
    <button class="link" onClick={() => answer()}>
      just show me
    </button>
  </section>
);

/** It has been answered, and what comes of it has not happened yet. */
export const Predicted = ({ ask: { question, choices }, given }: { readonly ask: Ask; readonly given: number | undefined }) => (
  <section class="question" aria-label="Question">
    <p>
      <Spans text={question} />
    </p>
    <p class="quiet">
      {given === undefined ? '' : `${letterOf(given)} · `}
      {given !== undefined && <Spans text={choices[given]?.say ?? ''} />}
    </p>
    <p class="quiet">Watch what happens …</p>
  </section>
);

/** What is so, and why; a wrong belief says why it is none. */
export function Answered({ ask: { question, choices, right }, given }: { readonly ask: Ask; readonly given: number | undefined }) {
  return (
    <section class="question answered" aria-label="Question">
      <p>
        <Spans text={question} />
      </p>
      <ol>
        {choices.map(({ say, because }, at) => {
          const is = at === right ? 'right' : at === given ? 'wrong' : 'other';
          return (
            <li class={is} aria-label={LABELS[is]}>
              {is === 'other' ? <i /> : <Icon of={is === 'right' ? 'check' : 'close'} />}
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

const LABELS = { right: 'This is so', wrong: 'Your answer; it is not so', other: 'It is not so' } as const;

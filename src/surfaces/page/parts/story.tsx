/** The notes of the run up to the cursor, each with its moment, and the open question. */
import { go, hop } from '../actions.ts';
import { since } from '../model/words.ts';
import type { LessonStep } from '../protocol.ts';
import { answers, narrationStep as lastNarrationStep, here, model, openQuestion } from '../state.ts';
import { Prose } from './prose.tsx';
import { ReplyMessage, OpenQuestion, Predicted } from './question.tsx';
import { Tries } from './tries.tsx';

export function Story() {
  const of = model.value;
  if (of === undefined) return null;
  const { title, teaches, narrationSteps } = of.run.lesson;
  const current = lastNarrationStep.value;
  return (
    <div class="story">
      <h1>{title}</h1>
      {teaches !== undefined && <p class="teaches">{teaches}</p>}
      <Failures />
      {narrationSteps.slice(0, current + 1).map((narrationStep, at) => (
        <NarrationStep narrationStep={narrationStep} at={at} current={at === current} key={at} />
      ))}
      <Ahead />
    </div>
  );
}

/** What comes next: an open question, an answered one, or the button to continue. */
function Ahead() {
  const of = model.value;
  if (of === undefined) return null;
  const { narrationSteps } = of.run.lesson;
  const open = openQuestion.value;
  const asked = open === undefined ? undefined : narrationSteps[open.narrationStep]?.ask;
  if (asked !== undefined)
    return (
      <div class="ahead" key={`open ${open?.narrationStep ?? 0}`} ref={intoView}>
        <OpenQuestion ask={asked} />
      </div>
    );
  const next = narrationSteps[lastNarrationStep.value + 1];
  const answered = of.questions.find(
    ({ narrationStep, from }) => narrationStep === lastNarrationStep.value + 1 && from <= here.value && answers.value.has(narrationStep),
  );
  if (answered !== undefined && next?.ask !== undefined)
    return (
      <div class="ahead">
        <Predicted ask={next.ask} given={answers.value.get(answered.narrationStep)} />
      </div>
    );
  if (next !== undefined)
    return (
      <button class="button primary" onClick={() => hop(of.narrationSteps, 1)}>
        {next.ask !== undefined
          ? 'To the question'
          : lastNarrationStep.value < 0
            ? 'To the first note'
            : `To note ${lastNarrationStep.value + 2}`}
      </button>
    );
  if (here.value >= of.length) return null;
  return (
    <button class="button" onClick={() => go(of.length)}>
      To the end
    </button>
  );
}

/** Failures come first, because they are the reason to open such a page. */
function Failures() {
  const failures = model.value?.run.failures ?? [];
  if (failures.length === 0) return null;
  return (
    <ul class="failures">
      {failures.map(({ message, invariant, step, detail }) => (
        <li>
          <button onClick={() => go(step)}>
            <b>{invariant === undefined ? 'Failed' : invariant}</b> {message}
            <small>{detail[0] ?? ''}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface NarrationStepProps {
  readonly narrationStep: LessonStep;
  readonly at: number;
  readonly current: boolean;
}

function NarrationStep({ narrationStep: { step, note, ask, tries, taken }, at, current }: NarrationStepProps) {
  const of = model.value;
  const ms = (of?.trace.entries[step - 1]?.at ?? of?.trace.startAt ?? 0) - (of?.trace.startAt ?? 0);
  return (
    <article class={`note ${current ? 'current' : ''}`} ref={current ? intoView : null}>
      <button class="when" onClick={() => go(step)} aria-label={`Note ${at + 1}, at ${since(ms)}`}>
        <i>{at + 1}</i> {since(ms)}
      </button>
      {ask !== undefined && <ReplyMessage ask={ask} given={answers.value.get(at)} />}
      {note !== '' && <Prose text={note} />}
      {tries !== undefined && <Tries tries={tries} taken={taken} step={step} />}
    </article>
  );
}

/** Scrolls the side, but not the page, because that would scroll the stage out of view. */
function intoView(element: HTMLElement | null): void {
  const side = element?.closest('.side');
  if (side !== null && side !== undefined && side.scrollHeight > side.clientHeight) element?.scrollIntoView({ block: 'nearest' });
}

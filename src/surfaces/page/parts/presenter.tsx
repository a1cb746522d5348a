/** Presenter mode: one sentence, and the way on, in letters that can be read from the last row. */
import { previousNote } from '../actions.ts';
import { present } from '../appearance.ts';
import { sentenceOf } from '../model/words.ts';
import { printHandout } from '../handout.ts';
import { blank, headlineIn, help, here, model, narrationStep, recap } from '../state.ts';
import { Tool } from './icon.tsx';
import { Spans } from './prose.tsx';
import { WayOn } from './way-on.tsx';

/** Letters of a caption; one sentence is always shown. */
const LONGEST = 130;

export function Presenter() {
  return (
    <aside class="presenter side" aria-label="Notes">
      <p class="caption" aria-live="polite">
        <Caption />
      </p>
      <WayOn />
      <span class="group" role="toolbar" aria-label="Presenter">
        <Tool of="back" name="Previous note (Page Up)" act={previousNote} />
        <Tool of="blank" name="Show nothing (b)" act={() => (blank.value = true)} />
        <Tool of="print" name="Print a handout" act={() => void printHandout()} />
        <Tool of="help" name="Help: keys and signs" act={() => (help.value = true)} />
        <Tool of="close" name="Leave presenter mode (Esc)" act={() => present(false)} />
      </span>
    </aside>
  );
}

/** At a note its first sentences, between notes what has happened last. */
function Caption() {
  const of = model.value;
  if (of === undefined) return null;
  const { title, teaches = title, narrationSteps } = of.run.lesson;
  if (recap.value) return <Spans text={captionOf(teaches)} />;
  const note = narrationSteps[narrationStep.value];
  if (note === undefined && here.value === 0) return <Spans text={title} />;
  const said = note?.step === here.value ? undefined : sentenceOf(of.trace, headlineIn(of));
  if (said === undefined) return <Spans text={captionOf(note?.note ?? title)} />;
  return (
    <>
      <time>{said.time}</time> <b>{said.who}</b> {said.what}
    </>
  );
}

function captionOf(note: string): string {
  const [first = '', ...rest] = note
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.?!]) (?=[A-Z*`])/);
  let text = first;
  for (const sentence of rest) {
    if (text.length + sentence.length >= LONGEST) break;
    text += ` ${sentence}`;
  }
  return text;
}

/** The place of the light that follows the pointer. */
export function spotlight({ currentTarget, clientX, clientY }: PointerEvent & { readonly currentTarget: HTMLElement }): void {
  const light = currentTarget.querySelector<HTMLElement>('.spotlight');
  light?.classList.add('lit');
  light?.style.setProperty('--x', `${clientX}px`);
  light?.style.setProperty('--y', `${clientY}px`);
  for (const animation of light?.getAnimations() ?? []) {
    animation.currentTime = 0;
    animation.play();
  }
}

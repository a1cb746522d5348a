/** Presenter mode: the current note in a sentence or two, and the way on, in letters that can be read from the last row. */
import { model, narrationStep, recap } from '../state.ts';
import { Spans } from './prose.tsx';
import { WayOn } from './way-on.tsx';

/** Letters of a caption; one sentence is always shown. */
const LONGEST = 130;

export function Presenter() {
  const { title = '', teaches = title, narrationSteps = [] } = model.value?.run.lesson ?? {};
  const note = recap.value ? teaches : (narrationSteps[narrationStep.value]?.note ?? title);
  return (
    <aside class="presenter side" aria-label="Notes">
      <p class="caption">
        <Spans text={captionOf(note)} />
      </p>
      <WayOn />
    </aside>
  );
}

/** The first sentences of a note. */
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

/** Prints a run as a handout: each note with a picture of the stage at its moment. */
import { stopPlaying, unfork } from './actions.ts';
import { setTheme } from './appearance.ts';
import { since } from './model/words.ts';
import * as state from './state.ts';

/** Pixels of a page without its margins. */
const PAGE = 690;

/** Goes through the notes, copies the stage at each, and prints; afterwards everything is as before. */
export async function printHandout(): Promise<void> {
  const of = state.model.value;
  const host = document.querySelector('#app');
  if (of === undefined || host === null) return;
  const [back, presented, theme] = [state.step.value, state.presenting.value, state.theme.value];
  stopPlaying();
  unfork();
  state.presenting.value = false;
  // On paper.
  setTheme('light');
  const handout = document.createElement('section');
  handout.className = 'handout';
  handout.append(element('h1', of.run.lesson.title));
  const { narrationSteps } = of.run.lesson;
  for (const [at, { step, note }] of narrationSteps.entries()) {
    state.step.value = step;
    await drawn();
    const ms = (of.trace.entries[step - 1]?.at ?? of.trace.startAt) - of.trace.startAt;
    handout.append(moment(`${at + 1} · ${since(ms)}`, note));
  }
  state.step.value = back;
  state.presenting.value = presented;
  host.after(handout);
  const restore = (): void => {
    handout.remove();
    setTheme(theme);
  };
  addEventListener('afterprint', restore, { once: true });
  print();
}

function moment(when: string, note: string): HTMLElement {
  const article = document.createElement('article');
  article.append(element('h2', when), element('p', note.replaceAll(/[*`]/g, '')));
  const stage = document.querySelector<HTMLElement>('.stage');
  if (stage !== null) article.append(pictureOf(stage));
  return article;
}

function pictureOf(stage: HTMLElement): HTMLElement {
  const copy = stage.cloneNode(true) as HTMLElement;
  copy.style.width = `${stage.offsetWidth}px`;
  copy.style.setProperty('zoom', String(Math.min(1, PAGE / stage.offsetWidth)));
  copy.inert = true;
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id');
  // The copy of a canvas is empty.
  const canvases = stage.querySelectorAll('canvas');
  for (const [at, canvas] of copy.querySelectorAll('canvas').entries()) {
    const image = document.createElement('img');
    image.alt = canvas.getAttribute('aria-label') ?? '';
    image.src = canvases[at]?.toDataURL() ?? '';
    image.style.cssText = canvas.style.cssText;
    canvas.replaceWith(image);
  }
  return copy;
}

function element(name: 'h1' | 'h2' | 'p', text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Until the page shows the current step. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });

/** Keyboard shortcuts. Keys in input fields are not shortcuts. */
import {
  answer,
  go,
  hop,
  leave,
  look,
  move,
  nextOf,
  offerComparison,
  offerOrder,
  previousNote,
  toggleMark,
  togglePlay,
} from './actions.ts';
import { foldSide, present, toggleTheme } from './appearance.ts';
import { printHandout } from './handout.ts';
import { found } from './searching.ts';
import { offerActions } from './parts/offer.tsx';
import { goOn } from './way-on.ts';
import * as state from './state.ts';

/** Each key with its description, as the help shows it. */
export const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'go on: the next note, the answer, the next lesson'],
  ['→ ←', 'next and previous entry of the log'],
  ['⇧ → ←', 'next and previous note'],
  ['⌥ → ←', 'by single entries'],
  ['a – d', 'answer the question'],
  ['Home End', 'to the start and the end'],
  ['space', 'play and pause'],
  ['w', 'to the next write'],
  ['v', 'to the next failure'],
  ['/', 'search'],
  ['n ⇧n', 'next and previous match'],
  ['p', 'presenter mode; Page Down and Page Up go on and back, b or . shows nothing'],
  ['[ ]', 'fold the notes, or the inspector'],
  ['⌘P', 'print the notes as a handout, each with its picture'],
  ['m', 'mark this step'],
  ...(BUILT_WITH_ENGINE
    ? ([
        ['x', 'compare with another seed, or a feature gate'],
        ['i', 'what if: everything that can be done here'],
        ['o', 'another order of the pending events'],
      ] as const)
    : []),
  ['1 – 9', 'the cache of a process; 0: the server'],
  ['s', 'the notes, or the scenario'],
  ...(BUILT_WITH_ENGINE ? ([['e', 'edit the scenario; ⌘ or Ctrl with Enter runs it, Esc twice leaves the text']] as const) : []),
  ['t', 'light or dark'],
  ['Esc', 'close what is open'],
  ['?', 'this'],
];

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key === 'p' && state.model.value !== undefined && state.view.value === 'run') {
      event.preventDefault();
      void printHandout();
      return;
    }
    if (event.metaKey || event.ctrlKey || !(event.target instanceof Element)) return;
    // The editor has its own keys.
    if (event.target.closest('#editor') !== null) return;
    if (event.target.closest('input, select, textarea') !== null) {
      if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
      return;
    }
    // A dialog handles its own keys, and blocks the others.
    if (event.target.closest('dialog') !== null && event.key !== '?') return;
    // These keys press a focused button.
    if ((event.key === ' ' || event.key === 'Enter') && event.target.closest('button, summary, a') !== null) return;
    // A course has no cursor.
    if (state.view.value === 'course' && !['Enter', 't', '?', 'Escape'].includes(event.key)) return;
    if (act(event)) event.preventDefault();
  });
}

function act(event: KeyboardEvent): boolean {
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    arrow(event.key === 'ArrowRight' ? 1 : -1, event);
    return true;
  }
  if (/^[0-9]$/.test(event.key)) {
    const process = event.key === '0' ? undefined : state.model.value?.deciders[Number(event.key) - 1]?.process;
    if (process === undefined) state.lens.value = undefined;
    else look(process);
    return true;
  }
  const choice = 'abcd'.indexOf(event.key);
  if (choice >= 0 && event.key.length === 1 && state.openQuestion.value !== undefined) {
    answer(choice);
    return true;
  }
  if (state.blank.value) {
    state.blank.value = false;
    return true;
  }
  const does = state.presenting.value && (event.key === 'b' || event.key === '.') ? showNothing : ACTS[event.key];
  does?.();
  return does !== undefined;
}

function arrow(by: 1 | -1, { shiftKey, altKey }: KeyboardEvent): void {
  state.playing.value = false;
  const of = state.track.value;
  if (of === undefined) return;
  if (shiftKey) hop(by > 0 ? [...of.narrationSteps, of.length] : [0, ...of.narrationSteps], by);
  else move(by, altKey || state.fine.value);
}

const showNothing = (): void => void (state.blank.value = true);

const OF_ENGINE: Readonly<Record<string, () => void>> = BUILT_WITH_ENGINE
  ? {
      x: offerComparison,
      i: offerActions,
      o: offerOrder,
      e: () => {
        state.panel.value = 'scenario';
        state.typing.value = true;
      },
    }
  : {};

const ACTS: Readonly<Record<string, () => void>> = {
  Enter: goOn,
  ' ': togglePlay,
  Home: () => go(0),
  End: () => go(state.track.value?.length ?? 0),
  w: () => hop(state.track.value?.writes ?? [], 1),
  v: () => {
    const { broken = [] } = state.track.value ?? {};
    const to = nextOf(broken, state.cursor.value, 1) ?? broken[0];
    if (to !== undefined) go(to);
  },
  n: () => hop(found(), 1),
  N: () => hop(found(), -1),
  p: () => present(!state.presenting.value),
  PageDown: goOn,
  PageUp: previousNote,
  '[': () => foldSide('notes'),
  ']': () => foldSide('inspector'),
  m: () => {
    if (state.other.value === undefined) toggleMark();
  },
  s: () => {
    state.panel.value = state.panel.value === 'story' ? 'scenario' : 'story';
  },
  t: toggleTheme,
  '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  '?': () => {
    state.help.value = !state.help.value;
  },
  Escape: leave,
  ...OF_ENGINE,
};

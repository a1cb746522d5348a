/** Completions at the text cursor, and the description of the word under the pointer. */
import { useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Suggestion } from '../../../lab/scenario/index.ts';
import { consult } from '../actions.ts';
import { insert, LINE } from './typing.ts';

interface Shown {
  readonly line: number;
  readonly from: number;
  /** The typed part of the word. */
  readonly typed: number;
  readonly all: readonly Suggestion[];
  readonly at: number;
}

export interface Assisting {
  readonly shown: Shown | undefined;
  /** The description of the selected completion. */
  readonly meaning: string | undefined;
  /** Shows completions; automatically only after something was typed. */
  ask(byItself: boolean): Promise<void>;
  close(): void;
  take(at: number): void;
  /** Returns whether the list handled the key. */
  key(event: KeyboardEvent): boolean;
}

const placeIn = (text: string, at: number): { readonly line: number; readonly col: number } => {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, col: (lines.at(-1)?.length ?? 0) + 1 };
};

export function useAssistance(field: RefObject<HTMLTextAreaElement | null>): Assisting {
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const close = (): void => setShown(undefined);
  const ask = async (byItself: boolean): Promise<void> => {
    const { current } = field;
    if (current === null) return;
    const { value, selectionStart } = current;
    const { line, col } = placeIn(value, selectionStart);
    const answer = await consult({ ask: 'assist', text: value, line, col });
    if (answer?.is !== 'assistance' || current.value !== value || current.selectionStart !== selectionStart) return;
    const { from, suggestions } = answer.assistance;
    if (suggestions.length === 0 || (byItself && from === col)) close();
    else setShown({ line, from, typed: col - from, all: suggestions, at: 0 });
  };
  const take = (at: number): void => {
    const chosen = shown?.all[at];
    const { current } = field;
    if (shown === undefined || chosen === undefined || current === null) return;
    // What was typed since the list was asked for counts too.
    const { line, col } = placeIn(current.value, current.selectionStart);
    current.focus();
    if (line === shown.line) insert(chosen.name.slice(col - shown.from));
    close();
  };
  const key = (event: KeyboardEvent): boolean => {
    if (event.key === ' ' && event.ctrlKey) {
      void ask(false);
      return true;
    }
    if (shown === undefined) return false;
    const { at, all } = shown;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setShown({ ...shown, at: (at + (event.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length });
    else if (event.key === 'Enter' || event.key === 'Tab') take(at);
    else if (event.key === 'Escape') close();
    else return false;
    return true;
  };
  return { shown, meaning: shown?.all[shown.at]?.says, ask, close, take, key };
}

/** Maximum number of names in the list. */
const ROOM = 9;

export function Completions({ of: { shown, take } }: { readonly of: Assisting }) {
  if (shown === undefined) return null;
  const first = Math.max(0, Math.min(shown.at - ROOM + 1, shown.all.length - ROOM));
  return (
    <ul
      class="completions"
      role="listbox"
      aria-label="Completions"
      style={{ top: `${shown.line * LINE + 4}px`, left: `calc(40px + ${shown.from - 1}ch)` }}
    >
      {shown.all.slice(first, first + ROOM).map(({ name, required }, index) => (
        <li
          role="option"
          aria-selected={first + index === shown.at}
          onMouseDown={(event) => {
            event.preventDefault();
            take(first + index);
          }}
        >
          {name}
          {required && <small> needed</small>}
        </li>
      ))}
    </ul>
  );
}

/** The place where the pointer rests, until it moves. */
const resting: { timer?: ReturnType<typeof setTimeout>; place?: string } = {};
const REST = 220;

/** Describes the key under the pointer, once the pointer rests. */
export function hoverAt(
  event: MouseEvent & { readonly currentTarget: HTMLElement },
  text: string,
  says: (text: string | undefined) => void,
): void {
  const box = event.currentTarget.getBoundingClientRect();
  const ch = Number(event.currentTarget.dataset['ch'] ?? measured(event.currentTarget));
  const line = Math.floor((event.clientY - box.top - 4) / LINE) + 1;
  const col = Math.floor((event.clientX - box.left - 40) / ch) + 1;
  const place = `${line}:${col}`;
  if (place === resting.place) return;
  resting.place = place;
  clearTimeout(resting.timer);
  if (col < 1) return;
  const look = async (): Promise<void> => {
    const answer = await consult({ ask: 'assist', text, line, col: col + 1 });
    if (answer?.is === 'assistance' && resting.place === place) says(answer.assistance.hover);
  };
  resting.timer = setTimeout(() => void look(), REST);
}

/** The width of a character. */
function measured(page: HTMLElement): number {
  const probe = document.createElement('span');
  probe.textContent = '0'.repeat(50);
  page.querySelector('.painted')?.append(probe);
  const width = probe.getBoundingClientRect().width / 50;
  probe.remove();
  page.dataset['ch'] = String(width);
  return width;
}

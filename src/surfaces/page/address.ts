/** The address and the title follow what is shown, so that back, reload and a bookmark lead to it; the course remembers what was read. */
import { effect } from '@preact/signals';
import { linkedHere } from './links.ts';
import { linkOf, type Linked } from './model/link.ts';
import { progressed, progressText, readProgress } from './model/progress.ts';
import * as state from './state.ts';
import { lessonIndex } from './way-on.ts';

/** Milliseconds after which the address follows: browsers limit how often it may change. */
const REST = 250;
const KEY = 'orchsim.course';

/** Starts to follow. */
export function startAddress(): void {
  if (BUILT_WITH_ENGINE) followProgress();
  effect(() => {
    document.title = titleOf();
  });
  effect(() => {
    const linked = linkedHere();
    // While something is opened, the address is ahead of what is shown.
    if (linked === undefined || state.embedded.value || state.busy.value !== undefined) return undefined;
    const from = location.hash;
    const read = BUILT_WITH_ENGINE ? readHere() : undefined;
    const timer = setTimeout(() => void keepUp(linked, from, read), REST);
    return () => {
      clearTimeout(timer);
    };
  });
}

/** Reads what was read before, and what other windows read. */
function followProgress(): void {
  state.progress.value = readProgress(stored());
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) state.progress.value = readProgress(newValue);
  });
}

/** Forgets what was read. */
export function forget(): void {
  keep(progressText((state.progress.value = readProgress(null))));
}

function titleOf(): string {
  const of = state.scenario.value;
  if (state.view.value === 'course' || of === undefined) return 'orchsim';
  const at = lessonIndex.value;
  return `${at < 0 ? '' : `${at + 1}. `}${of.title} · orchsim`;
}

/** `from`: the address; if the reader has left it meanwhile, it is not changed. */
async function keepUp(linked: Linked, from: string, read: ReadHere | undefined): Promise<void> {
  const link = await linkOf(linked);
  if (location.hash !== from) return;
  put(link, from);
  if (BUILT_WITH_ENGINE) remember(read, link);
}

/** Another scenario is another entry in the history of the browser; another moment is not. */
function put(link: string, from: string): void {
  const before = new URLSearchParams(from.replace(/^#/, ''));
  const after = new URLSearchParams(link);
  const same = before.get('file') === after.get('file') && before.has('s') === after.has('s');
  if (from !== `#${link}`) history[same ? 'replaceState' : 'pushState'](null, '', `#${link}`);
}

interface ReadHere {
  readonly name: string;
  readonly notes: number;
  readonly of: number;
}

/** How far the shown lesson is read; undefined: no lesson is shown, or a second run beside it. */
function readHere(): ReadHere | undefined {
  const lesson = state.lessons.value[lessonIndex.value];
  const { length = 0 } = state.model.value?.run.lesson.narrationSteps ?? {};
  if (lesson === undefined || state.other.value !== undefined) return undefined;
  return { name: lesson.name, notes: state.narrationStep.value + 1, of: length };
}

function remember(read: ReadHere | undefined, at: string): void {
  if (read === undefined) return;
  state.progress.value = progressed(state.progress.value, read.name, { notes: read.notes, of: read.of, at });
  keep(progressText(state.progress.value));
}

/** A browser may refuse to store: then the progress lasts as long as the page. */
function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // The page works without.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

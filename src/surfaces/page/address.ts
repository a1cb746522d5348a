/** The address and the title follow what is shown, so that back, reload and a bookmark lead to it; the course remembers what was read. */
import { effect } from '@preact/signals';
import { later } from './actions.ts';
import { keep, kept } from './kept-runs.ts';
import { linkedHere } from './links.ts';
import { linkOf, type Linked } from './model/link.ts';
import { progressed, progressText, readProgress } from './model/progress.ts';
import * as state from './state.ts';
import { lessonIndex } from './way-on.ts';

/** Milliseconds after which the address follows: browsers limit how often it may change. */
const REST = 250;
const KEY = 'orchsim.course';

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
    return later(REST, () => void keepUp(linked, from, read));
  });
}

/** Reads what was read before, and what other windows read. */
function followProgress(): void {
  state.progress.value = readProgress(kept(KEY));
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) state.progress.value = readProgress(newValue);
  });
}

export function forget(): void {
  keep(KEY, progressText((state.progress.value = readProgress(null))));
}

function titleOf(): string {
  const of = state.scenario.value;
  if (state.view.value === 'course' || of === undefined) return 'orchsim';
  const at = lessonIndex.value;
  return `${at < 0 ? '' : `${at + 1}. `}${of.title} · orchsim`;
}

/** `from`: the address; if the reader has left it meanwhile, it is not changed. */
async function keepUp(linked: Linked, from: string, read: ReturnType<typeof readHere>): Promise<void> {
  const link = await linkOf(linked);
  if (location.hash !== from) return;
  put(link, from);
  if (!BUILT_WITH_ENGINE || read === undefined) return;
  state.progress.value = progressed(state.progress.value, read.name, { notes: read.notes, of: read.of, at: link });
  keep(KEY, progressText(state.progress.value));
}

/** Another scenario is another entry in the history of the browser; another moment is not. */
function put(link: string, from: string): void {
  const before = new URLSearchParams(from.replace(/^#/, ''));
  const after = new URLSearchParams(link);
  const same = before.get('file') === after.get('file') && before.has('s') === after.has('s');
  if (from !== `#${link}`) history[same ? 'replaceState' : 'pushState'](null, '', `#${link}`);
}

/** How far the shown lesson is read; undefined: no lesson is shown, or a second run beside it. */
function readHere() {
  const lesson = state.lessons.value[lessonIndex.value];
  const { length = 0 } = state.model.value?.run.lesson.narrationSteps ?? {};
  if (lesson === undefined || state.other.value !== undefined) return undefined;
  return { name: lesson.name, notes: state.narrationStep.value + 1, of: length };
}

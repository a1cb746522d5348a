/** Follows the link with which the page was opened, and creates a link to the current view. */
import { batch } from '@preact/signals';
import { present } from '../../schema/values/index.ts';
import { compare, go, stopPlaying } from './actions.ts';
import { setTheme } from './appearance.ts';
import { open } from './opening.ts';
import { BrokenLink, linkOf, readLink, type Linked } from './model/link.ts';
import type { CarriedScenario } from './protocol.ts';
import * as state from './state.ts';

/** Shows what the address names. Returns false if it names nothing, or nothing valid; then the page shows an error. */
export async function follow(hash: string): Promise<boolean> {
  try {
    const text = hash.replace(/^#/, '');
    if (text === 'course' && state.lessons.value.length > 0) {
      showCourse();
      return true;
    }
    const linked = await readLink(text);
    if (linked === undefined) return false;
    await show(linked);
    return true;
  } catch (error) {
    if (!(error instanceof BrokenLink)) throw error;
    state.notice.value = `This link is broken: ${error.message}.`;
    return false;
  }
}

export function showCourse(): void {
  batch(() => {
    state.playing.value = false;
    state.view.value = 'course';
  });
}

async function show({ scenario: named, seed, step, lens, marks, answers, theme, second, digest }: Linked): Promise<void> {
  const { scenarios } = state.data.value;
  const scenario = typeof named === 'string' ? scenarios.find(({ name }) => name === named) : { name: 'from a link', ...named };
  if (scenario === undefined) throw new BrokenLink('this page has no scenario of that name');
  if (theme !== undefined) setTheme(theme);
  await open(scenario, seed, second === undefined ? step : second.is === 'fork' ? second.step : 0);
  const run = state.model.value?.run;
  if (state.scenario.value !== scenario || run === undefined) return;
  const known = state.model.value?.lifespans.processes.has(lens ?? '') === true;
  batch(() => {
    if (answers !== undefined) state.answers.value = new Map([...state.answers.value, ...answers]);
    state.lens.value = known ? lens : undefined;
    state.marks.value = marks;
  });
  if (second !== undefined) {
    await compare(second);
    // A link shows its moment; two futures play by themselves only where they are opened.
    if (state.other.value !== undefined) {
      stopPlaying();
      go(step ?? 0);
    }
  }
  if (digest !== undefined && !run.digest.startsWith(digest))
    state.notice.value = 'This link was made with another build of orchsim: the run differs here, and its steps may differ.';
}

/** The current view for a link; undefined: there is none, or it does not fit into an address. */
export function linkedHere(): Linked | undefined {
  const scenario = state.scenario.value;
  const run = state.model.value?.run;
  if (scenario === undefined || run === undefined || run.unfinished === true || run.live === true || state.view.value === 'course')
    return undefined;
  const carried = state.data.value.scenarios.includes(scenario);
  if (!carried && scenario.text === '') return undefined;
  const lens = state.lens.value;
  const theme = state.theme.value;
  const how = state.other.value?.how;
  // An opened recording does not fit into an address.
  const second = how?.is === 'recording' && state.data.value.beside === undefined ? undefined : how;
  return {
    scenario: carried ? scenario.name : included(scenario),
    seed: run.seed,
    step: state.cursor.value,
    marks: state.marks.value,
    answers: state.answers.value,
    digest: run.digest,
    ...present({ lens, second, theme: theme === systemTheme() ? undefined : theme }),
  };
}

const included = ({ title, file, text, scenario, files }: CarriedScenario): Exclude<Linked['scenario'], string> => ({
  title,
  file,
  text,
  ...present({ scenario, files }),
});

export const systemTheme = (): state.Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** Puts the link into the address and, if that is permitted, on the clipboard. */
export async function share(): Promise<void> {
  const here = linkedHere();
  if (here === undefined) return;
  // A page of one scenario is a file of this reader; the link has the scenario, so that any page of orchsim can open it.
  const own = state.data.value.scenarios.length === 1 && state.data.value.runs === undefined ? state.scenario.value : undefined;
  const linked = own === undefined ? here : { ...here, scenario: included(own) };
  const url = `${location.href.replace(/#.*$/s, '')}#${await linkOf(linked)}`;
  history.replaceState(null, '', url);
  let copied = true;
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    copied = false;
  }
  state.shared.value = { url, copied };
}

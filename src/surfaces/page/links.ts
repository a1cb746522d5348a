/** Follows the link with which the page was opened, and creates a link to the current view. */
import { compare, go } from './actions.ts';
import { open } from './opening.ts';
import { BrokenLink, linkOf, readLink, type Linked } from './model/link.ts';
import * as state from './state.ts';

/** Shows what the address names. Returns false if it names nothing, or nothing valid; then the page shows an error. */
export async function follow(hash: string): Promise<boolean> {
  try {
    const linked = await readLink(hash.replace(/^#/, ''));
    if (linked === undefined) return false;
    await show(linked);
    return true;
  } catch (error) {
    if (!(error instanceof BrokenLink)) throw error;
    state.notice.value = `This link is broken: ${error.message}.`;
    return false;
  }
}

async function show({ scenario: named, seed, step, lens, marks, second, digest }: Linked): Promise<void> {
  const { scenarios } = state.data.value;
  const scenario = typeof named === 'string' ? scenarios.find(({ name }) => name === named) : { name: 'from a link', ...named };
  if (scenario === undefined) throw new BrokenLink('this page has no scenario of that name');
  await open(scenario, seed, second === undefined ? step : second.is === 'fork' ? second.step : 0);
  const run = state.model.value?.run;
  if (state.scenario.value !== scenario || run === undefined) return;
  const known = state.model.value?.lifespans.processes.has(lens ?? '') === true;
  state.lens.value = known ? lens : undefined;
  state.marks.value = marks;
  if (second !== undefined) {
    await compare(second);
    if (state.other.value !== undefined) go(step);
  }
  if (digest !== undefined && !run.digest.startsWith(digest))
    state.notice.value = 'This link was made with another build of orchsim: the run differs here, and its steps may differ.';
}

/** Returns the address of the current view. */
async function address(): Promise<string> {
  const scenario = state.scenario.value;
  const run = state.model.value?.run;
  if (scenario === undefined || run === undefined) return location.href;
  const carried = state.data.value.scenarios.includes(scenario);
  const { title, file, text, scenario: which, files } = scenario;
  const own = { title, file, text, ...(which === undefined ? {} : { scenario: which }), ...(files === undefined ? {} : { files }) };
  const lens = state.lens.value;
  const how = state.other.value?.how;
  // An opened recording does not fit into an address.
  const second = how?.is === 'recording' && state.data.value.beside === undefined ? undefined : how;
  const link = await linkOf({
    scenario: carried ? scenario.name : own,
    seed: run.seed,
    step: state.cursor.value,
    marks: state.marks.value,
    digest: run.digest,
    ...(lens === undefined ? {} : { lens }),
    ...(second === undefined ? {} : { second }),
  });
  return `${location.href.replace(/#.*$/s, '')}#${link}`;
}

/** Puts the link into the address and, if that is permitted, on the clipboard. */
export async function share(): Promise<void> {
  const url = await address();
  history.replaceState(null, '', url);
  let copied = true;
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    copied = false;
  }
  state.shared.value = { url, copied };
}

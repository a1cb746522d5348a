/** Actions of the reader: navigation, selection, comparison, editing. */
import { batch } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import { modelOf, type Model } from './model/index.ts';
import { present } from './appearance.ts';
import { momentAt, pairOf } from './model/pair.ts';
import { reportedAt } from './model/log.ts';
import { asked, begin, bound, following, open } from './opening.ts';
import type { RunData, Second } from './protocol.ts';
import * as state from './state.ts';

const { model, step, here } = state;

/** Moves to a step, within the run and not beyond an open question. */
export function go(to: number): void {
  batch(() => {
    state.single.value = false;
    step.value = Math.max(0, Math.min(state.barrier.value, to));
  });
}

/** Answers the open question (undefined: the reader asked for the answer), and plays to the step that shows it. */
export function answer(choice?: number): void {
  const openQuestion = state.openQuestion.value;
  const ask = openQuestion === undefined ? undefined : model.value?.run.lesson.narrationSteps[openQuestion.narrationStep]?.ask;
  if (openQuestion === undefined || ask === undefined || (choice !== undefined && choice >= ask.choices.length)) return;
  batch(() => {
    // The question is about this run, not about a fork.
    unfork();
    state.answers.value = new Map(state.answers.value).set(openQuestion.narrationStep, choice);
    if (here.value >= openQuestion.until) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      go(openQuestion.until);
      return;
    }
    state.hurry.value = { to: openQuestion.until, ms: TO_ANSWER };
    state.playing.value = true;
  });
}

/** Maximum milliseconds to an answer, and of two futures until their end. */
const TO_ANSWER = 2_500;
const TO_END = 8_000;

/** Returns the next stop of a sorted list in a direction; undefined: there is none. */
export const nextOf = (steps: readonly number[], from: number, by: 1 | -1): number | undefined =>
  by > 0 ? steps.find((each) => each > from) : steps.findLast((each) => each < from);

export function hop(steps: readonly number[], by: 1 | -1): void {
  const to = nextOf(steps, state.cursor.value, by);
  if (to !== undefined) go(to);
}

/** The next entry of the log, or with `fine` the next entry. */
export function nextStep(by: 1 | -1, fine = state.fine.value): number | undefined {
  const of = state.track.value;
  if (of === undefined) return undefined;
  const from = state.cursor.value;
  if (fine) return from + by < 0 || from + by > of.length ? undefined : from + by;
  const steps = of.reported;
  const at = reportedAt({ steps }, from);
  if (by > 0) return steps[at + 1];
  const before = steps[at] === from ? at - 1 : at;
  return before < 0 ? (from > 0 ? 0 : undefined) : steps[before];
}

export function move(by: 1 | -1, fine?: boolean): void {
  const to = nextStep(by, fine);
  if (to === undefined) return;
  batch(() => {
    go(to);
    state.single.value = fine === true;
  });
}

export function togglePlay(): void {
  const of = state.track.value;
  if (of === undefined) return;
  state.hurry.value = undefined;
  if (!state.playing.value && state.cursor.value >= of.length) go(0);
  state.playing.value = !state.playing.value;
}

/** Shows the cache of a process, or without one the server; the same process again returns to the server. */
export const look = (process: string | undefined): void => {
  state.lens.value = state.lens.value === process ? undefined : process;
};

/** Below this width the inspector is a sheet; equal to `style/2-frame.css`. */
const NARROW = '(max-width: 1340px)';

/** Selects an object for the inspector; selecting it again releases it. */
export function select(name: ObjectName | undefined): void {
  const now = state.selection.value;
  const same = name !== undefined && now?.kind === name.kind && now.name === name.name && now.namespace === name.namespace;
  state.selection.value = same ? undefined : name;
  if (!same && name !== undefined && matchMedia(NARROW).matches) state.sheet.value = true;
}

export function toggleMark(): void {
  const at = here.value;
  const { marks } = state;
  marks.value = marks.value.includes(at) ? marks.value.filter((each) => each !== at) : [...marks.value, at].sort((a, b) => a - b);
}

/** Opens a second run beside this one: a fork from here, another seed, or a changed gate. A refusal changes nothing. */
export async function compare(how: Second): Promise<void> {
  const first = model.value;
  const { engine } = bound;
  if (first === undefined || engine === undefined) return;
  const mine = ++asked.latest;
  state.offer.value = undefined;
  state.busy.value = 'running the fork';
  const answered = await engine.ask({ ask: 'second', how });
  if (mine !== asked.latest) return;
  state.busy.value = undefined;
  if (answered.is === 'refused') state.problems.value = answered.problems.map((message) => ({ message, line: 1, col: 1 }));
  if (answered.is === 'error') state.problems.value = [{ message: answered.message, line: 1, col: 1 }];
  if (answered.is !== 'second') return;
  standBeside(first, answered.run, how, answered);
  const [lintWarning] = answered.lintWarnings;
  if (lintWarning !== undefined) state.notice.value = lintWarning;
}

interface Shown extends Pick<state.Other, 'said' | 'text' | 'shows'> {
  readonly showsAtMs?: number;
}

export const forkHere = (said: string, typed: string): void =>
  void compare({ is: 'fork', step: here.value, said, injectedFault: { typed } });

/** Shows a second run at the moment of the divergence. */
function standBeside(first: Model, run: RunData, how: Second, { said, text, shows, showsAtMs }: Shown): void {
  const pair = pairOf(first, modelOf(run));
  const until = momentAt(pair, showsAtMs);
  const at = pair.parted === undefined ? pair.firstAt.indexOf(here.value) : pair.parted + 1;
  batch(() => {
    stopPlaying();
    state.problems.value = [];
    state.sheet.value = false;
    state.other.value = { pair, how, said, text, until, ...(shows === undefined ? {} : { shows }) };
    step.value = Math.max(0, at);
    if (how.is !== 'fork' || pair.parted === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    state.hurry.value = { to: until, ms: TO_END };
    state.playing.value = true;
  });
}

/** A recording that the reader has opened, and the name of its file. */
export interface OpenedRecording {
  readonly said: string;
  readonly run: RunData;
}

/** Shows a recording beside the current run, or beside another recording. */
export function compareWith(second: OpenedRecording, opened?: OpenedRecording): void {
  following.by?.end();
  asked.latest++;
  state.busy.value = undefined;
  if (opened !== undefined) beginRecording(opened, 0);
  const first = model.value;
  const { said } = second;
  const how = { is: 'recording', said, ...(opened === undefined ? {} : { first: opened.said }) } as const;
  if (first !== undefined) standBeside(first, second.run, how, { said, text: '' });
}

/** Shows a recording alone, from its first failure. */
export function showRecording(opened: OpenedRecording): void {
  following.by?.end();
  asked.latest++;
  state.busy.value = undefined;
  state.panel.value = 'story';
  beginRecording(opened);
}

function beginRecording({ run, said }: OpenedRecording, at?: number): void {
  state.view.value = 'run';
  begin(modelOf(run), { name: run.name, title: run.name, file: said, text: '' }, at);
}

/** Closes the second run, and returns to the step at which it was opened. */
export function unfork(): void {
  const from = state.other.value;
  if (from === undefined) return;
  batch(() => {
    const at = from.how.is === 'fork' ? from.how.step : here.value;
    stopPlaying();
    state.other.value = undefined;
    go(at);
  });
}

/** Opens a text as a separate scenario; its origin is not kept. */
export function openText(text: string): void {
  const { name = 'scenario', title = name, files } = state.scenario.value ?? {};
  const file = `${name.split('/').at(-1) ?? name}.yaml`;
  void open({ name: `${name.replace(/[*]$/, '')}*`, title, file, text, ...(files === undefined ? {} : { files }) });
  state.panel.value = 'scenario';
}

export function openAt({ line, col }: { readonly line: number; readonly col: number }): void {
  batch(() => {
    state.panel.value = 'scenario';
    state.sought.value = { line, col };
  });
}

/** Runs the text of the editor. If it is refused, the last run stays, and the errors are shown. */
export function runDraft(): void {
  const from = state.scenario.value;
  const text = state.draft.value;
  if (from === undefined) return;
  if (text === undefined) void open(from, model.value?.run.seed);
  else void open({ ...from, name: `${from.name.replace(/[*]$/, '')}*`, text }, undefined);
}

export function offerOrder(): void {
  if (state.canFork.value) state.offer.value = { title: 'Which pending event goes first?', faults: [], waits: {} };
}

export function offerComparison(): void {
  if (state.canFork.value) state.offer.value = { title: 'Compare this run with another', faults: [], compare: true };
}

export const previousNote = (): void => hop([0, ...(state.track.value?.narrationSteps ?? [])], -1);

/** Closes the innermost open element. */
export function leave(): void {
  for (const dialog of [state.offer, state.shared, state.notice]) {
    if (dialog.value === undefined) continue;
    dialog.value = undefined;
    return;
  }
  if (state.presenting.value && !state.help.value) return present(false);
  if (state.other.value !== undefined && !state.help.value) return unfork();
  for (const open of [state.help, state.sheet]) {
    if (!open.value) continue;
    open.value = false;
    return;
  }
  for (const chosen of [state.zoomed, state.selection, state.lens]) {
    if (chosen.value === undefined) continue;
    chosen.value = undefined;
    return;
  }
}

/** Acts after so many milliseconds; what it returns prevents it. */
export function later(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

export function stopPlaying(): void {
  state.playing.value = false;
  state.hurry.value = undefined;
}

/** What a reader can do with what is shown: go about in it, pick, compare, write. */
import { batch } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import { modelOf, type Model } from './model/index.ts';
import { pairOf } from './model/pair.ts';
import { reportedAt } from './model/log.ts';
import { asked, begin, bound, following, open } from './opening.ts';
import type { Answer, PageWaiting, Question, RunData, Second } from './protocol.ts';
import * as state from './state.ts';

const { model, step, here } = state;

/** Goes to a step, or to the nearest there is: never past a question that is open. */
export function go(to: number): void {
  step.value = Math.max(0, Math.min(state.barrier.value, to));
}

/** Answers the open question (undefined: the reader wants to be shown), and plays to what the world says. */
export function answer(choice?: number): void {
  const put = state.put.value;
  const ask = put === undefined ? undefined : model.value?.run.lesson.narrationSteps[put.narrationStep]?.ask;
  if (put === undefined || ask === undefined || (choice !== undefined && choice >= ask.choices.length)) return;
  batch(() => {
    // The question is about this run, not about what might have been.
    unfork();
    state.answers.value = new Map(state.answers.value).set(put.narrationStep, choice);
    if (here.value >= put.until) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      go(put.until);
      return;
    }
    state.hurry.value = put.until;
    state.playing.value = true;
  });
}

/** The next stop of a sorted list in a direction; undefined: there is none. */
export const nextOf = (steps: readonly number[], from: number, by: 1 | -1): number | undefined =>
  by > 0 ? steps.find((each) => each > from) : steps.findLast((each) => each < from);

/** Moves to the next stop of a list; past the last one nothing happens. */
export function hop(steps: readonly number[], by: 1 | -1): void {
  const to = nextOf(steps, state.cursor.value, by);
  if (to !== undefined) go(to);
}

/** The next place that is told, or the next at all. */
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

/** One step on or back. */
export function move(by: 1 | -1, fine?: boolean): void {
  const to = nextStep(by, fine);
  if (to !== undefined) go(to);
}

export function togglePlay(): void {
  const of = state.track.value;
  if (of === undefined) return;
  state.hurry.value = undefined;
  if (!state.playing.value && state.cursor.value >= of.length) go(0);
  state.playing.value = !state.playing.value;
}

export const look = (process: string | undefined): void => {
  state.lens.value = state.lens.value === process ? undefined : process;
};

/** Where the inspector is a sheet: `style/2-frame.css` says the same. */
const NARROW = '(max-width: 1180px)';

/** Picks an object for the inspector; the same again lets go of it. */
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

/** Puts a second run beside this one: a fork from here, another seed, a gate turned over. What is refused changes nothing. */
export async function compare(how: Second): Promise<void> {
  const first = model.value;
  const { engine } = bound;
  if (first === undefined || engine === undefined) return;
  const mine = ++asked.latest;
  state.offer.value = undefined;
  state.busy.value = 'asking what if';
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

/** Puts a run beside another, at the moment at which they part. */
function standBeside(first: Model, run: RunData, how: Second, { said, text }: Pick<state.Other, 'said' | 'text'>): void {
  const pair = pairOf(first, modelOf(run));
  const at = pair.parted ?? pair.firstAt.indexOf(here.value);
  batch(() => {
    stopPlaying();
    state.problems.value = [];
    state.sheet.value = false;
    state.other.value = { pair, how, said, text };
    step.value = Math.max(0, at);
  });
}

/** A recording that a reader brought along. */
export interface Brought {
  /** Its file. */
  readonly said: string;
  readonly run: RunData;
}

/** Puts a recording beside the run that is shown, or beside another recording. */
export function compareWith(second: Brought, brought?: Brought): void {
  following.by?.end();
  asked.latest++;
  state.busy.value = undefined;
  if (brought !== undefined) {
    const { name } = brought.run;
    begin(modelOf(brought.run), { name, title: name, file: brought.said, text: '' }, 0);
  }
  const first = model.value;
  const { said } = second;
  const how = { is: 'recording', said, ...(brought === undefined ? {} : { first: brought.said }) } as const;
  if (first !== undefined) standBeside(first, second.run, how, { said, text: '' });
}

/** Back to the one run, where it stood when the other came beside it. */
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

/** Shows a scenario's text as one of its own: as it is run again, nobody has to know what it came from. */
export function openText(text: string): void {
  const from = state.scenario.value;
  const { name = 'scenario', title = name, files } = from ?? {};
  void open({
    name: `${name.replace(/[*]$/, '')}*`,
    title,
    file: `${name.split('/').at(-1) ?? name}.yaml`,
    text,
    ...(files === undefined ? {} : { files }),
  });
  state.panel.value = 'scenario';
}

/** Runs the text of the editor; one that is refused leaves the last good run standing, and says where it is wrong. */
export function runDraft(): void {
  const from = state.scenario.value;
  const text = state.draft.value;
  if (from === undefined) return;
  if (text === undefined) void open(from, model.value?.run.seed);
  else void open({ ...from, name: `${from.name.replace(/[*]$/, '')}*`, text }, undefined);
}

/** Asks the engine something about a text; undefined: there is no answer. */
export const consult = async (question: Extract<Question, { readonly ask: 'check' | 'assist' | 'tidy' }>): Promise<Answer | undefined> =>
  bound.engine?.ask(question);

/** What waits at a step; undefined: nobody can say. */
export async function waitingAt(at: number): Promise<readonly PageWaiting[] | undefined> {
  const answered = await bound.engine?.ask({ ask: 'waiting', step: at });
  return answered?.is === 'waiting' ? answered.waiting : undefined;
}

/** Offers what waits here: any of it may go first. */
export function offerOrder(): void {
  if (state.canFork.value) state.offer.value = { title: 'What goes first, here?', faults: [], waits: {} };
}

/** Leaves the innermost of what is open. */
export function leave(): void {
  for (const dialog of [state.offer, state.shared, state.notice]) {
    if (dialog.value === undefined) continue;
    dialog.value = undefined;
    return;
  }
  if (state.other.value !== undefined && !state.help.value) {
    unfork();
    return;
  }
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

export function setTheme(theme: state.Theme): void {
  document.documentElement.dataset['theme'] = theme;
  state.theme.value = theme;
}

/** Play ends here, and nothing is hurried to. */
export function stopPlaying(): void {
  state.playing.value = false;
  state.hurry.value = undefined;
}

/** Asks the engine, or the served cluster, what stands at a step. */
export async function peekAt(at: number, about: ObjectName | undefined): Promise<void> {
  const of = model.value;
  // The engine is at it; what it is asked meanwhile would be answered one by one when it is done.
  if (of?.run.unfinished === true || of?.run.recorded === true) return;
  if (state.live.value !== undefined) {
    await following.by?.peek(at);
    return;
  }
  const answer = await bound.engine?.ask({ ask: 'peek', step: at, ...(about === undefined ? {} : { about }) });
  if (answer?.is === 'peek' && model.value === of) state.peek.value = answer.peek;
}

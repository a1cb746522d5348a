/** What a reader can do: everything that changes the page's state. */
import { batch, effect } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import type { Engine } from './engine.ts';
import { beginsAt } from './model/axis.ts';
import { toldAt } from './model/told.ts';
import { modelOf } from './model/index.ts';
import type { Answer, CarriedScenario, Peek, RunData } from './protocol.ts';
import * as state from './state.ts';

const { model, step, here } = state;

/** The engine, once it is started. */
const bound: { engine?: Engine } = {};
export const bindEngine = (engine: Engine): void => {
  bound.engine = engine;
};

/** Follows a served cluster, or lets go of it; in `live.ts`, which needs what stands here. */
interface Following {
  begin(scenario: CarriedScenario): void;
  end(): void;
  peek(step: number): Promise<void>;
}
const following: { by?: Following } = {};
export const bindLive = (by: Following): void => {
  following.by = by;
};

let latest = 0;

/** Runs a scenario and shows it. One that is refused leaves the last good run standing. */
export async function open(scenario: CarriedScenario, seed?: number, at = 0): Promise<void> {
  const { engine } = bound;
  if (engine === undefined) return;
  following.by?.end();
  if (scenario.name === state.data.value.live) {
    latest++;
    state.panel.value = 'live';
    state.model.value = undefined;
    state.scenario.value = scenario;
    following.by?.begin(scenario);
    return;
  }
  if (state.panel.value === 'live') state.panel.value = 'story';
  const mine = ++latest;
  state.busy.value = 'running';
  const answer = await engine.ask({ ask: 'run', scenario, ...(seed === undefined ? {} : { seed }) });
  if (mine === latest) show(answer, scenario, at);
}

/** Shows another stretch of a run that is too long for a page. */
export async function openStretch(from: number): Promise<void> {
  const { scenario } = state;
  if (bound.engine === undefined || scenario.value === undefined) return;
  const mine = ++latest;
  state.busy.value = 'looking';
  const answer = await bound.engine.ask({ ask: 'window', from });
  if (mine === latest) show(answer, scenario.value, 0);
}

function show(answer: Answer, scenario: CarriedScenario, at: number): void {
  state.busy.value = undefined;
  if (answer.is === 'run') {
    const made = modelOf(answer.run);
    batch(() => {
      state.scenario.value = scenario;
      state.problems.value = [];
      state.lens.value = undefined;
      state.selection.value = undefined;
      state.zoomed.value = undefined;
      state.peek.value = undefined;
      state.marks.value = [];
      state.search.value = '';
      state.playing.value = false;
      // Whoever opens a run that somebody recorded wants to see what broke.
      step.value = at === 0 && state.data.value.runs !== undefined ? (answer.run.failures[0]?.step ?? 0) : at;
      model.value = made;
    });
  } else if (answer.is === 'problems') state.problems.value = answer.problems;
  else if (answer.is === 'error') state.problems.value = [{ message: answer.message, line: 1, col: 1 }];
}

/** Shows what there is of a cluster that goes on: the reader stays where they are, at the end if they are there. */
export function refresh(run: RunData, scenario: CarriedScenario): void {
  const before = model.value;
  const atEnd = before === undefined || here.value >= before.length;
  const moved = (run.window?.from ?? 0) - (before?.run.window?.from ?? 0);
  const made = modelOf(run);
  batch(() => {
    state.scenario.value = scenario;
    step.value = atEnd ? made.length : Math.max(0, here.value - moved);
    model.value = made;
  });
}

/** What a server said of what is pending. It is the page's own server, of the same build. */
export function lookedInside(step: number, inside: unknown): void {
  state.peek.value = { step, inside: inside as Peek['inside'], waits: [] };
}

/** Goes to a step, or to the nearest there is. */
export function go(to: number): void {
  step.value = Math.max(0, Math.min(model.value?.length ?? 0, to));
}

/** The next stop of a sorted list in a direction; undefined: there is none. */
export const nextOf = (steps: readonly number[], from: number, by: 1 | -1): number | undefined =>
  by > 0 ? steps.find((each) => each > from) : steps.findLast((each) => each < from);

/** Moves to the next stop of a list; past the last one nothing happens. */
export function hop(steps: readonly number[], by: 1 | -1): void {
  const to = nextOf(steps, here.value, by);
  if (to !== undefined) go(to);
}

/** The next step that is told, or the next at all. */
function nextStep(by: 1 | -1, fine = state.fine.value): number | undefined {
  const of = model.value;
  if (of === undefined) return undefined;
  const from = here.value;
  if (fine) return from + by < 0 || from + by > of.length ? undefined : from + by;
  const { steps } = of.told;
  const at = toldAt(of.told, from);
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
  const of = model.value;
  if (of === undefined) return;
  if (!state.playing.value && here.value >= of.length) go(0);
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

/** Leaves the innermost of what is open. */
export function leave(): void {
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

/** Milliseconds a step takes in play; a longer gap of virtual time waits longer. */
const BEAT = 180;
const LONGEST = 900;
const PER_DOUBLING = 220;
/** A cursor that rests so long is asked about. */
const REST = 160;

/** Keeps play going, and asks the engine about the moment at which the cursor rests. */
export function startClocks(): void {
  effect(() => {
    const of = model.value;
    if (!state.playing.value || of === undefined) return undefined;
    const from = here.value;
    const to = nextStep(1);
    if (to === undefined) {
      state.playing.value = false;
      return undefined;
    }
    const instant = (at: number): number => of.trace.entries[at - 1]?.at ?? beginsAt(of.trace);
    const wait = BEAT + Math.min(LONGEST, PER_DOUBLING * Math.log2(1 + (instant(to) - instant(from)) / 1000));
    const timer = setTimeout(() => {
      go(to);
      if (of.beats.includes(to)) state.playing.value = false;
    }, wait / state.speed.value);
    return () => {
      clearTimeout(timer);
    };
  });
  effect(() => {
    const about = state.inspected.value;
    const at = here.value;
    if (model.value === undefined || state.playing.value) return undefined;
    const timer = setTimeout(() => void peekAt(at, about), REST);
    return () => {
      clearTimeout(timer);
    };
  });
}

async function peekAt(at: number, about: ObjectName | undefined): Promise<void> {
  const of = model.value;
  if (state.live.value !== undefined) {
    await following.by?.peek(at);
    return;
  }
  const answer = await bound.engine?.ask({ ask: 'peek', step: at, ...(about === undefined ? {} : { about }) });
  if (answer?.is === 'peek' && model.value === of) state.peek.value = answer.peek;
}

/** Opens runs: of the engine, a part of a long one, or the state of a growing one. */
import { batch } from '@preact/signals';
import type { Engine } from './engine.ts';
import { keepRun, keptRun } from './kept-runs.ts';
import { growing, modelOf, withOutcome, type Growing, type Model } from './model/index.ts';
import { passedBy } from './model/lesson.ts';
import { entryUnpacker } from './packing.ts';
import type { Answer, CarriedScenario, PackedRun, Part, Peek, RunData } from './protocol.ts';
import * as state from './state.ts';

const { model, step, here } = state;

/** The engine, once it is started. */
export const bound: { engine?: Engine } = {};
/** Has the engine make the run that is shown from an earlier visit, before any other request about it. */
const due: { repeat?: (() => void) | undefined } = {};
export const bindEngine = (engine: Engine): void => {
  const ask: Engine['ask'] = (question, take) => {
    due.repeat?.();
    return engine.ask(question, take);
  };
  bound.engine = BUILT_WITH_ENGINE ? { ...engine, ask } : engine;
};

/** Runs an action when the picture has been painted and the page is idle. */
export function afterPicture(act: () => void): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      // Not in every browser.
      if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: LATER });
      else setTimeout(act);
    });
  });
}

/** Starts or stops following a served cluster; set by `live.ts`, which imports this module. */
interface Following {
  begin(scenario: CarriedScenario): void;
  end(): void;
  peek(step: number): Promise<void>;
}
export const following: { by?: Following } = {};
export const bindLive = (by: Following): void => {
  following.by = by;
};

/** Number of the latest request: replies to earlier ones are dropped. */
export const asked = { latest: 0 };

/** Runs a scenario and shows it. If it is refused, the last run stays. */
export async function open(scenario: CarriedScenario, seed?: number, at?: number): Promise<void> {
  const { engine } = bound;
  if (engine === undefined) return;
  following.by?.end();
  state.view.value = 'run';
  if (scenario.name === state.data.value.live) {
    asked.latest++;
    state.panel.value = 'live';
    state.model.value = undefined;
    state.scenario.value = scenario;
    following.by?.begin(scenario);
    return;
  }
  if (state.panel.value === 'live') state.panel.value = 'story';
  const mine = ++asked.latest;
  if (BUILT_WITH_ENGINE) due.repeat = undefined;
  state.busy.value = 'running';
  state.runProgress.value = undefined;
  const asks: Asked = { scenario, seed, at, mine };
  if (BUILT_WITH_ENGINE) return openMade(engine, asks);
  const answer = await engine.ask(questionOf(asks));
  if (mine === asked.latest) show(answer, scenario, at);
}

interface Asked {
  readonly scenario: CarriedScenario;
  readonly seed: number | undefined;
  readonly at: number | undefined;
  /** The number of the request: a later one replaces it. */
  readonly mine: number;
}

const questionOf = ({ scenario, seed }: Asked) => ({ ask: 'run', scenario, ...(seed === undefined ? {} : { seed }) }) as const;

/** Shows the run that the browser has kept, or has the engine make it, and shows what there is meanwhile. */
async function openMade(engine: Engine, asks: Asked): Promise<void> {
  const { scenario, seed, at, mine } = asks;
  const kept = await keptRun(scenario, seed);
  if (mine !== asked.latest) return;
  if (kept !== undefined) {
    state.busy.value = undefined;
    begin(modelOf(kept), scenario, at);
    const repeatOnce = (): void => {
      if (due.repeat !== repeatOnce) return;
      due.repeat = undefined;
      void repeat(kept, scenario, at, mine);
    };
    due.repeat = repeatOnce;
    afterPicture(repeatOnce);
    return;
  }
  const ahead: Ahead = { run: growing(), unpack: entryUnpacker(), shown: 0 };
  const answer = await engine.ask(questionOf(asks), (part) => {
    if (mine === asked.latest) take(part, ahead, scenario, at);
  });
  if (mine !== asked.latest) return;
  show(answer, scenario, at, ahead);
  if (answer.is === 'run') setTimeout(() => void keepRun(scenario, answer.run), LATER);
}

/** Has the engine make a run that was kept, as what is shown; another run than the kept one replaces it. */
async function repeat(kept: RunData, scenario: CarriedScenario, at: number | undefined, mine: number): Promise<void> {
  const answer = await bound.engine?.ask({ ask: 'run', scenario, seed: kept.seed });
  if (answer === undefined || mine !== asked.latest) return;
  if (answer.is === 'run' && answer.run.digest === kept.digest) {
    if (model.value !== undefined) rehearseLater(model.value);
    return;
  }
  show(answer, scenario, at);
}

/** Ends the run that is being made; what it has made so far stays. */
export function stopRun(): void {
  void bound.engine?.stop();
}

/** A run that is shown while it is made. */
interface Ahead {
  readonly run: Growing;
  readonly unpack: ReturnType<typeof entryUnpacker>;
  /** Number of entries that are shown. */
  shown: number;
}

/**
 * Shows the run so far: with the first entries, then whenever their number has doubled, so that the total cost is proportional to the run.
 */
function take(part: Part, ahead: Ahead, scenario: CarriedScenario, at: number | undefined): void {
  add(part, ahead);
  const { lengthMs } = part.run;
  state.runProgress.value = { entries: ahead.run.length, lengthMs, ...(part.untilMs === undefined ? {} : { untilMs: part.untilMs }) };
  if (ahead.run.length < 2 * ahead.shown) return;
  const made = ahead.run.model(part.run, part.trace);
  if (ahead.shown === 0) begin(made, scenario, at);
  else model.value = made;
  ahead.shown = ahead.run.length;
}

function add({ prologue, entries }: PackedRun, { run, unpack }: Ahead): void {
  const before = prologue.map(unpack);
  run.add(entries.map(unpack), before);
}

/** Shows another part of a run that is too long for a page. */
export async function openStretch(from: number): Promise<void> {
  const { scenario } = state;
  if (bound.engine === undefined || scenario.value === undefined) return;
  const mine = ++asked.latest;
  state.busy.value = 'looking';
  const answer = await bound.engine.ask({ ask: 'window', from });
  if (mine === asked.latest) show(answer, scenario.value, 0);
}

function show(answer: Answer, scenario: CarriedScenario, at: number | undefined, ahead?: Ahead): void {
  state.busy.value = undefined;
  state.runProgress.value = undefined;
  if (answer.is === 'run') begin(modelOf(answer.run), scenario, at);
  else if (BUILT_WITH_ENGINE && answer.is === 'end' && ahead !== undefined) showEnd(answer, ahead);
  else if (answer.is === 'problems') state.problems.value = answer.problems;
  else if (answer.is === 'error') state.problems.value = [{ message: answer.message, line: 1, col: 1 }];
  if (BUILT_WITH_ENGINE && model.value !== undefined && (answer.is === 'run' || answer.is === 'end')) rehearseLater(model.value);
}

/** The complete run, with the parts that preceded it: the reader stays at the step. */
function showEnd(answer: PackedRun, ahead: Ahead): void {
  add(answer, ahead);
  const made = ahead.run.model(answer.run, answer.trace);
  const [failure] = step.value === 0 ? made.run.failures : [];
  batch(() => {
    model.value = made;
    if (failure !== undefined) step.value = failure.step;
  });
}

/** Milliseconds after a lesson's first picture, in which the reader's first requests come. */
const LATER = 1_200;

/** Has the suggestions of a lesson run. If one does not do what the lesson says, the run is broken. */
function rehearseLater(made: Model): void {
  const { verdict, stopped, lesson } = made.run;
  if (state.data.value.runs !== undefined || verdict !== 'held' || stopped === true) return;
  if (lesson.narrationSteps.every(({ tries }) => tries === undefined)) return;
  setTimeout(() => {
    if (model.value === made) void rehearseNow(made);
  }, LATER);
}

async function rehearseNow(made: Model): Promise<void> {
  const answer = await bound.engine?.ask({ ask: 'rehearse' });
  if (answer?.is === 'rehearsed' && answer.verdict !== 'held' && model.value === made) model.value = withOutcome(made, answer);
}

/** Shows another run, from a step on; without one, a run that failed from its first failure. */
export function begin(made: Model, scenario: CarriedScenario, at?: number): void {
  batch(() => {
    state.scenario.value = scenario;
    state.draft.value = undefined;
    state.problems.value = [];
    state.lens.value = undefined;
    state.selection.value = undefined;
    state.zoomed.value = undefined;
    state.other.value = undefined;
    state.offer.value = undefined;
    state.peek.value = undefined;
    state.marks.value = [];
    state.search.value = '';
    state.recap.value = false;
    state.playing.value = false;
    state.hurry.value = undefined;
    // A lesson's questions come before its failure.
    const [failure] = at === undefined && made.questions.length === 0 ? made.run.failures : [];
    const from = at ?? failure?.step ?? 0;
    if (failure?.about !== undefined) state.selection.value = failure.about;
    state.answers.value = passedBy(made.questions, from);
    step.value = from;
    model.value = made;
  });
}

/** Shows the current state of a growing cluster. The reader's step is kept; at the end it stays at the end. */
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

/** Shows introspection from the server. The server is the page's own, so it is of the same build. */
export function showIntrospection(step: number, introspection: unknown): void {
  state.peek.value = { step, introspection: introspection as Peek['introspection'], waits: [] };
}

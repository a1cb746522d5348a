/** Automatic actions: play from stop to stop, following the views of a lesson, and introspection when the cursor rests. */
import { batch, effect, untracked } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import { go, later, nextStep, stopPlaying } from './actions.ts';
import { peekAt } from './consult.ts';
import { reportedAt } from './model/log.ts';
import type { Track } from './model/pair.ts';
import { startSearch } from './searching.ts';
import * as state from './state.ts';

const { model, here } = state;

/** Milliseconds of a step in play; a longer gap of virtual time takes longer. */
const NARRATION_STEP = 180;
const LONGEST = 900;
const PER_DOUBLING = 220;
/** Milliseconds after which the cursor counts as resting. */
const REST = 160;
/** Milliseconds after which the inspector of a large run follows a move, and after which it does so although further ones came. */
const FOLLOW = 60;
const FOLLOW_AT_LAST = 300;
/** Milliseconds between two pictures on the way to an answer. */
const TICK = 90;

/** Starts play, follows the views of a lesson, and requests introspection when the cursor rests. */
export function startClocks(): void {
  effect(playOn);
  effect(followLesson);
  effect(startSearch);
  // Recordings are never so large.
  if (BUILT_WITH_ENGINE) effect(followCursor);
  effect(() => {
    const about = state.inspected.value;
    const at = here.value;
    if (model.value === undefined || state.playing.value) return undefined;
    return later(REST, () => void peekAt(at, about));
  });
}

/** When the cursor left the step of the inspector. */
const left: { at: number | undefined } = { at: undefined };

function followCursor(): (() => void) | undefined {
  const to = here.value;
  if (to === state.followed.peek()) return undefined;
  left.at ??= performance.now();
  const wait = Math.max(0, Math.min(FOLLOW, left.at + FOLLOW_AT_LAST - performance.now()));
  return later(wait, () => {
    left.at = undefined;
    state.followed.value = to;
  });
}

/** One step of play, and a timer for the next. */
function playOn(): (() => void) | undefined {
  const of = state.track.value;
  if (!state.playing.value || of === undefined) {
    trip.to = undefined;
    return undefined;
  }
  const target = state.hurry.value;
  if (target !== undefined) return hurryOn(of, target);
  trip.to = undefined;
  const from = state.cursor.value;
  const to = nextStop(of, from);
  if (to === undefined) {
    batch(stopPlaying);
    return undefined;
  }
  const gap = of.instantAt(to) - of.instantAt(from);
  const wait = (NARRATION_STEP + Math.min(LONGEST, PER_DOUBLING * Math.log2(1 + gap / 1000))) / state.speed.value;
  return later(wait, () =>
    batch(() => {
      go(to);
      if (of.narrationSteps.includes(to)) stopPlaying();
    }),
  );
}

/** The way to an answer: where it began, and when. */
const trip: { to: number | undefined; from: number; since: number } = { to: undefined, from: 0, since: 0 };

/** Goes to an answer by leaps: by the clock, so that neither its distance nor a slow machine makes the reader wait. */
function hurryOn({ reported: steps }: Track, { to, ms }: NonNullable<typeof state.hurry.value>): () => void {
  if (trip.to !== to) Object.assign(trip, { to, from: state.cursor.value, since: performance.now() });
  const first = reportedAt({ steps }, trip.from);
  const stops = reportedAt({ steps }, to) - first;
  const total = Math.min(ms, NARRATION_STEP * stops);
  const timer = setInterval(() => {
    const share = (performance.now() - trip.since) / total;
    batch(() => {
      if (share < 1) {
        go(steps[first + Math.ceil(share * stops)] ?? to);
        return;
      }
      go(to);
      stopPlaying();
    });
  }, TICK);
  return () => clearInterval(timer);
}

/** The next stop of play, which includes narration steps; undefined: the end, or an open question. */
function nextStop(of: Track, from: number): number | undefined {
  const narrationStep = of.narrationSteps.find((each) => each > from) ?? of.length;
  const to = Math.min(nextStep(1) ?? narrationStep, narrationStep, state.barrier.value);
  return to > from ? to : undefined;
}

/** The view that the current narration step has set. */
const looking: { at?: ObjectName | undefined; as?: string | undefined } = {};

/** Arriving at a narration step selects the object and the cache that it names; leaving it restores the view. */
function followLesson(): void {
  const at = here.value;
  const look = model.value?.run.lesson.looks.findLast(({ step }) => step === at);
  untracked(() => {
    batch(() => {
      if (looking.at !== undefined && state.selection.value === looking.at) state.selection.value = undefined;
      if (looking.as !== undefined && state.lens.value === looking.as) state.lens.value = undefined;
      Object.assign(looking, { at: look?.at, as: look?.as });
      if (look === undefined) return;
      state.selection.value = look.at;
      state.lens.value = look.as;
    });
  });
}

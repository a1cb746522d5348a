/** What goes on by itself: play from stop to stop, eyes that follow a lesson, and a look inside wherever the cursor rests. */
import { batch, effect, untracked } from '@preact/signals';
import type { ObjectName } from '../../lab/trace/index.ts';
import { go, nextStep, peekAt, stopPlaying } from './actions.ts';
import { reportedAt } from './model/log.ts';
import type { Track } from './model/track.ts';
import { lookForward } from './searching.ts';
import * as state from './state.ts';

const { model, here } = state;

/** Milliseconds a step takes in play; a longer gap of virtual time waits longer. */
const NARRATION_STEP = 180;
const LONGEST = 900;
const PER_DOUBLING = 220;
/** A cursor that rests so long is asked about. */
const REST = 160;
/** An answer is shown within so long, however far away it lies. */
const HURRY = 3000;

/** Keeps play going, follows where the lesson looks, and asks the engine about the moment at which the cursor rests. */
export function startClocks(): void {
  effect(playOn);
  effect(lookAlong);
  effect(lookForward);
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

/** One step of play, and a clock for the next. */
function playOn(): (() => void) | undefined {
  const of = state.track.value;
  if (!state.playing.value || of === undefined) return undefined;
  const from = state.cursor.value;
  const to = nextStop(of, from);
  if (to === undefined) {
    batch(stopPlaying);
    return undefined;
  }
  const gap = of.instantAt(to) - of.instantAt(from);
  const wait = (NARRATION_STEP + Math.min(LONGEST, PER_DOUBLING * Math.log2(1 + gap / 1000))) / state.speed.value;
  const target = state.hurry.value;
  const left = target === undefined ? 0 : reportedAt({ steps: of.reported }, target) - reportedAt({ steps: of.reported }, from) + 1;
  const timer = setTimeout(
    () => {
      batch(() => {
        go(to);
        if (of.narrationSteps.includes(to) && to >= (target ?? 0)) stopPlaying();
      });
    },
    target === undefined ? wait : Math.min(wait, HURRY / Math.max(1, left)),
  );
  return () => {
    clearTimeout(timer);
  };
}

/** Where play goes next: beats are stops though they are not told; undefined: nowhere, or a question is open. */
function nextStop(of: Track, from: number): number | undefined {
  const narrationStep = of.narrationSteps.find((each) => each > from) ?? of.length;
  const to = Math.min(nextStep(1) ?? narrationStep, narrationStep, state.barrier.value);
  return to > from ? to : undefined;
}

/** What a beat said to look at, as long as the cursor rests there. */
const looking: { at?: ObjectName | undefined; as?: string | undefined } = {};

/** Arriving at a beat opens what it says to look at, and puts on the eyes that it names; going on lets go of them. */
function lookAlong(): void {
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

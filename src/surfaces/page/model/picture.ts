/** The picture of a run on the card of a lesson: processes that fail or lead, then pods, each as a bar over the folded time. */
import type { LessonCard, Picture, RunData } from '../protocol.ts';
import { modelOf, type Model } from './index.ts';
import type { Stretch } from './lifespans.ts';

/** Rows of a picture; later pods reuse the rows of earlier ones that have ended. */
const MOST_ROWS = 10;
const WIDTH = 1000;

/** Words of prose in a minute, and minutes to think about a question. */
const WORDS = 180;
const QUESTION = 0.3;

export function lessonCardOf(run: RunData): LessonCard {
  const { teaches = '', narrationSteps } = run.lesson;
  const prose = narrationSteps.flatMap(({ note, ask }) =>
    ask === undefined ? [note] : [note, ask.question, ...ask.choices.flatMap(({ say, because }) => [say, because])],
  );
  const words = prose.join(' ').split(/\s+/).length;
  const questions = narrationSteps.filter(({ ask }) => ask !== undefined).length;
  return { teaches, minutes: Math.max(1, Math.round(words / WORDS + questions * QUESTION)), picture: pictureOf(modelOf(run)) };
}

function pictureOf({ axis, length, lifespans, agents, narrationSteps }: Model): Picture {
  const x = (step: number): number => Math.round(WIDTH * (axis.folded[Math.min(step, length + 1)] ?? 1));
  const bars: Picture['bars'][number][] = [];
  const draw = (row: number, stretches: readonly Stretch<string>[]): void => {
    for (const { from, to, what } of stretches) if (x(to) > x(from)) bars.push([row, x(from), x(to), what.toLowerCase()]);
  };
  const nodes = new Set([...agents.values()].map(({ process }) => process));
  // A process that is up all the time says nothing about the run.
  const eventful = [...lifespans.processes].filter(
    ([name, all]) => all.some(({ what }) => what !== 'up') || (all.length > 1 && !nodes.has(name)),
  );
  eventful.forEach(([, stretches], row) => {
    draw(row, stretches);
  });
  const first = eventful.length;
  const ends: number[] = [];
  for (const { stretches } of lifespans.pods) {
    const from = stretches[0]?.from ?? 0;
    const free = ends.findIndex((end) => end <= from);
    const row = free < 0 ? ends.length : free;
    if (first + row >= MOST_ROWS) continue;
    ends[row] = stretches.at(-1)?.to ?? Infinity;
    draw(first + row, stretches);
  }
  return { rows: first + ends.length, bars, notes: narrationSteps.map(x) };
}

/**
 * How a failure came about, from the trace of the run that failed: the write in question, what led to it, and the commands that show more.
 */
import { formatDurationMs } from '../../grammar/values/index.ts';
import type { Liveness, RunFailure } from '../../lab/simulation/index.ts';
import {
  entryAt,
  lastWriteOf,
  lineParts,
  cacheViewOf,
  storyOf,
  type LineParts,
  type ObjectName,
  type Trace,
} from '../../lab/trace/index.ts';
import { cacheViewText, type CacheViewText } from './cache-view.ts';

export interface Explanation {
  /** Newest first: the write in question, then its causes. */
  readonly chain: readonly LineParts[];
  /** Causes left out. */
  readonly more: number;
  /** What the decision behind the write in question did not see. */
  readonly cacheView?: CacheViewText;
  /** What the objects in question waited for. */
  readonly waits?: readonly string[];
  /** For a run that did not come to an end: who decided most often towards its end, and why at last. */
  readonly busiest?: readonly Busy[];
}

export interface Busy {
  readonly who: string;
  readonly key: string;
  readonly decisions: number;
  readonly lastWhy: string;
}

const SHOWN = 8;

/** The last thing that anybody did, when no object is in question: what was merely seen explains nothing. */
function lastInjectedFault(trace: Trace, before: number): number {
  for (let step = Math.min(before, trace.entries.length); step > 0; step--) {
    const type = entryAt(trace, step)?.type;
    if (type !== 'delivery' && type !== 'timer' && type !== 'check' && type !== 'note') return step;
  }
  return 0;
}

/** Entries from the end that count as its last part. */
const LAST_PART = 10_000;
const BUSIEST = 3;

function busiestOf(trace: Trace): readonly Busy[] {
  const found = new Map<string, { who: string; key: string; decisions: number; lastWhy: string }>();
  for (const entry of trace.entries.slice(-LAST_PART)) {
    if (entry.type !== 'reconcile') continue;
    const place = `${entry.process} ${entry.controller} ${entry.key}`;
    const busy = found.get(place);
    if (busy === undefined) found.set(place, { who: entry.controller, key: entry.key, decisions: 1, lastWhy: entry.why });
    else {
      busy.decisions++;
      busy.lastWhy = entry.why;
    }
  }
  return [...found.values()].sort((a, b) => b.decisions - a.decisions).slice(0, BUSIEST);
}

export function explain(trace: Trace, failure: RunFailure): Explanation {
  if (failure.kind === 'limit') return { chain: [], more: 0, busiest: busiestOf(trace) };
  const { about, traceStep } = failure;
  const step =
    (about === undefined ? undefined : (lastWriteOf(trace, about, traceStep, about.field) ?? lastWriteOf(trace, about, traceStep))) ??
    lastInjectedFault(trace, traceStep);
  const waits = failure.waits === undefined ? {} : { waits: failure.waits };
  if (step === 0) return { chain: [], more: 0, ...waits };
  const seen = cacheViewOf(trace, step);
  const cacheView = seen === undefined ? undefined : cacheViewText(seen, trace.startAt);
  const story = storyOf(trace, step);
  const steps = [step, ...story.slice(0, SHOWN - 1).map((link) => link.step)];
  return {
    chain: steps.map((at) => lineParts(trace, at)).filter((parts) => parts !== undefined),
    more: Math.max(0, story.length - SHOWN + 1),
    ...(cacheView === undefined ? {} : { cacheView }),
    ...waits,
  };
}

/** A word as a shell takes it. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** Standard input, as messages name it. */
export const STDIN = '<stdin>';

/** A file as a command is given it. */
const fileWord = (file: string): string => (file === STDIN ? '-' : shellWord(file));

/** What shows a run again, step by step. */
export const replayCommand = (file: string, seed: number, flags = ''): string =>
  `npx orchsim run ${fileWord(file)} --seed ${seed}${flags === '' ? '' : ` ${flags}`} -v`;

/** What explains an object of a run at a step. */
export const whyCommand = (file: string, seed: number, { kind, namespace, name }: ObjectName, step: number, flags = ''): string =>
  `npx orchsim why ${[kind, ...(namespace === undefined || namespace === 'default' ? [] : [namespace]), name].join('/')} ${fileWord(file)} --seed ${seed}${flags === '' ? '' : ` ${flags}`} --at '#${step}'`;

/** Steps of the timeline that are shown of what happens at one instant. */
const SOME_STEPS = 20;

/** What shows the timeline of a stretch of a run. */
export function walkCommand(file: string, seed: number, { fromMs, toMs }: Pick<Liveness, 'fromMs' | 'toMs'>, flags = ''): string {
  const onwards = toMs - fromMs <= 1 ? `step ${SOME_STEPS}` : `goto ${formatDurationMs(toMs)}`;
  return `npx orchsim walk ${shellWord(file)} --seed ${seed}${flags === '' ? '' : ` ${flags}`} --script 'goto ${formatDurationMs(fromMs)}; ${onwards}; timeline'`;
}

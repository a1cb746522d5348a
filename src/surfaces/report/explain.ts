/** Explains a failure from the trace of its run: the write in question, its causes, and the commands that show more. */
import type { Liveness, RunFailure } from '../../lab/simulation/index.ts';
import { cacheViewOf, entryAt, formatSince, lastWriteOf, lineParts, shortKey, storyOf, summarizeChange } from '../../lab/trace/index.ts';
import type { CacheView, LineParts, ObjectName, Trace, Unseen } from '../../lab/trace/index.ts';
import { formatDurationMs, present } from '../../schema/values/index.ts';
import { count } from './table.ts';

/** At most so many objects are listed. */
const MOST_UNSEEN = 4;

interface CacheViewText {
  /** `did not see Pod a (there since 2.000s)`. */
  readonly unseen: string;
  /** `was restarted at 6.000s from a stale list (staleBy: 5s)`, each with its step. */
  readonly reasons: string;
}

/** Returns the view as text; undefined if the cache was up to date. */
export function cacheViewText({ unseen, reasons, process }: CacheView, startAt: number): CacheViewText | undefined {
  if (unseen.length === 0) return undefined;
  const parts = (['missing', 'gone', 'older'] as const).flatMap((how) => {
    const group = unseen.filter((one) => one.how === how);
    return group.length === 0 ? [] : [phrase(how, group, startAt)];
  });
  return {
    unseen: parts.join('; '),
    reasons: reasons.length === 0 ? '' : `${process} ${reasons.map(({ text, step }) => `${text} #${step}`).join('; it ')}`,
  };
}

function phrase(how: Unseen['how'], group: readonly Unseen[], startAt: number): string {
  const verb = { missing: 'it did not see', gone: 'it still saw', older: 'it saw old' }[how];
  const reported = group.slice(0, MOST_UNSEEN).map((one) => describe(one, startAt));
  const rest = group.length - reported.length;
  return `${verb} ${reported.join(', ')}${rest > 0 ? ` and ${count(rest, 'more object')}` : ''}`;
}

function describe({ kind, key, how, since, saw, was }: Unseen, startAt: number): string {
  const name = `${kind} ${shortKey(key)}`;
  const at = formatSince(since - startAt);
  if (how !== 'older' || saw === undefined || was === undefined) return `${name} (${how === 'gone' ? 'gone' : 'there'} since ${at})`;
  const changes = summarizeChange({ revision: 0, type: 'MODIFIED', kind, key, object: was, previous: saw, at: 0, entry: 0 });
  return `${name} (rv ${saw.metadata.resourceVersion}, not ${was.metadata.resourceVersion}, since ${at}: ${changes})`;
}

export interface Explanation {
  /** Newest first: the write in question, then its causes. */
  readonly chain: readonly LineParts[];
  /** Number of causes left out. */
  readonly more: number;
  /** What the cache did not show at the decision behind the write. */
  readonly cacheView?: CacheViewText;
  /** What the objects in question waited for. */
  readonly waits?: readonly string[];
  /** For a run that did not end: who decided most often near its end, and the last reason. */
  readonly busiest?: ReturnType<typeof busiestOf>;
}

const SHOWN = 8;

/** The last injected fault, for a failure that is about no object: deliveries and other observations explain nothing. */
function lastInjectedFault(trace: Trace, before: number): number {
  for (let step = Math.min(before, trace.entries.length); step > 0; step--) {
    const type = entryAt(trace, step)?.type;
    if (type !== 'delivery' && type !== 'timer' && type !== 'check' && type !== 'note') return step;
  }
  return 0;
}

/** At most so many entries form the last part of a run. */
const LAST_PART = 10_000;
const BUSIEST = 3;

function busiestOf(trace: Trace) {
  const found = new Map<string, { who: string; key: string; decisions: number; lastWhy: string }>();
  for (const entry of trace.entries.slice(-LAST_PART)) {
    if (entry.type !== 'reconcile') continue;
    const { process, controller: who, key, why: lastWhy } = entry;
    const place = `${process} ${who} ${key}`;
    found.set(place, { who, key, decisions: (found.get(place)?.decisions ?? 0) + 1, lastWhy });
  }
  return [...found.values()].sort((a, b) => b.decisions - a.decisions).slice(0, BUSIEST);
}

export function explain(trace: Trace, failure: RunFailure): Explanation {
  if (failure.kind === 'limit') return { chain: [], more: 0, busiest: busiestOf(trace) };
  const { about, traceStep } = failure;
  const step =
    (about === undefined ? undefined : (lastWriteOf(trace, about, traceStep, about.field) ?? lastWriteOf(trace, about, traceStep))) ??
    lastInjectedFault(trace, traceStep);
  if (step === 0) return present({ chain: [], more: 0, waits: failure.waits });
  const seen = cacheViewOf(trace, step);
  const story = storyOf(trace, step);
  const steps = [step, ...story.slice(0, SHOWN - 1).map((link) => link.step)];
  return present({
    chain: steps.map((at) => lineParts(trace, at)).filter((parts) => parts !== undefined),
    more: Math.max(0, story.length - SHOWN + 1),
    cacheView: seen === undefined ? undefined : cacheViewText(seen, trace.startAt),
    waits: failure.waits,
  });
}

/** Returns a word quoted for a shell if necessary. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** Standard input, as messages name it. */
export const STDIN = '<stdin>';

/** A file as a command is given it. */
const fileWord = (file: string): string => (file === STDIN ? '-' : shellWord(file));

export const replayCommand = (file: string, seed: number, flags = ''): string =>
  `npx orchsim run ${file === '' ? '' : `${fileWord(file)} `}--seed ${seed}${flags === '' ? '' : ` ${flags}`} -v`;

export const whyCommand = (file: string, seed: number, { kind, namespace, name }: ObjectName, step: number, flags = ''): string =>
  `npx orchsim why ${[kind, ...(namespace === undefined || namespace === 'default' ? [] : [namespace]), name].join('/')} ${fileWord(file)} --seed ${seed}${flags === '' ? '' : ` ${flags}`} --at '#${step}'`;

/** At most so many steps of one instant are shown. */
const SOME_STEPS = 20;

/** Returns the command that shows the timeline of a part of a run. Times are virtual milliseconds. */
export function walkCommand(file: string, seed: number, { fromMs, toMs }: Pick<Liveness, 'fromMs' | 'toMs'>, flags = ''): string {
  const onwards = toMs - fromMs <= 1 ? `step ${SOME_STEPS}` : `goto ${formatDurationMs(toMs)}`;
  return `npx orchsim walk ${shellWord(file)} --seed ${seed}${flags === '' ? '' : ` ${flags}`} --script 'goto ${formatDurationMs(fromMs)}; ${onwards}; timeline'`;
}

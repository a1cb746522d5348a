/** `fork` in a walk: runs the scenario to this moment with one more step, or with pending events in another order; `save` writes it. */
import { shownTrace, type History } from '../question/history.ts';
import { forkedFrom } from '../question/replays.ts';
import { readKind, readTarget } from '../question/target.ts';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { beforeFork, forkAt, readForkStep, type Fork, type ForkAction } from '../../../lab/fork/index.ts';
import { formatScenario, type Step } from '../../../lab/scenario/index.ts';
import type { Run } from '../../../lab/simulation/index.ts';
import { changesBetween, firstDivergence, formatSince, type Trace } from '../../../lab/trace/index.ts';
import { count, shellWord, type Palette, table } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { sessionOf, type Session, here, type Walk } from './session.ts';
import { changeLines } from './changes.ts';
import { expectedDuration, formatDurationMs, parseDurationMs } from '../../../schema/values/index.ts';
import { waitingAt, type Waiting } from '../../../lab/order/index.ts';

/** Forks with the step in the rest of the line. */
export function fork(walk: Walk, rest: string): readonly string[] {
  const order = readOrder(walk, rest);
  if (order !== undefined) return forkWith(walk, order.injectedFault, order.said);
  const { plugins, kinds } = here(walk).history;
  const read = readForkStep(rest, plugins.definitions, kinds);
  if ('problems' in read) throw new BadInput(read.problems);
  if ('step' in read) namesWhatWas(read.step, here(walk).history);
  return forkWith(walk, read, rest.trim());
}

/** Refuses the name of an object that there never was: nothing would come of it but a 404. */
function namesWhatWas(step: Step, history: History): void {
  if (!('target' in step) || step.target === undefined || ('ignoreNotFound' in step && step.ignoreNotFound)) return;
  const { kind, namespace, name } = step.target;
  if (name === undefined || namespace === '*') return;
  const { namespaced } = readKind(kind, history.kinds);
  readTarget([kind, ...(namespaced && namespace !== undefined ? [namespace] : []), name].join('/'), history);
}

/** Forks with a step or with choices; `said` describes them. */
export function forkWith(walk: Walk, injectedFault: ForkAction, said: string): readonly string[] {
  const session = here(walk);
  const { history: of, scenario, moment } = session;
  const { palette } = walk;
  if (scenario === undefined) throw new BadInput('fork: a saved trace has no scenario to continue; walk the scenario itself');
  const made = forkAt(scenario, of.trace, moment, injectedFault, {
    name: `${scenario.name}-fork-${++walk.forks}`,
    said,
    // A narration step covers a whole instant; a single write is exact.
    rightAfter: !session.narrationSteps.has(moment.step),
    // Another order keeps the later steps of the scenario.
    keepLater: 'choices' in injectedFault,
  });
  const comment = `Forked from ${scenario.name} at ${formatSince(made.sinceMs)}: ${said}`;
  const name = made.scenario.name;
  const text = formatScenario(made.scenario, { faults: faultsWith(of.plugins.definitions), comment });
  const run = forkedFrom(of, made);
  if (run.trace === undefined) throw new Error('a run that was asked for its trace has none');
  const trace = shownTrace(run.trace, of);
  const before = 'step' in injectedFault ? beforeFork(trace, made) : beforeDivergence(of.trace, trace);
  const forked = { ...sessionOf({ ...of, trace, run, scenario: name, file: `${name}.yaml` }, before), fork: { name, text } };
  // The last entry of the fork may be earlier than the instant that was typed.
  if ('step' in injectedFault) forked.moment = { ...forked.moment, at: moment.at };
  walk.sessions.push(forked);
  return [
    '',
    palette.strong(`what if, at ${formatSince(made.sinceMs)}: ${said}`),
    ...outcomeLines(run, session, palette),
    ...run.unused.map(({ at }) => `  ${palette.warn('not reached:')} the run has no point ${at}`),
    ...keptLines(made, palette),
    '  from here on:',
    ...changeLines(changesBetween(trace, forked.moment.step, trace.entries.length), palette),
    `  ${palette.dim('next, step and why walk the fork; save writes it as a scenario file; unfork returns')}`,
  ];
}

export function save(walk: Walk, rest: string): readonly string[] {
  const {
    fork: made,
    history: { plugins },
  } = here(walk);
  if (made === undefined) throw new BadInput('save: this is not a fork; the scenario has its file already');
  if (/\s/.test(rest)) throw new BadInput(`save: expected one file, found ${JSON.stringify(rest)}`);
  const file = walk.save(rest === '' ? `${made.name}.yaml` : rest, made.text);
  return [`  written to ${file}; npx orchsim run ${[file, ...plugins.sources.words].map(shellWord).join(' ')} replays it`];
}

/** The step before the first difference. A delayed event differs from the time of its sending, which may be before the moment. */
const beforeDivergence = (trace: Trace, forked: Trace): number => (firstDivergence(trace, forked)?.second ?? forked.entries.length + 1) - 1;

const DETAIL = 6;

function outcomeLines({ lengthMs, failures }: Run, { history: { trace } }: Session, palette: Palette): readonly string[] {
  const endedAt = trace.entries.at(-1)?.at ?? trace.startAt;
  const [first] = failures;
  const held = first === undefined ? palette.good('everything held') : palette.bad(count(failures.length, 'failure'));
  const ends = `  it ends at ${formatSince(lengthMs)} instead of ${formatSince(endedAt - trace.startAt)}, ${held}`;
  if (first === undefined) return [ends];
  const { sinceStartMs, invariant, message, detail } = first;
  return [
    ends,
    `  ${palette.bad('first failure')} at ${formatSince(sinceStartMs)}: ${invariant === undefined ? '' : `${invariant}: `}${message}`,
    ...detail.slice(0, DETAIL).map((line) => `  ${line}`),
  ];
}

function keptLines({ kept, left }: Fork, palette: Palette): readonly string[] {
  if (kept + left === 0) return [];
  const checked = `${count(kept, 'expectation')} about the settled state ${kept === 1 ? 'is' : 'are'} checked here too`;
  return [
    `  ${palette.dim(kept === 0 ? `left out: ${count(left, 'later step')}` : left === 0 ? checked : `${checked}; left out: ${count(left, 'later step')}`)}`,
  ];
}

/** The default delay, in milliseconds. */
const LATER_MS = 5_000;

function waitingHere({ scenario, history: { seed, plugins }, moment }: Session): readonly Waiting[] {
  if (scenario === undefined) throw new BadInput('waiting: a saved trace does not say what was pending; walk the scenario itself');
  return waitingAt(scenario, seed, moment.step, plugins.definitions);
}

export function waiting(walk: Walk): readonly string[] {
  const session = here(walk);
  const { palette } = walk;
  const all = waitingHere(session);
  if (all.length === 0) return [`  ${palette.dim('nothing is pending but renewals of leases')}`];
  const rows = all.map(({ at, what, first, because = '' }, index) => [
    `  ${palette.strong(String(index + 1))}`,
    at <= session.moment.at ? 'now' : `+${formatDurationMs(at - session.moment.at)}`,
    what,
    palette.dim(first === undefined ? `cannot go first: ${because}` : ''),
  ]);
  return [...table(rows), ...hint(all).map((line) => `  ${palette.dim(line)}`)];
}

function hint(all: readonly Waiting[]): readonly string[] {
  const [first, later] = [all.findIndex((each) => (each.first?.length ?? 0) > 0), all.findIndex((each) => each.later !== undefined)];
  return [
    ...(first < 0 ? [] : [`fork first ${first + 1} lets number ${first + 1} go first`]),
    ...(later < 0 ? [] : [`fork later ${later + 1} 10s holds number ${later + 1}`]),
  ];
}

/** Parses `first 2` and `later 2 10s`. Returns the choices and their description; undefined: it is another kind of fork. */
function readOrder(walk: Walk, rest: string): { readonly injectedFault: ForkAction; readonly said: string } | undefined {
  const [word, number = '', duration, over] = rest.split(/\s+/);
  if (word !== 'first' && word !== 'later') return undefined;
  const extra = word === 'first' ? duration : over;
  if (extra !== undefined)
    throw new BadInput(`fork ${word}: takes ${word === 'first' ? 'NUMBER' : 'NUMBER [5s]'}, found ${JSON.stringify(extra)}`);
  const all = waitingHere(here(walk));
  const one = /^\d+$/.test(number) ? all[Number(number) - 1] : undefined;
  if (one === undefined)
    throw new BadInput(
      all.length === 0
        ? `fork ${word}: nothing is pending here but renewals of leases`
        : `fork ${word}: expected a number from 1 to ${all.length}, as waiting lists them, found ${JSON.stringify(number)}`,
    );
  if (word === 'first') {
    if (one.first === undefined) throw new BadInput(`fork first: ${one.what} cannot go first: ${one.because ?? ''}`);
    if (one.first.length === 0) throw new BadInput(`fork first: ${one.what} goes first by itself`);
    return { injectedFault: { choices: one.first }, said: `${one.what} first` };
  }
  const ms = duration === undefined ? LATER_MS : (parseDurationMs(duration).value ?? 0);
  if (ms <= 0)
    throw new BadInput(
      `fork later: expected ${expectedDuration(duration ?? '', 'a duration such as 10s')}, found ${JSON.stringify(duration)}`,
    );
  if (one.later === undefined) throw new BadInput(`fork later: it cannot be delayed: ${one.what}`);
  return { injectedFault: { choices: one.later(ms) }, said: `${one.what} ${formatDurationMs(ms)} later` };
}

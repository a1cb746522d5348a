/**
 * `fork STEP` in a walk: runs the scenario up to here with one more step, and tells what differs. `save` writes it as a file that `run`
 * replays; nothing is written unasked.
 */
import { shownTrace, type History } from '../question/history.ts';
import { readKind, readTarget } from '../question/target.ts';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { beforeFork, forkAt, readForkStep, type Fork, type ForkAction } from '../../../lab/fork/index.ts';
import { formatScenario, type Step } from '../../../lab/scenario/index.ts';
import { simulate, type Run } from '../../../lab/simulation/index.ts';
import { changesBetween, firstDivergence, formatSince, type Trace } from '../../../lab/trace/index.ts';
import { count, shellWord, type Palette } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { sessionOf, type Session } from './session.ts';
import { changeLines } from './changes.ts';
import { readOrder } from './order.ts';
import { here, type Walk } from './walk.ts';

export function fork(walk: Walk, rest: string): readonly string[] {
  const order = readOrder(walk, rest);
  if (order !== undefined) return forkWith(walk, order.injectedFault, order.said);
  const read = readForkStep(rest, here(walk).history.own.definitions);
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

/** Forks with a step, or with choices, which `said` puts into words. */
export function forkWith(walk: Walk, injectedFault: ForkAction, said: string): readonly string[] {
  const session = here(walk);
  const { history: of, scenario, moment } = session;
  const { palette } = walk;
  if (scenario === undefined) throw new BadInput('fork: a saved trace has no scenario to go on with; walk the scenario itself');
  const made = forkAt(scenario, of.trace, moment, injectedFault, {
    name: `${scenario.name}-fork-${++walk.forks}`,
    said,
    // A beat is told of a whole instant; whoever stands at a single write means that write.
    rightAfter: !session.narrationSteps.has(moment.step),
    // Another order is about the rest of the same story.
    keepLater: 'choices' in injectedFault,
  });
  const comment = `Forked from ${scenario.name} at ${formatSince(made.sinceMs)}: ${said}`;
  const name = made.scenario.name;
  const text = formatScenario(made.scenario, { faults: faultsWith(of.own.definitions), comment });
  const run = simulate(made.scenario, { trace: true, seed: of.seed, with: of.own.definitions });
  if (run.trace === undefined) throw new Error('a run that was asked for its trace has none');
  const trace = shownTrace(run.trace, of);
  const before = 'step' in injectedFault ? beforeFork(trace, made) : beforeParting(of.trace, trace);
  const forked = { ...sessionOf({ ...of, trace, run, scenario: name, file: `${name}.yaml` }, before), fork: { name, text } };
  // Its last step may lie further back: nothing happened between that and the typed one.
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

/** `save [FILE]`: writes the fork that is walked. */
export function save(walk: Walk, rest: string): readonly string[] {
  const {
    fork: made,
    history: { own },
  } = here(walk);
  if (made === undefined) throw new BadInput('save: this is no fork; the scenario is where it was');
  if (/\s/.test(rest)) throw new BadInput(`save: expected one file, found ${JSON.stringify(rest)}`);
  const file = walk.save(rest === '' ? `${made.name}.yaml` : rest, made.text);
  return [`  written to ${file}; npx orchsim run ${[file, ...own.sources.words].map(shellWord).join(' ')} replays it`];
}

/** The step before the first that goes otherwise; news are late from when they are sent, which may lie before the moment. */
const beforeParting = (trace: Trace, forked: Trace): number => (firstDivergence(trace, forked)?.second ?? forked.entries.length + 1) - 1;

/** So many lines of what was expected and found. */
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

/** What of the scenario's later steps goes on in a fork. */
function keptLines({ kept, left }: Fork, palette: Palette): readonly string[] {
  if (kept + left === 0) return [];
  const goes = `${count(kept, 'expectation')} of the scenario at rest ${kept === 1 ? 'is' : 'are'} checked here too`;
  return [
    `  ${palette.dim(kept === 0 ? `left out: ${count(left, 'later step')}` : left === 0 ? goes : `${goes}; left out: ${count(left, 'later step')}`)}`,
  ];
}

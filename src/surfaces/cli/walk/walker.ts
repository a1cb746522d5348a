/** A walk as a function from a typed line to what is shown: the terminal, scripts and tests drive the same one. */
import { createTimeline, count, objectYaml, paintParts, table, type Palette } from '../../report/index.ts';
import { changesBetween, cursorAt, entryAt, formatSince, lastWriteOf, type Trace } from '../../../lab/trace/index.ts';
import { simulate } from '../../../lab/simulation/index.ts';
import { difference, differenceLines } from '../commands/diff.ts';
import { whyLines } from '../commands/why.ts';
import { BadInput } from '../exit.ts';
import type { History } from '../question/history.ts';
import { formatMoment, momentOf, readMoment, type Moment } from '../question/moment.ts';
import { formatName, readKind, readTarget } from '../question/target.ts';
import { whyStep } from '../question/why.ts';
import { worldTables } from '../question/world.ts';
import { beforeStep, forkAt } from './fork.ts';
import { beatsOf, sessionOf, stopAfter, stopBefore, type Session } from './session.ts';
import { changeLines, showStop } from './show.ts';
import { nearestWord, WORDS, wordFor } from './words.ts';

export interface Walker {
  /** What stands before a typed line. */
  prompt(): string;
  /** What is shown first. */
  welcome(): readonly string[];
  /** Does what a line says; undefined ends the walk. */
  say(line: string): readonly string[] | undefined;
}

export interface WalkerOptions {
  readonly palette: Palette;
  /** Puts a fork's file somewhere; answers its name. */
  save(name: string, text: string): string;
}

export function createWalker(history: History, { palette, save }: WalkerOptions): Walker {
  const sessions: Session[] = [sessionOf(history)];
  let forks = 0;
  const here = (): Session => sessions.at(-1) ?? sessionOf(history);

  const show = (): readonly string[] => showStop(here(), palette);
  const go = (to: number | undefined, atTheEnd: string): readonly string[] => {
    if (to === undefined) return [`  ${palette.dim(atTheEnd)}`];
    return stand(momentOf(here().history.trace, to));
  };
  const stand = (moment: Moment): readonly string[] => {
    here().moment = moment;
    return show();
  };

  const doings: Readonly<Record<string, (rest: string) => readonly string[]>> = {
    next: () => go(stopAfter(here()), 'this is the end; back goes back, fork asks what if'),
    back: () => go(stopBefore(here()), 'this is the start'),
    goto: (rest) => stand(readMoment(rest === '' ? 'start' : rest, here().history.trace, 'goto')),
    step: (rest) => stepBy(rest === '' ? 1 : Number(rest)),
    why: (rest) => why(rest),
    state: (rest) => state(rest),
    diff: (rest) => diff(rest),
    timeline: () => timeline(),
    fork: (rest) => fork(rest),
    unfork: () => {
      if (sessions.length === 1) return ['  this is no fork'];
      sessions.pop();
      return show();
    },
    help: () =>
      table(WORDS.map(({ name, short, takes, does }) => [`  ${palette.strong(name)} ${takes}`, palette.dim(short.join(', ')), does])),
  };

  /** Single steps are those that the timeline tells. */
  function stepBy(by: number): readonly string[] {
    if (!Number.isSafeInteger(by) || by === 0) throw new BadInput('step: expected a count such as 1 or -3');
    const session = here();
    const { trace } = session.history;
    const told = toldSteps(trace);
    const lines: string[] = [];
    for (let n = 0; n < Math.abs(by); n++) {
      const from = session.moment.step;
      const to = by > 0 ? told.find(({ step }) => step > from) : told.findLast(({ step }) => step < from);
      if (to === undefined) {
        if (by < 0) session.moment = momentOf(trace, 0);
        lines.push(`  ${palette.dim(by > 0 ? 'this is the end' : 'this is the start')}`);
        break;
      }
      session.moment = momentOf(trace, to.step);
      lines.push(to.text);
    }
    return lines;
  }

  const toldOf = new WeakMap<Trace, readonly { readonly step: number; readonly text: string }[]>();
  function toldSteps(trace: Trace): readonly { readonly step: number; readonly text: string }[] {
    let told = toldOf.get(trace);
    if (told === undefined) {
      const line = createTimeline(trace.startAt, 1);
      told = trace.entries.flatMap((entry, at) => {
        const parts = line.next(entry, at + 1);
        return parts === undefined ? [] : [{ step: at + 1, text: paintParts(parts, palette) }];
      });
      toldOf.set(trace, told);
    }
    return told;
  }

  function timeline(): readonly string[] {
    const session = here();
    const from = stopBefore(session) ?? 0;
    const lines = toldSteps(session.history.trace)
      .filter(({ step }) => step > from && step <= session.moment.step)
      .map(({ text }) => text);
    return lines.length === 0 ? [`  ${palette.dim('nothing yet')}`] : lines;
  }

  function why(rest: string): readonly string[] {
    const { history: of, moment } = here();
    const { trace } = of;
    if (rest === '' || rest.startsWith('#')) {
      const at = rest === '' ? lastWrite(trace, moment.step) : readMoment(rest, trace, 'why').step;
      return at === 0 ? [`  ${palette.dim('nothing has happened yet')}`] : whyLines(whyStep(trace, at, false), `step #${at}`, palette);
    }
    const target = readTarget(rest, of);
    const at = lastWriteOf(trace, target, moment.step);
    if (at === undefined) return [`  nothing wrote ${formatName(target)} between the start and ${formatMoment(moment, trace)}`];
    return whyLines(whyStep(trace, at, false), `${formatName(target)} at ${formatMoment(moment, trace)}`, palette);
  }

  function state(rest: string): readonly string[] {
    const { history: of, moment } = here();
    const world = cursorAt(of.trace, moment.step);
    if (!rest.includes('/')) return worldTables(of, world, moment, rest === '' ? undefined : readKind(rest, of.kinds).kind, palette);
    const target = readTarget(rest, of);
    const object = world.get(target.kind, target.namespace, target.name);
    return object === undefined
      ? [`  ${formatName(target)} is not there at ${formatMoment(moment, of.trace)}`]
      : objectYaml(object).trimEnd().split('\n');
  }

  function diff(rest: string): readonly string[] {
    const session = here();
    const { trace } = session.history;
    const from = stopBefore(session) ?? 0;
    if (rest === '') return changeLines(changesBetween(trace, from, session.moment.step), palette);
    const target = readTarget(rest, session.history);
    const before = momentOf(trace, from);
    return differenceLines(
      difference(session.history, target, before, session.moment),
      `${formatName(target)} since ${formatMoment(before, trace)}`,
      palette,
    );
  }

  function fork(rest: string): readonly string[] {
    const { history: of, scenario, moment } = here();
    if (scenario === undefined) throw new BadInput('fork: a saved trace has no scenario to go on with; walk the scenario itself');
    const made = forkAt(scenario, of.trace, moment, rest, ++forks);
    const file = save(`${made.scenario.name}.yaml`, made.text);
    const run = simulate(made.scenario, { trace: true, seed: of.seed });
    if (run.trace === undefined) throw new Error('a run that was asked for its trace has none');
    const forked = sessionOf({ ...of, trace: run.trace, run, scenario: made.scenario.name, file }, beforeStep(run.trace, made.scenario));
    // Its last step may lie further back: nothing happened between that and the typed one.
    forked.moment = { ...forked.moment, at: moment.at };
    sessions.push(forked);
    const changes = changesBetween(run.trace, forked.moment.step, run.trace.entries.length);
    return [
      '',
      palette.strong(`what if, at ${formatSince(moment.at - of.trace.startAt)}: ${rest.trim()}`),
      `  ${palette.dim(`written to ${file}; npx orchsim run ${file} replays it`)}`,
      `  it ends at ${formatSince(run.lengthMs)} instead of ${formatSince((of.trace.entries.at(-1)?.at ?? of.trace.startAt) - of.trace.startAt)}, ${run.failures.length === 0 ? palette.good('everything held') : palette.bad(count(run.failures.length, 'failure'))}; from here on:`,
      ...changeLines(changes, palette),
      `  ${palette.dim('next, step and why walk the fork; unfork returns')}`,
    ];
  }

  return {
    prompt: () => {
      const {
        history: { trace },
        moment: { step, at },
      } = here();
      return `${sessions.length > 1 ? 'fork ' : ''}${formatSince(at - trace.startAt)} #${step}> `;
    },
    welcome: () => [
      palette.strong(history.run?.scenario.title ?? history.scenario),
      ...(history.run?.scenario.teaches === undefined ? [] : [`  ${history.run.scenario.teaches}`]),
      palette.dim(
        `  ${count(beatsOf(history.trace).length, 'beat')}, ${count(history.trace.entries.length, 'step')}, seed ${history.seed}; next goes on, help lists the words`,
      ),
    ],
    say(line) {
      const [first = '', ...rest] = line.trim().split(/\s+/);
      if (first === '') return [];
      const word = wordFor(first);
      if (word === undefined) {
        const near = nearestWord(first);
        return [`  there is no word ${JSON.stringify(first)}${near === undefined ? '' : `; did you mean ${near}?`} (help lists them)`];
      }
      if (word.name === 'quit') return undefined;
      try {
        return doings[word.name]?.(line.trim().slice(first.length).trim()) ?? [rest.join(' ')];
      } catch (error) {
        if (error instanceof BadInput) return error.lines.map((text) => `  ${text}`);
        throw error;
      }
    },
  };
}

/** The last write at or before a step: what a learner means by "why?". */
function lastWrite(trace: Trace, before: number): number {
  for (let step = before; step > 0; step--) {
    const entry = entryAt(trace, step);
    if (entry?.type === 'write' && entry.change.kind !== 'Event') return step;
  }
  return 0;
}

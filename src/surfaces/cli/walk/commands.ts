/** The commands of a walk: each gets the walk and the rest of the line, and returns the lines to show. */
import { createTimeline, objectYaml, paintParts, table } from '../../report/index.ts';
import { changesBetween, entryAt, lastWriteOf, type Trace } from '../../../lab/trace/index.ts';
import { difference, differenceLines } from '../commands/diff.ts';
import { whyLines } from '../commands/why.ts';
import { BadInput } from '../exit.ts';
import { lastRenewal, renewalLines, renewalOf, whyStep } from '../question/why.ts';
import { introspectionIn, queueLines, whyNot, whyNotLines } from '../question/introspection.ts';
import { formatMoment, momentOf, readMoment, type Moment, worldAt, worldTables } from '../question/world.ts';
import { formatName, isInMisspeltNamespace, nameTarget, readKind, readTarget } from '../question/target.ts';
import { fork, save, waiting } from './fork.ts';
import { aboutHere, stopAfter, stopBefore, here, type Walk } from './session.ts';
import { changeLines } from './changes.ts';
import { showStop, openQuestion, putQuestion, questionAhead, readAnswer, tryHere } from './lesson.ts';
import { WORDS } from './words.ts';

type Doing = (walk: Walk, rest: string) => readonly string[];

export const DOINGS: Readonly<Record<string, Doing>> = {
  next,
  answer: (walk, rest) => answer(walk, rest),
  try: tryHere,
  back: (walk) => go(walk, stopBefore(here(walk)), 'this is the start'),
  goto: (walk, rest) => stand(walk, readMoment(rest === '' ? 'start' : rest, here(walk).history.trace, 'goto')),
  step: (walk, rest) => stepBy(walk, rest === '' ? 1 : Number(rest)),
  why,
  state,
  diff,
  timeline,
  waiting,
  fork,
  save,
  unfork,
  help: ({ palette }) =>
    table(WORDS.map(({ name, short, takes, does }) => [`  ${palette.strong(name)} ${takes}`, palette.dim(short.join(', ')), does])),
};

/** Goes to the next stop. A question before it is asked first; a second `next` skips it. */
function next(walk: Walk): readonly string[] {
  const session = here(walk);
  const passed = openQuestion(session);
  if (passed !== undefined) session.answers.set(passed[0], undefined);
  else if (questionAhead(session) !== undefined) return putQuestion(session, walk.palette);
  return go(walk, stopAfter(session), 'this is the end; back goes back, fork asks what if');
}

function answer(walk: Walk, rest: string): readonly string[] {
  const session = here(walk);
  const open = openQuestion(session);
  if (open === undefined) throw new BadInput('answer: no question is open; next goes on');
  session.answers.set(open[0], readAnswer(rest, open[1]));
  return go(walk, open[0], '');
}

function go(walk: Walk, to: number | undefined, atTheEnd: string): readonly string[] {
  if (to === undefined) return [`  ${walk.palette.dim(atTheEnd)}`];
  return stand(walk, momentOf(here(walk).history.trace, to));
}

function stand(walk: Walk, moment: Moment): readonly string[] {
  here(walk).moment = moment;
  return showStop(here(walk), walk.palette);
}

function unfork({ sessions, palette }: Walk): readonly string[] {
  if (sessions.length === 1) throw new BadInput('unfork: this is not a fork');
  sessions.pop();
  return showStop(sessions.at(-1) ?? sessions[0], palette);
}

function stepBy(walk: Walk, by: number): readonly string[] {
  if (!Number.isSafeInteger(by) || by === 0) throw new BadInput('step: expected a count such as 1 or -3');
  const session = here(walk);
  const { palette } = walk;
  const { trace } = session.history;
  const reported = reportedSteps(walk, trace);
  const lines: string[] = [];
  for (let n = 0; n < Math.abs(by); n++) {
    const from = session.moment.step;
    const to = by > 0 ? reported.find(({ step }) => step > from) : reported.findLast(({ step }) => step < from);
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

function reportedSteps({ reported, palette }: Walk, trace: Trace) {
  const known = reported.get(trace);
  if (known !== undefined) return known;
  const line = createTimeline(trace.startAt, 1);
  const steps = trace.entries.flatMap((entry, at) => {
    const parts = line.next(entry, at + 1);
    return parts === undefined ? [] : [{ step: at + 1, text: paintParts(parts, palette) }];
  });
  reported.set(trace, steps);
  return steps;
}

function timeline(walk: Walk): readonly string[] {
  const session = here(walk);
  const from = stopBefore(session) ?? 0;
  const lines = reportedSteps(walk, session.history.trace)
    .filter(({ step }) => step > from && step <= session.moment.step)
    .map(({ text }) => text);
  return lines.length === 0 ? [`  ${walk.palette.dim('nothing yet')}`] : lines;
}

function why(walk: Walk, rest: string): readonly string[] {
  const { history: of, moment } = here(walk);
  const { palette } = walk;
  const { trace } = of;
  if (rest === '' || rest.startsWith('#')) {
    const about = rest === '' ? aboutHere(here(walk)) : undefined;
    const written = about === undefined ? undefined : lastWriteOf(trace, about, moment.step);
    if (about !== undefined && written !== undefined)
      return whyLines(whyStep(trace, written, false), `${formatName(about)} at ${formatMoment(moment, trace)}`, trace.startAt, palette);
    const at = rest === '' ? lastWrite(trace, moment.step) : readMoment(rest, trace, 'why').step;
    return at === 0
      ? [`  ${palette.dim('nothing has happened yet')}`]
      : whyLines(whyStep(trace, at, false), `step #${at}`, trace.startAt, palette);
  }
  if (rest === 'not') throw new BadInput('why not: expected a target such as Job/pi, found nothing');
  const [, not] = /^not\s+(\S+)$/.exec(rest) ?? [];
  if (not !== undefined) {
    const name = nameTarget(not, of);
    // A walk has a replay, so pending events are known.
    const isEnd = moment.step >= trace.entries.length;
    const found = whyNot(name, of, moment, of.run === undefined || isEnd ? undefined : introspectionIn(of, moment));
    if (!found.exists && (found.waits.length === 0 || isInMisspeltNamespace(name, of))) readTarget(not, of);
    return whyNotLines(found, name, `${formatName(name)} at ${formatMoment(found.at, trace)}`, palette);
  }
  const target = readTarget(rest, of);
  const at = lastWriteOf(trace, target, moment.step);
  const about = `${formatName(target)} at ${formatMoment(moment, trace)}`;
  const unseen = at === undefined ? lastRenewal(trace, target, 0, moment.at) : undefined;
  if (unseen !== undefined) return renewalLines(unseen, about, trace.startAt, palette);
  if (at === undefined) return [`  nothing wrote ${formatName(target)} between the start and ${formatMoment(moment, trace)}`];
  return whyLines({ ...whyStep(trace, at, false), renewed: renewalOf(trace, at, moment.at) }, about, trace.startAt, palette);
}

function state(walk: Walk, words: string): readonly string[] {
  const { history: of, moment } = here(walk);
  const [, rest = '', observer] = /^(.*?)\s*(?:(?:^|\s)(?:--)?as\s+(\S+))?$/.exec(words) ?? [];
  const world = worldAt(of, moment, observer);
  if (rest === '')
    return [
      ...worldTables(of, world, moment, undefined, walk.palette),
      ...(observer === undefined ? [] : queueLines(of, moment, observer, walk.palette)),
    ];
  if (!rest.includes('/')) return worldTables(of, world, moment, readKind(rest, of.kinds).kind, walk.palette);
  const target = readTarget(rest, of);
  const object = world.get(target.kind, target.namespace, target.name);
  return object === undefined
    ? [`  ${formatName(target)} is not there at ${formatMoment(moment, of.trace)}`]
    : objectYaml(object).trimEnd().split('\n');
}

function diff(walk: Walk, rest: string): readonly string[] {
  const session = here(walk);
  const { palette } = walk;
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

/** The last write at or before a step: the subject of `why` between stops. */
function lastWrite(trace: Trace, before: number): number {
  for (let step = before; step > 0; step--) {
    const entry = entryAt(trace, step);
    if (entry?.type === 'write' && entry.change.kind !== 'Event') return step;
  }
  return 0;
}

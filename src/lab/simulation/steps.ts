/** Takes the steps of a scenario, one by one: their actions, and their expectations. */
import { sameValue } from '../../apiserver/machinery/index.ts';
import { performRefusedStart } from './processes.ts';
import { itemsOf, type Expectation, type Item, type Position, type Scenario, type Step } from '../scenario/index.ts';
import { aboutOf, describe, describeItem } from './about.ts';
import { performFault, performRefused, performWrite } from './actions.ts';
import { noteNarrationStep, noteFailure, type Play, type ScenarioPosition } from './run-record.ts';
import { drain } from './drain.ts';
import { answered, mapped, passTime, PAUSED, waitFor, waitUntilDue, type Wait } from './drive.ts';
import { evaluate } from './expectations.ts';
import type { Asked, NarrationStep } from '../trace/index.ts';
import { answerTo, askedOf, lookAt } from './lesson.ts';
import { loopingAt } from './sandbox-findings.ts';
import { type RunFailure, type Trouble, troubleOf } from './run.ts';
import { waitingLines } from './waiting.ts';

/** Applies the manifests of the scenario, before the first step. */
export function prepare(play: Play): void {
  for (const manifest of play.scenario.manifests) {
    const trouble = performWrite(play.cluster, { verb: 'apply', objects: [manifest] }, [], warnAt(play, manifest.source));
    if (trouble !== undefined) fail(play, 'step', trouble, manifest.source);
  }
}

/** The steps under way: the present item, what is waited for, and what it has come to. */
export interface Course {
  items: readonly Item[];
  nth: number;
  /** The item is waited for; absent: it has not begun. */
  due?: Wait<Trouble | undefined> | undefined;
  /** The item, or the expectation beside it, is carried out. */
  doing?: Wait<Outcome> | undefined;
  came: Outcome;
  asked: Pick<Asked, 'traceStep' | 'sinceStartMs'>;
}

export const beginCourse = ({ steps }: Scenario): Course => ({
  items: itemsOf(steps),
  nth: 0,
  came: 'well',
  asked: { traceStep: 0, sinceStartMs: 0 },
});

/** Takes the items of another scenario from the present one on, unless that is under way. */
export function changeCourse(play: Play, course: Course, next: Scenario): boolean {
  const items = itemsOf(next.steps);
  const before = course.items.slice(0, course.nth);
  if (course.doing !== undefined || !sameValue(items.slice(0, course.nth), before)) return false;
  const [old, item] = [course.items[course.nth], items[course.nth]];
  play.scenario = next;
  course.items = items;
  // A wait that is the same goes on: it may count from when it began.
  if (course.due !== undefined && !sameValue(old?.step.timing, item?.step.timing))
    course.due = item && waitUntilDue(play.driver, item.step);
  return true;
}

function enter({ position, cluster }: Play, stage: ScenarioPosition['stage']): void {
  position.stage = stage;
  position.since = cluster.now;
}

/** Takes the steps in order, up to a pause, and stops after a failure that invalidates the following steps. */
export function takeSteps(play: Play, course: Course): typeof PAUSED | undefined {
  for (let item = course.items[course.nth]; item !== undefined; item = course.items[course.nth]) {
    const came = takeItem(play, course, item);
    if (came === PAUSED) return PAUSED;
    if (came === 'ends') return undefined;
    narrate(play, item, came, course.asked);
    course.nth++;
    course.came = 'well';
    course.due = course.doing = undefined;
    if (play.driver.pauses()) return PAUSED;
  }
  enter(play, 'end');
  return undefined;
}

function takeItem(play: Play, course: Course, item: Item): Outcome | typeof PAUSED {
  const { driver, position } = play;
  const { step, beside } = item;
  course.due ??= beginItem(play, course, item);
  if (course.doing === undefined) {
    const late = passTime(driver, course.due);
    if (late === PAUSED) return PAUSED;
    if (late !== undefined) {
      fail(play, late.endless === true ? 'limit' : 'step', late, loopingAt(play, late) ?? step.source, true);
      return 'ends';
    }
    if (step.ask === undefined) narrateBefore(play, item);
    enter(play, 'taking');
    course.doing = perform(play, step);
  }
  for (;;) {
    const came = passTime(driver, course.doing);
    if (came === PAUSED) return PAUSED;
    course.came = worst(course.came, came);
    if (course.came === 'ends' || beside === undefined || position.stage === 'beside') return course.came;
    enter(play, 'beside');
    course.doing = perform(play, beside);
  }
}

function beginItem(play: Play, course: Course, item: Item): Wait<Trouble | undefined> {
  play.position.items = course.nth;
  enter(play, 'due');
  course.asked = { traceStep: play.record.entries, sinceStartMs: play.cluster.now - play.cluster.startAt };
  // A question, and the text before it, belong to the end of the previous step.
  if (item.step.ask !== undefined) narrateBefore(play, item);
  return waitUntilDue(play.driver, item.step);
}

/** The result of a step: well: it succeeded; ill: it failed; ends: it failed and the following steps are invalid. */
type Outcome = 'well' | 'ill' | 'ends';
const worst = (one: Outcome, other: Outcome): Outcome => (one === 'well' ? other : one);

function narrateBefore({ record, cluster }: Play, item: Item): void {
  const { step, beside, taken } = item;
  if (step.before !== undefined)
    noteNarrationStep(record, cluster, { text: step.before, ...narrationStepOf(item, taken - (beside === undefined ? 1 : 2)) });
}

const narrationStepOf = (item: Item, taken: number) => ({
  does: describeItem(item),
  taken,
  ...(item.step.source === undefined ? {} : { source: item.step.source }),
});

/** Records the narration of a step that has ended. Its note is omitted when the step or an assertion failed. */
function narrate(play: Play, item: Item, came: Outcome, asked: Pick<Asked, 'traceStep' | 'sinceStartMs'>): void {
  const { record, cluster } = play;
  const { step } = item;
  const subject = aboutOf(cluster, item, record.gone);
  if ('trouble' in subject) fail(play, 'expectation', subject.trouble, step.source);
  const lesson = lessonOf(play, step, asked);
  const narrationStep = { ...narrationStepOf(item, item.taken), ...('about' in subject ? { about: subject.about } : {}), ...lesson };
  const { note: text } = step;
  let isTrue = came === 'well' && !('trouble' in subject) && (step.ask === undefined || lesson.ask !== undefined);
  for (const claim of text === undefined ? [] : (step.assertions ?? [])) {
    const trouble = evaluate(cluster, claim);
    if (trouble === undefined) continue;
    isTrue = false;
    const { message, detail, about } = trouble;
    const isFalse = troubleOf(`the note is false: ${message}`, [`  the note   ${firstLine(text)}`, ...detail], about);
    fail(play, 'expectation', isFalse, claim.source ?? step.source, claim);
  }
  noteNarrationStep(record, cluster, isTrue && text !== undefined ? { ...narrationStep, text } : narrationStep);
}

/** Returns the lesson parts of a step for its narration step; their errors are failures of the run. */
function lessonOf(play: Play, step: Step, asked: Pick<Asked, 'traceStep' | 'sinceStartMs'>): Pick<NarrationStep, 'ask' | 'look' | 'tries'> {
  const { cluster } = play;
  const answer = step.ask === undefined ? undefined : answerTo(cluster, step.ask);
  if (answer !== undefined && 'trouble' in answer) fail(play, 'expectation', answer.trouble, answer.source ?? step.source);
  const look = step.look === undefined ? undefined : lookAt(cluster, step.look);
  if (look !== undefined && 'trouble' in look) fail(play, 'expectation', look.trouble, step.source);
  return {
    ...(step.ask === undefined || answer === undefined || 'trouble' in answer ? {} : { ask: askedOf(step.ask, answer.right, asked) }),
    ...(look === undefined || 'trouble' in look ? {} : { look: look.look }),
    ...(step.tries === undefined ? {} : { tries: step.tries.map(({ say }) => say) }),
  };
}

const firstLine = (text = ''): string => text.trim().split('\n')[0] ?? '';

const VACUOUS: Trouble = {
  message: 'the wait was vacuous: its condition was true when it began, so its note describes nothing that happened during the wait',
  detail: ['  wait for a change; or write expect (or assert) instead of waitFor, where the note describes the present state'],
};

/** Carries out a step, up to what it waits for. */
function perform(play: Play, step: Step): Wait<Outcome> {
  const { cluster } = play;
  if (step.verb === 'note') return answered('well');
  if (step.verb === 'expect') {
    let came: Outcome = 'well';
    for (const expectation of step.expectations) {
      const trouble = evaluate(cluster, expectation);
      if (trouble === undefined) continue;
      came = 'ill';
      fail(play, 'expectation', trouble, expectation.source ?? step.source, expectation);
    }
    return answered(came);
  }
  if (step.verb === 'waitFor') {
    const source = step.expectation.source ?? step.source;
    if (step.note !== undefined && evaluate(cluster, step.expectation) === undefined) {
      fail(play, 'expectation', VACUOUS, source);
      return answered('ill');
    }
    return mapped(waitFor(play.driver, step.expectation, step.withinMs), (trouble) => {
      if (trouble !== undefined) fail(play, 'expectation', trouble, source, step.expectation);
      return trouble === undefined ? 'well' : 'ends';
    });
  }
  const operation = cluster.note({ type: 'operation', causes: [], label: describe(step) });
  const outcomeOf = (trouble: Trouble | undefined): Outcome => {
    if (trouble !== undefined) fail(play, 'step', trouble, step.source);
    return trouble === undefined ? 'well' : step.code === undefined ? 'ends' : 'ill';
  };
  if (step.verb === 'drain') return mapped(drain(play.driver, step, [operation]), outcomeOf);
  const trouble =
    step.verb === 'fault'
      ? performFault(cluster, play.faults, step.fault, [operation])
      : step.verb === 'expectError'
        ? performRefused(cluster, step.action, step.error, [operation])
        : step.verb === 'refusedStart'
          ? performRefusedStart(play.record, cluster, step.process, step.error, [operation])
          : performWrite(cluster, step, [operation], warnAt(play, step.source));
  return answered(outcomeOf(trouble));
}

/** Records a lint warning at a position, once for each text. */
const warnAt =
  ({ record: { lintWarnings } }: Play, source: Position | undefined) =>
  (text: string): void => {
    if (!lintWarnings.some((one) => one.text === text && one.line === source?.line && one.file === source?.file))
      lintWarnings.push({ ...source, text });
  };

/** `awaited`: the expectation that was waited for; the failure then explains what its objects wait for. */
function fail(
  { record, cluster, trace }: Play,
  kind: RunFailure['kind'],
  trouble: Trouble,
  source: Position | undefined,
  awaited?: Expectation | true,
): void {
  const expectation = awaited === true ? undefined : awaited;
  const waits = awaited === undefined || trace === undefined ? [] : waitingLines(cluster, trace, trouble.about, expectation);
  noteFailure(record, cluster, kind, trouble, { source, waits });
}

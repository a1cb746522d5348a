/** Takes the steps of a scenario, one by one: what each of them does to the cluster, and what it expects of it. */
import { performRefusedStart } from './starts.ts';
import { itemsOf, type Expectation, type Item, type Position, type Step } from '../scenario/index.ts';
import { aboutOf } from './about.ts';
import { performFault, performRefused, performWrite } from './actions.ts';
import { noteNarrationStep, noteFailure } from './run-record.ts';
import { describe, describeItem } from './does.ts';
import { drain } from './drain.ts';
import { waitFor, waitUntilDue, type Passing } from './drive.ts';
import { evaluate } from './expectations.ts';
import type { Asked, NarrationStep } from '../trace/index.ts';
import { answerTo, askedOf, lookAt } from './lesson.ts';
import { loopingAt } from './looping.ts';
import type { Play, SupportStatus } from './play.ts';
import type { RunFailure, Trouble } from './run.ts';
import { waitingLines } from './waiting.ts';

/** Applies the plain manifests, before the first step. */
export function prepare(play: Play): void {
  for (const manifest of play.scenario.manifests) {
    const trouble = performWrite(play.cluster, { verb: 'apply', objects: [manifest] }, [], remarking(play, manifest.source));
    if (trouble !== undefined) fail(play, 'step', trouble, manifest.source);
  }
}

/** Takes the steps in order, up to the first after which the others make no sense. */
export function* takeSteps(play: Play): Passing<void> {
  const { position, cluster } = play;
  const stand = (stage: SupportStatus['stage']): void => {
    position.stage = stage;
    position.since = cluster.now;
  };
  for (const [taken, item] of itemsOf(play.scenario.steps).entries()) {
    const { step, beside } = item;
    position.items = taken;
    stand('due');
    const asked = { traceStep: play.record.entries, sinceStartMs: play.cluster.now - play.cluster.startAt };
    // A question stands at the end of the step before, and so does what is told before it.
    if (step.ask !== undefined) tellBefore(play, item);
    const late = yield* waitUntilDue(play.driver, step);
    if (late !== undefined) {
      fail(play, late.endless === true ? 'limit' : 'step', late, loopingAt(play, late) ?? step.source, true);
      return;
    }
    if (step.ask === undefined) tellBefore(play, item);
    stand('taking');
    let came = yield* perform(play, step);
    if (came !== 'ends' && beside !== undefined) {
      stand('beside');
      came = worst(came, yield* perform(play, beside));
    }
    if (came === 'ends') return;
    tell(play, item, came, asked);
    if (play.driver.pauses()) yield;
  }
  stand('end');
}

/** How a step came out: as it should; otherwise; so that the steps after it make no sense any more. */
type Outcome = 'well' | 'ill' | 'ends';
const worst = (one: Outcome, other: Outcome): Outcome => (one === 'well' ? other : one);

function tellBefore({ record, cluster }: Play, item: Item): void {
  const { step, beside, taken } = item;
  if (step.before !== undefined)
    noteNarrationStep(record, cluster, { text: step.before, ...narrationStepOf(item, taken - (beside === undefined ? 1 : 2)) });
}

const narrationStepOf = (item: Item, taken: number) => ({
  does: describeItem(item),
  taken,
  ...(item.step.source === undefined ? {} : { source: item.step.source }),
});

/** Tells what the note of a step says, now that it has ended; nothing of what is not so. */
function tell(play: Play, item: Item, came: Outcome, asked: Pick<Asked, 'traceStep' | 'sinceStartMs'>): void {
  const { record, cluster } = play;
  const { step } = item;
  const subject = aboutOf(cluster, item, record.gone);
  if ('trouble' in subject) fail(play, 'expectation', subject.trouble, step.source);
  const lesson = lessonOf(play, step, asked);
  const narrationStep = { ...narrationStepOf(item, item.taken), ...('about' in subject ? { about: subject.about } : {}), ...lesson };
  const { note: text } = step;
  let isTrue = came === 'well' && !('trouble' in subject) && (step.ask === undefined || lesson.ask !== undefined);
  for (const claim of text === undefined ? [] : (step.assertions ?? [])) {
    const answer = evaluate(cluster, claim);
    if (answer.holds) continue;
    isTrue = false;
    const { message, detail, about } = answer;
    fail(
      play,
      'expectation',
      {
        message: `the note says what is not so: ${message}`,
        detail: [`  it says    ${firstLine(text)}`, ...detail],
        ...(about === undefined ? {} : { about }),
      },
      claim.source ?? step.source,
      claim,
    );
  }
  noteNarrationStep(record, cluster, isTrue && text !== undefined ? { ...narrationStep, text } : narrationStep);
}

/** What a step has of a lesson, as its beat has it; what is wrong with it fails the run. */
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
  message: 'it waited for nothing: this was true when the wait began, so what its note tells had happened before, or has not',
  detail: ['  wait for what changes; or say expect (or claim) instead of waitFor, where the note tells what is so already'],
};

function* perform(play: Play, step: Step): Passing<Outcome> {
  const { cluster } = play;
  if (step.verb === 'note') return 'well';
  if (step.verb === 'expect') {
    let came: Outcome = 'well';
    for (const expectation of step.expectations) {
      const answer = evaluate(cluster, expectation);
      if (answer.holds) continue;
      came = 'ill';
      fail(play, 'expectation', answer, expectation.source ?? step.source, expectation);
    }
    return came;
  }
  if (step.verb === 'waitFor') {
    const source = step.expectation.source ?? step.source;
    if (step.note !== undefined && evaluate(cluster, step.expectation).holds) {
      fail(play, 'expectation', VACUOUS, source);
      return 'ill';
    }
    const answer = yield* waitFor(play.driver, step.expectation, step.withinMs);
    if (!answer.holds) fail(play, 'expectation', answer, source, step.expectation);
    return answer.holds ? 'well' : 'ends';
  }
  const operation = cluster.note({ type: 'operation', causes: [], label: describe(step) });
  const trouble =
    step.verb === 'drain'
      ? yield* drain(play.driver, step, [operation])
      : step.verb === 'fault'
        ? performFault(cluster, play.faults, step.fault, [operation])
        : step.verb === 'expectError'
          ? performRefused(cluster, step.action, step.error, [operation])
          : step.verb === 'refusedStart'
            ? performRefusedStart(play.record, cluster, step.process, step.error, [operation])
            : performWrite(cluster, step, [operation], remarking(play, step.source));
  if (trouble !== undefined) fail(play, 'step', trouble, step.source);
  return trouble === undefined ? 'well' : 'ends';
}

/** Notes once what a place says against a rule, however often it says so. */
const remarking =
  ({ record: { lintWarnings } }: Play, source: Position | undefined) =>
  (text: string): void => {
    if (!lintWarnings.some((one) => one.text === text && one.line === source?.line && one.file === source?.file))
      lintWarnings.push({ ...source, text });
  };

/** `awaited`: what was to come true; then the failure says what it waited for. */
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

/** Takes the steps of a scenario, one by one: what each of them does to the cluster, and what it expects of it. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatTarget, type Action, type Expectation, type Position, type Scenario, type Step } from '../scenario/index.ts';
import { performFault, performRefused, performWrite } from './actions.ts';
import { noteBeat, noteFailure, type Book } from './book.ts';
import { waitFor, waitUntilDue, type Driver } from './drive.ts';
import { evaluate } from './expectations.ts';
import type { Trace } from '../trace/index.ts';
import type { RunFailure, Trouble } from './run.ts';
import { waitingLines } from './waiting.ts';

/** A scenario as it is being played. */
export interface Play {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly driver: Driver;
  readonly book: Book;
  /** The trace so far; absent where nobody asked for it. */
  readonly trace?: Trace;
}

/** Applies the plain manifests, before the first step. */
export function prepare(play: Play): void {
  for (const manifest of play.scenario.manifests) {
    const trouble = performWrite(play.cluster, { verb: 'apply', objects: [manifest] }, [], remarking(play, manifest.source));
    if (trouble !== undefined) fail(play, 'step', trouble, manifest.source);
  }
}

/** Takes the steps in order, up to the first after which the others make no sense. */
export function takeSteps(play: Play): void {
  for (const step of play.scenario.steps) {
    const late = waitUntilDue(play.driver, step);
    if (late !== undefined) {
      fail(play, 'step', late, step.source, true);
      return;
    }
    noteBeat(play.book, play.cluster, step);
    if (!perform(play, step)) return;
  }
}

/** False when the steps after this one make no sense any more. */
function perform(play: Play, step: Step): boolean {
  const { cluster } = play;
  if (step.verb === 'note') return true;
  if (step.verb === 'expect') {
    for (const expectation of step.expectations) {
      const answer = evaluate(cluster, expectation);
      if (!answer.holds) fail(play, 'expectation', answer, expectation.source ?? step.source, expectation);
    }
    return true;
  }
  if (step.verb === 'waitFor') {
    const answer = waitFor(play.driver, step.expectation, step.withinMs);
    if (!answer.holds) fail(play, 'expectation', answer, step.expectation.source ?? step.source, step.expectation);
    return answer.holds;
  }
  const operation = cluster.note({ type: 'operation', causes: [], label: describe(step) });
  const trouble =
    step.verb === 'fault'
      ? performFault(cluster, step.fault, [operation])
      : step.verb === 'expectError'
        ? performRefused(cluster, step.action, step.error, [operation])
        : performWrite(cluster, step, [operation], remarking(play, step.source));
  if (trouble !== undefined) fail(play, 'step', trouble, step.source);
  return trouble === undefined;
}

/** Notes once what a place says against a rule, however often it says so. */
const remarking =
  ({ book: { remarks } }: Play, source: Position | undefined) =>
  (text: string): void => {
    if (!remarks.some((one) => one.text === text && one.line === source?.line && one.file === source?.file))
      remarks.push({ ...source, text });
  };

/** `awaited`: what was to come true; then the failure says what it waited for. */
function fail(
  { book, cluster, trace }: Play,
  kind: RunFailure['kind'],
  trouble: Trouble,
  source: Position | undefined,
  awaited?: Expectation | true,
): void {
  const expectation = awaited === true ? undefined : awaited;
  const waits = awaited === undefined || trace === undefined ? [] : waitingLines(cluster, trace, trouble.about, expectation);
  noteFailure(book, cluster, kind, trouble, { source, waits });
}

/** What a step does, in the words of its operation. */
const describe = (action: Action): string => {
  switch (action.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return `${action.verb} ${action.objects.map(({ object }) => `${object.kind ?? '?'}/${String(object.metadata?.['name'] ?? object.metadata?.['generateName'] ?? '?')}`).join(', ')}`;
    case 'patch':
    case 'delete':
    case 'evict':
      return `${action.verb} ${formatTarget(action.target)}`;
    case 'expectError':
      return `${describe(action.action)}, which must fail`;
    case 'waitFor':
      return 'wait';
    case 'fault':
      return `fault ${action.fault.name}${typeof action.fault.subject === 'string' ? ` ${action.fault.subject}` : ''}`;
    case 'expect':
      return 'expect';
    case 'note':
      return 'note';
    default: {
      const never: never = action;
      return never;
    }
  }
};

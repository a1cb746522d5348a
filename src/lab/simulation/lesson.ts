/** Lessons: questions are answered when their step has ended, and suggestions are run, so that the claims about both are checked. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { compileExpression, formatTarget, itemsOf, withoutNarration } from '../scenario/index.ts';
import type { Choice, Look, Position, Question, Scenario, Step, Timing, Try } from '../scenario/index.ts';
import { addressOf as nameOf } from '../../controlplane/runtime/index.ts';
import { expressionFacts, resolveTarget, schemasOf } from './facts.ts';
import type { Run, RunFailure, Trouble } from './run.ts';
import type { Asked, NarrationStep } from '../trace/index.ts';
import { nearest, present } from '../../schema/values/index.ts';

interface Found {
  readonly trouble: Trouble;
  readonly source: Position | undefined;
}

/** Returns the index of the one choice that holds; otherwise what is wrong with the question, at the choice that causes it. */
export function answerTo(cluster: Cluster, { question, choices }: Question): { readonly right: number } | Found {
  const judged = choices.map((choice) => ({ choice, ...judge(cluster, choice) }));
  const values = judged.flatMap(({ choice, holds, lines }, at) => [
    `  ${letterOf(at)} ${holds ? 'holds' : 'is false'}: ${choice.say}`,
    `    ${choice.expression.cel}`,
    ...lines,
  ]);
  const failed = judged.find(({ error }) => error !== undefined);
  if (failed !== undefined)
    return found(failed.choice, `the assertion of an answer could not be evaluated: ${failed.error ?? ''}`, [
      `  ${failed.choice.expression.cel}`,
    ]);
  const right = judged.flatMap(({ holds }, at) => (holds ? [at] : []));
  const [first, second] = right;
  const blamed = judged[second ?? 0]?.choice;
  if (blamed === undefined || (first !== undefined && second === undefined)) return { right: first ?? 0 };
  const says =
    first === undefined ? 'none of its answers holds' : `${right.length} of its answers hold (${right.map(letterOf).join(', ')})`;
  return found(blamed, `exactly one answer must hold, and ${says}: ${question.trim()}`, values);
}

const letterOf = (at: number): string => String.fromCharCode(97 + at);

const found = ({ expression, source }: Choice, message: string, detail: readonly string[]): Found => ({
  trouble: { message, detail },
  source: expression.source ?? source,
});

/** Evaluates a choice; `lines`: the values from which the answer follows. */
function judge(cluster: Cluster, { expression: { cel } }: Choice) {
  const compiled = compileExpression(cel, { about: 'world', schemaOf: schemasOf(cluster) });
  if (!('expression' in compiled)) return { holds: false, lines: [], error: compiled.error.message };
  const facts = expressionFacts(cluster);
  const answer = compiled.expression.evaluate(facts);
  if ('error' in answer) return { holds: false, lines: [], error: answer.error };
  return { holds: answer.holds, lines: answer.holds ? [] : compiled.expression.explain(facts).map((line) => `      ${line}`) };
}

export const askedOf = ({ question, choices }: Question, right: number, at: Pick<Asked, 'traceStep' | 'sinceStartMs'>): Asked => ({
  question: question.trim(),
  choices: choices.map(({ say, because }) => ({ say, because })),
  right,
  ...at,
});

/** Returns the object to show; the first by creation where there are several. */
export function lookAt(
  cluster: Cluster,
  { at, as: viewer }: Look,
): { readonly look: NonNullable<NarrationStep['look']> } | { readonly trouble: Trouble } {
  const [object] = resolveTarget(cluster, at);
  if (object === undefined) return { trouble: { message: `there is no ${formatTarget(at)} to show when the step has ended`, detail: [] } };
  const processes = cluster.runtime.names();
  if (viewer !== undefined && !processes.includes(viewer)) {
    const near = nearest(viewer, processes);
    const detail = [`  there are ${processes.join(', ')}`];
    return { trouble: { message: `there is no process ${viewer}${near === undefined ? '' : `; did you mean ${near}?`}`, detail } };
  }
  return { look: { at: nameOf(object), ...(viewer === undefined ? {} : { as: viewer }) } };
}

export interface Rehearsal {
  readonly tried: Try;
  /** The number of steps of the original before it. */
  readonly taken: number;
  readonly scenario: Scenario;
}

export const triesOf = (scenario: Scenario): readonly Rehearsal[] =>
  itemsOf(scenario.steps).flatMap(({ step, taken }) =>
    (step.tries ?? []).map((tried, at) => ({ tried, taken, scenario: rehearsalOf(scenario, tried, taken, at) })),
  );

/** The steps that check a suggestion, after its action. */
export const checksOf = (scenario: Scenario, { then, afterMs }: Try): readonly Step[] =>
  then.length === 0
    ? []
    : [{ verb: 'expect', expectations: then, timing: afterMs === undefined ? endOf(scenario) : { when: 'after', afterMs } }];

function rehearsalOf(scenario: Scenario, tried: Try, taken: number, at: number): Scenario {
  const { say, action, source } = tried;
  return {
    ...scenario,
    name: `${scenario.name}-try-${taken}-${at + 1}`,
    title: `${scenario.title ?? scenario.name}: what if? ${say}`,
    steps: [
      ...scenario.steps.slice(0, taken).map(withoutNarration),
      { ...action, timing: { when: 'next' }, ...(source === undefined ? {} : { source }) },
      ...checksOf(scenario, tried),
    ],
  };
}

const endOf = ({ untilMs }: Scenario): Timing => (untilMs === undefined ? { when: 'settled' } : { when: 'at', atMs: untilMs });

/** Returns the differences from what a lesson says, at the moment of the suggestion. */
export function troublesOf({ tried, taken }: Rehearsal, rehearsed: Run, original: Run): readonly RunFailure[] {
  const moment = original.narrationSteps.findLast((narrationStep) => narrationStep.taken === taken);
  const place = { sinceStartMs: moment?.sinceStartMs ?? 0, traceStep: moment?.traceStep ?? 0 };
  const broken = rehearsed.failures.some(({ invariant }) => invariant !== undefined && invariant === tried.breaks);
  const unexpected = rehearsed.failures.filter(({ invariant }) => invariant === undefined || invariant !== tried.breaks);
  const failure = (message: string, detail: readonly string[], source = tried.source): RunFailure =>
    present({ kind: 'expectation' as const, message: `what if? ${tried.say}: ${message}`, detail, ...place, source });
  return [
    ...(tried.breaks === undefined || broken ? [] : [failure(`${tried.breaks} holds, and was expected to break`, [])]),
    ...unexpected.map(({ message, detail, source, invariant }) =>
      failure(invariant === undefined ? message : `${invariant} is broken: ${message}`, detail, source),
    ),
  ];
}

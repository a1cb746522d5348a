/** Converts steps to plain data in the format of files: the inverse of compile.ts for actions, expectations, narration and questions. */
import type { Action, Expectation, Look, Question, Step, Timing, Try } from './types.ts';
import type { TargetRef } from './values.ts';
import { DRAIN } from './writing-format.ts';

export type Plain = Readonly<Record<string, unknown>>;

const only = (from: object, ...names: readonly string[]): Plain =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

/** Returns one item for each step; expectations right after an action are in the action's item. */
export const stepDocuments = (steps: readonly Step[]): readonly Plain[] =>
  itemsOf(steps).map(({ step, beside }) => ({
    ...timingDocument(step.timing),
    ...only(step, 'before', 'note', 'about', 'as', 'code'),
    assert: step.assertions?.map(expectationDocument),
    ask: step.ask === undefined ? undefined : questionDocument(step.ask),
    look: lookDocument(step.look),
    try: step.tries?.map(tryDocument),
    ...actionDocument(step),
    ...(beside === undefined ? {} : actionDocument(beside)),
  }));

const questionDocument = ({ question, choices }: Question): Plain => ({
  question,
  choices: choices.map(({ say, expression, because }) => ({ say, cel: expression, because })),
});

const lookDocument = (look: Look | undefined): unknown => (look === undefined || look.as !== undefined ? look : look.at);

const tryDocument = ({ say, shows, action, then, breaks, afterMs }: Try): Plain => ({
  say,
  shows,
  ...actionDocument(action),
  afterMs,
  then: then.length === 0 ? undefined : then.map(expectationDocument),
  breaks,
});

function timingDocument({ when, ...rest }: Timing): Plain {
  if (when === 'next' || when === 'at' || when === 'after') return rest;
  return { when: when === 'settled' ? when : 'expression' in rest ? { cel: rest.expression } : rest };
}

/** Members that the format does not have there are left out when the document is written. */
function actionDocument(action: Action): Plain {
  switch (action.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return { [action.verb]: action.objects };
    case 'patch':
    case 'bind':
    case 'scale':
      return { [action.verb]: action };
    case 'delete':
    case 'evict':
    case 'drain':
      return { [action.verb]: withOptions(action) };
    case 'cordon':
    case 'uncordon':
      return { [action.verb]: action.target };
    case 'waitFor':
      return { waitFor: { ...expectationDocument(action.expectation), withinMs: action.withinMs } };
    case 'fault':
      return { fault: action.fault };
    case 'expect':
      return { expect: action.expectations.map(expectationDocument) };
    case 'expectError':
      return { expectError: { ...actionDocument(action.action), ...action.error } };
    case 'refusedStart':
      return { expectError: { start: action.process, ...action.error } };
    case 'note':
      return {};
    default:
      return action satisfies never;
  }
}

function withOptions({ target, ...options }: { readonly target: TargetRef; readonly verb: string }): unknown {
  return Object.keys(only(options, ...OPTIONS)).length === 0 ? target : { target, ...options };
}

const OPTIONS = [
  'propagationPolicy',
  'gracePeriodSeconds',
  'preconditions',
  'ignoreNotFound',
  'ifAllowed',
  ...Object.keys(DRAIN.forms[1].fields).filter((name) => name !== 'target'),
  'timeoutMs',
];

function expectationDocument(expectation: Expectation): Plain {
  switch (expectation.expect) {
    case 'match':
      return { match: expectation.match };
    case 'absent':
      return { absent: expectation.target };
    case 'count':
      return { count: { of: expectation.of, ...expectation.bounds } };
    case 'cel':
      return { cel: expectation.expression };
    default:
      return { [expectation.expect]: { ...expectation.question, is: expectation.is } };
  }
}

type ExpectStep = Extract<Step, { readonly verb: 'expect' }>;

export interface Item {
  readonly step: Step;
  readonly beside?: ExpectStep;
  /** The number of steps of the scenario that have been taken at the end of this item. */
  readonly taken: number;
}

/** Whether a step only checks, at once, and has no narration: then it is written in the item of the previous step. */
const isBeside = (step: Step | undefined): step is ExpectStep =>
  step?.verb === 'expect' &&
  step.timing.when === 'next' &&
  [step.before, step.note, step.about, step.assertions, step.ask, step.look, step.tries].every((prose) => prose === undefined);

/** Returns a step without what is said, asserted and asked with it. */
export function withoutNarration(step: Step): Step {
  const { before: _before, note: _note, about: _about, assertions: _assertions, ask: _ask, look: _look, tries: _tries, ...rest } = step;
  return rest;
}

const acts = ({ verb }: Step): boolean => verb !== 'note' && verb !== 'expect';

export function itemsOf(steps: readonly Step[]): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (step === undefined) break;
    const beside = steps[at + 1];
    if (acts(step) && isBeside(beside)) {
      at++;
      items.push({ step, beside, taken: at + 1 });
    } else items.push({ step, taken: at + 1 });
  }
  return items;
}

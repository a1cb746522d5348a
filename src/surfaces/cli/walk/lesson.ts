/** The lesson of a walk: asks the question before a stop, takes an answer, shows the right one with its reason, offers what-ifs. */
import { itemsOf } from '../../../lab/scenario/index.ts';
import { type Palette, count } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { formatName } from '../question/target.ts';
import { forkWith } from './fork.ts';
import { stopAfter, type Session, type Stop, here, type Walk, placeOf, stopBefore } from './session.ts';
import { changesBetween, formatSince } from '../../../lab/trace/index.ts';
import { changeLines } from './changes.ts';

const letterOf = (at: number): string => String.fromCharCode(97 + at);

/** Returns the question before the next stop; undefined if there is none, or if it was asked before. */
export function questionAhead(session: Session): readonly [step: number, ask: NonNullable<Stop['ask']>] | undefined {
  const step = stopAfter(session);
  const ask = step === undefined ? undefined : session.narrationSteps.get(step)?.ask;
  return step === undefined || ask === undefined || session.answers.has(step) ? undefined : [step, ask];
}

export function openQuestion(session: Session): readonly [step: number, ask: NonNullable<Stop['ask']>] | undefined {
  const ahead = questionAhead(session);
  return ahead !== undefined && session.open === ahead[0] ? ahead : undefined;
}

const oneOf = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1');

export function putQuestion(session: Session, palette: Palette): readonly string[] {
  const ahead = questionAhead(session);
  if (ahead === undefined) return [];
  const [step, { question, choices }] = ahead;
  session.open = step;
  return [
    '',
    `  ${palette.warn('?')} ${palette.strong(question)}`,
    ...choices.map(({ say }, at) => `    ${palette.strong(letterOf(at))}  ${say}`),
    `  ${palette.dim(`${oneOf(choices.map((_, at) => letterOf(at)))} answers; next skips the question`)}`,
  ];
}

/** Parses an answer. Returns its index among the choices; throws BadInput for any other letter. */
export function readAnswer(line: string, { choices }: NonNullable<Stop['ask']>): number {
  const at = line.toLowerCase().charCodeAt(0) - 97;
  if (line.length !== 1 || !(at >= 0 && at < choices.length))
    throw new BadInput(`answer: expected one of ${choices.map((_, each) => letterOf(each)).join(', ')}, found ${JSON.stringify(line)}`);
  return at;
}

function revealLines({ ask }: Stop, given: number | undefined, palette: Palette): readonly string[] {
  if (ask === undefined) return [];
  const lines = (mark: string, at: number): readonly string[] => {
    const { say = '', because = '' } = ask.choices[at] ?? {};
    return [`  ${mark} ${letterOf(at)}  ${say}`, `       ${palette.dim(because)}`];
  };
  const right = lines(palette.good('✓'), ask.right);
  return given === undefined || given === ask.right ? right : [...lines(palette.bad('✗'), given), ...right];
}

function hintLines({ look, tries }: Stop, palette: Palette): readonly string[] {
  const observer = look?.as === undefined ? '' : `, as ${look.as} sees it`;
  return [
    ...(look === undefined ? [] : [`  ${palette.dim(`look at ${formatName(look.at)}${observer}`)}`]),
    ...(tries?.says ?? []).map((say, at) => `  ${palette.accent(`try ${at + 1}`)} ${say}`),
  ];
}

/** `try 1`: forks with a what-if of the stop. */
export function tryHere(walk: Walk, rest: string): readonly string[] {
  const session = here(walk);
  const offered = session.narrationSteps.get(session.moment.step)?.tries;
  if (offered === undefined) throw new BadInput('try: nothing is offered here; fork STEP tries something of your own');
  const tries =
    session.scenario === undefined
      ? undefined
      : itemsOf(session.scenario.steps).find(({ taken, step }) => taken === offered.taken && step.tries !== undefined)?.step.tries;
  if (tries === undefined) throw new BadInput('try: a saved trace has no scenario to continue; walk the scenario itself');
  const chosen = rest === '' ? tries[0] : tries[Number(rest) - 1];
  if (chosen === undefined) throw new BadInput(`try: expected a number from 1 to ${tries.length}, found ${JSON.stringify(rest)}`);
  return forkWith(walk, { step: { ...chosen.action, timing: { when: 'next' } } }, chosen.say);
}

export function showStop(session: Session, palette: Palette): readonly string[] {
  const { stops } = session;
  const { trace, run } = session.history;
  const { step, at } = session.moment;
  const lines = ['', `${palette.strong(formatSince(at - trace.startAt))}  ${palette.dim(`#${step} · ${placeOf(session)}`)}`];
  const narrationStep = session.narrationSteps.get(step);
  if (narrationStep !== undefined) lines.push(...revealLines(narrationStep, session.answers.get(step), palette));
  if (narrationStep?.text !== undefined) lines.push(...narrationStep.text.split('\n').map((line) => `  ${palette.accent('│')} ${line}`));
  else if (narrationStep?.does !== undefined) lines.push(...narrationStep.does.split('\n').map((line) => `  ${palette.dim(line)}`));
  const before = stopBefore(session);
  if (before !== undefined) lines.push(...changeLines(changesBetween(trace, before, step), palette));
  if (narrationStep !== undefined) lines.push(...hintLines(narrationStep, palette));
  if (step === stops.at(-1) && run !== undefined) {
    lines.push(
      run.failures.length === 0 ? `  ${palette.good('everything held')}` : `  ${palette.bad(`${count(run.failures.length, 'failure')}:`)}`,
      ...run.failures.map(({ invariant, message }) => `    ${invariant === undefined ? message : `${invariant}: ${message}`}`),
    );
  }
  return lines;
}

/** Shows a stop of a walk: position, text, and the changes since the stop before. */
import { changesBetween, formatSince } from '../../../lab/trace/index.ts';
import { count, type Palette } from '../../report/index.ts';
import { changeLines } from './changes.ts';
import { hintLines, revealLines } from './lesson.ts';
import { placeOf, stopBefore, type Session } from './session.ts';

/** The current position, as lines. */
export function showStop(session: Session, palette: Palette): readonly string[] {
  const {
    history: { trace, run },
    moment: { step, at },
    stops,
  } = session;
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

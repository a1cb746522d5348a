/** Replaces the engine in a page of recordings: it replies with the runs in the page. */
import { counters } from './counters.ts';
import { inflated, type Engine } from './engine.ts';
import type { Answer, PageData, Question } from './protocol.ts';
import { readRecording } from './recording.ts';

/** Returns the replacement. Of several runs of a scenario, without a seed, the first one is used. */
export function recordedEngine(data: PageData): Engine {
  return {
    // Nothing is started or made.
    start: () => undefined,
    stop: () => Promise.resolve(),
    async ask(question) {
      counters.questions++;
      try {
        return await answerTo(question, data);
      } catch (error) {
        return { is: 'error', message: `the recording cannot be read: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
  };
}

async function answerTo(question: Question, { runs = [], beside }: PageData): Promise<Answer> {
  if (question.ask === 'second' && question.how.is === 'recording' && beside !== undefined)
    return { is: 'second', run: readRecording(await inflated(beside.packed)), said: beside.said, text: '', lintWarnings: [] };
  if (question.ask !== 'run') return { is: 'error', message: 'this page contains recordings: it has no engine' };
  const { scenario, seed } = question;
  const found = runs.filter((run) => run.scenario === scenario.name && (seed === undefined || run.seed === seed));
  const run = found.find(({ packed }) => packed !== undefined) ?? found[0];
  if (run?.packed === undefined) {
    const message =
      run === undefined ? 'this page does not contain that run' : `this page does not contain that run; ${run.replay} repeats it`;
    return { is: 'problems', problems: [{ message, line: 1, col: 1 }] };
  }
  return { is: 'run', run: readRecording(await inflated(run.packed)) };
}

/** Requests of the page to its engine that open nothing: about a text, a moment, a gate. */
import type { ObjectName } from '../../lab/trace/index.ts';
import { bound, following } from './opening.ts';
import type { Answer, PageWaiting, Question } from './protocol.ts';
import { LONGEST } from './run-data.ts';
import * as state from './state.ts';

const { model } = state;

/** Sends a request about a text to the engine; undefined: no answer. */
export const consult = async (question: Extract<Question, { readonly ask: 'check' | 'assist' | 'tidy' }>): Promise<Answer | undefined> =>
  bound.engine?.ask(question);

/** Returns the pending events at a step; undefined: they are not known. */
export async function waitingAt(at: number): Promise<readonly PageWaiting[] | undefined> {
  const answered = await bound.engine?.ask({ ask: 'waiting', step: at });
  return answered?.is === 'waiting' ? answered.waiting : undefined;
}

/** Whether the run differs with a gate changed; undefined: it is not known. */
export async function gateDiffers(gate: string): Promise<boolean | undefined> {
  const answered = await bound.engine?.ask({ ask: 'gate', gate });
  return answered?.is === 'gate' ? answered.differs : undefined;
}

/** Requests introspection at a step from the engine or the served cluster. */
export async function peekAt(at: number, about: ObjectName | undefined): Promise<void> {
  const of = model.value;
  // The engine is busy with the run; requests meanwhile would queue up.
  if (of === undefined || of.run.unfinished === true || of.run.recorded === true) return;
  // The engine would repeat the run up to the step.
  if (of.length > LONGEST && of.run.window === undefined) return;
  if (state.live.value !== undefined) {
    await following.by?.peek(at);
    return;
  }
  const answer = await bound.engine?.ask({ ask: 'peek', step: at, ...(about === undefined ? {} : { about }) });
  if (answer?.is === 'peek' && model.value === of) state.peek.value = answer.peek;
}

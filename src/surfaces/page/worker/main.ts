/**
 * The engine's side of the page, in a worker: takes questions one by one, runs scenarios, and answers. It keeps the last run to look
 * inside.
 */
import type { Asked, Answered } from '../protocol.ts';
import { createBench } from './bench.ts';

const bench = createBench();

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { id, ...question } = data;
  const post = (answered: Answered): void => {
    postMessage(answered);
  };
  post({
    id,
    ...bench.answer(question, (part) => {
      post({ id, ...part });
    }),
  });
});

/** The engine's side of the page, in a worker: handles requests one by one. It keeps the last run for introspection. */
import type { RequestMessage, ReplyMessage } from '../protocol.ts';
import { createBench } from './bench.ts';

const bench = createBench();

addEventListener('message', ({ data }: MessageEvent<RequestMessage>) => {
  const { id, ...question } = data;
  const post = (answered: ReplyMessage): void => {
    postMessage(answered);
  };
  post({
    id,
    ...bench.answer(question, (part) => {
      post({ id, ...part });
    }),
  });
});

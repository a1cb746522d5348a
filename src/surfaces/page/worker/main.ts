/**
 * The engine's side of the page, in a worker: handles requests in their order. A run passes in slices, between which the worker reads its
 * messages: another run, or the reader, stops it. It keeps the last run for introspection.
 */
import type { RequestMessage, ReplyMessage } from '../protocol.ts';
import { createBench, type Answering } from './bench.ts';

/** Milliseconds of a run between two looks at the messages. */
const SLICE_MS = 40;

const bench = createBench();
const waiting: RequestMessage[] = [];
/** The request that is being answered; `stops`: its run ends at the next slice. */
const now: { answering?: Answering | undefined; id: number; stops: boolean } = { id: 0, stops: false };
/** Messages to itself come after those that are waiting already. */
const next = new MessageChannel();

const post = (answered: ReplyMessage): void => {
  postMessage(answered);
};

addEventListener('message', ({ data }: MessageEvent<RequestMessage>) => {
  if (data.ask === 'run' || data.ask === 'stop') now.stops = true;
  if (data.ask === 'stop') return;
  waiting.push(data);
  if (now.answering === undefined) goOn();
});
next.port1.addEventListener('message', goOn);
// A port waits for this, unless `onmessage` is set.
next.port1.start();

function goOn(): void {
  now.answering ??= begun();
  if (now.answering === undefined) return;
  const until = performance.now() + SLICE_MS;
  do {
    const { done, value } = now.answering.next(now.stops);
    if (done !== true) continue;
    post({ id: now.id, ...value });
    now.answering = undefined;
    break;
  } while (performance.now() < until);
  next.port2.postMessage(undefined);
}

/** Begins with the next request; undefined: there is none. */
function begun(): Answering | undefined {
  const request = waiting.shift();
  if (request === undefined) return undefined;
  const { id, ...question } = request;
  now.id = id;
  now.stops = waiting.some(({ ask }) => ask === 'run');
  return bench.answering(question, (part) => {
    post({ id, ...part });
  });
}

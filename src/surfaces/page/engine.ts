/** The engine, in a worker made of the text that the page carries: it works from a file, without any request. */
import { decompress } from 'fzstd';
import { counters } from './counters.ts';
import type { Answer, Answered, Question } from './protocol.ts';

export interface Engine {
  /** Answers come in the order of the questions. */
  ask(question: Question): Promise<Answer>;
}

/** Starts the engine; `packed` is its program, packed with Zstandard, in base64. */
export function startEngine(packed: string): Engine {
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  const started = soon(() => {
    const worker = new Worker(
      URL.createObjectURL(new Blob([decompress(bytesOf(packed)) as Uint8Array<ArrayBuffer>], { type: 'text/javascript' })),
    );
    worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    worker.addEventListener('error', ({ message = 'the engine could not be started' }) => {
      for (const answer of waiting.values()) answer({ is: 'error', message });
      waiting.clear();
    });
    return worker;
  });
  return {
    async ask(question) {
      counters.questions++;
      const id = ++asked;
      const worker = await started;
      return new Promise((answer) => {
        waiting.set(id, answer);
        worker.postMessage({ id, ...question }, []);
      });
    },
  };
}

/** After the page has been shown: unpacking takes as long as some frames. */
const soon = <T>(act: () => T): Promise<T> =>
  new Promise((resolve) => {
    setTimeout(() => {
      resolve(act());
    });
  });

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64.trim()), (char) => char.charCodeAt(0));

/** What was deflated and written as base64. */
export async function inflated(packed: string): Promise<string> {
  const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}

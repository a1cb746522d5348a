/** The engine in a worker, from the text in the page: it works from a file, without any request. */
import { decompress } from 'fzstd';
import { counters } from './counters.ts';
import type { Answer, ReplyMessage, Part, Question, CarriedScenario, PageData } from './protocol.ts';
import { readRecording } from './packing.ts';

export interface Engine {
  /** Starts it at once, before the first request, which otherwise does: unpacking takes as long as several frames. */
  readonly start: () => void;
  /** Returns the reply to a request; replies come in the order of requests. `take` receives parts that precede the reply. */
  ask(question: Question, take?: (part: Part) => void): Promise<Answer>;
  /** Ends the run that is being made: its reply is the run so far. */
  stop(): Promise<void>;
}

/** Returns the engine; `packed` is its program, packed with Zstandard, in base64. */
export function engineOf(packed: string): Engine {
  const waiting = new Map<number, { readonly answer: (answer: Answer) => void; readonly take: ((part: Part) => void) | undefined }>();
  let asked = 0;
  let starting: Promise<Worker> | undefined;
  // The page is drawn first.
  const started = (): Promise<Worker> => (starting ??= soon(startNow));
  const startNow = (): Worker => {
    const worker = new Worker(
      URL.createObjectURL(new Blob([decompress(bytesOf(packed)) as Uint8Array<ArrayBuffer>], { type: 'text/javascript' })),
    );
    worker.addEventListener('message', ({ data }: MessageEvent<ReplyMessage>) => {
      const asker = waiting.get(data.id);
      if (data.is === 'part') return asker?.take?.(data);
      asker?.answer(data);
      waiting.delete(data.id);
    });
    worker.addEventListener('error', ({ message = 'the engine could not be started' }) => {
      for (const { answer } of waiting.values()) answer({ is: 'error', message });
      waiting.clear();
    });
    return worker;
  };
  return {
    start() {
      starting ??= Promise.resolve(startNow());
    },
    async ask(question, take) {
      counters.questions++;
      const id = ++asked;
      const worker = await started();
      return new Promise((answer) => {
        waiting.set(id, { answer, take });
        worker.postMessage({ id, ...question }, []);
      });
    },
    async stop() {
      const worker = await started();
      worker.postMessage({ id: ++asked, ask: 'stop' }, []);
    },
  };
}

/** Runs an action after what the page does now. */
const soon = <T>(act: () => T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(act())));

/** Decodes base64. An index is used, because an iterator over a million characters takes as long as a frame or two. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Inflates deflated text in base64. */
export async function inflated(packed: string): Promise<string> {
  const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).text();
}

/** Returns the data of the page with the packed scenarios after the others. */
export function unpacked(data: PageData): PageData {
  if (data.shipped === undefined) return data;
  const { shipped, ...rest } = data;
  // The build packed them, so their type is known.
  const scenarios = JSON.parse(new TextDecoder().decode(decompress(bytesOf(shipped)))) as readonly CarriedScenario[];
  return { ...rest, scenarios: [...data.scenarios, ...scenarios] };
}

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

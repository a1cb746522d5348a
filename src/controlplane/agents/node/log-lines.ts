/** The lines that an instance of a container has printed, computed from its times alone: nothing is kept. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { LogSpec } from '../specs.ts';
import type { Behavior } from './containers.ts';
import type { LogInstance } from './log-instances.ts';

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

/** What containers print of which the behaviour says nothing. */
const IN_WORDS: readonly LogSpec[] = [
  'started',
  { when: 'ready', line: 'ready' },
  { when: 'termination', line: 'received SIGTERM' },
  { when: 'exit', line: 'exiting with code {code}' },
];
const IN_WORDS_OF_INIT: readonly LogSpec[] = ['started', { when: 'exit', line: 'exiting with code {code}' }];

/** Whether a container is an init container. These take no time, so only their status says when they ran. */
export const isInit = ({ spec }: Pod, container: string): boolean => spec.containers.every(({ name }) => name !== container);

/** The lines of a container: those that name it; of the first one also those that name none. */
function specsOf(pod: Pod, container: string, { log }: Behavior): readonly LogSpec[] {
  const inWords = isInit(pod, container) ? IN_WORDS_OF_INIT : IN_WORDS;
  const isFirst = pod.spec.containers[0]?.name === container;
  if (log === undefined) return inWords;
  const own = log.filter((each) => (typeof each === 'string' ? undefined : each.container) === container);
  if (!isFirst) return own.length === 0 ? inWords : own;
  return log.filter((each) => typeof each === 'string' || each.container === undefined || each.container === container);
}

interface Printing {
  readonly text: string;
  readonly firstMs: number;
  /** 0: once. */
  readonly everyMs: number;
}

/** When a line is printed first, milliseconds since the start; undefined: never. */
function firstMs(spec: Exclude<LogSpec, string>, { exitCode, elapsedMs, signalMs }: LogInstance, readyMs: number): number | undefined {
  switch (spec.when) {
    case 'ready':
      return readyMs;
    case 'termination':
      return signalMs;
    case 'exit':
      return exitCode === undefined ? undefined : elapsedMs;
    case 'success':
      return exitCode === 0 ? elapsedMs : undefined;
    case 'failure':
      return exitCode === undefined || exitCode === 0 ? undefined : elapsedMs;
    default:
      return spec.atMs ?? spec.everyMs ?? 0;
  }
}

function printingOf(spec: LogSpec, instance: LogInstance, readyMs: number): Printing | undefined {
  if (typeof spec === 'string') return { text: spec, firstMs: 0, everyMs: 0 };
  const first = firstMs(spec, instance, readyMs);
  return first === undefined ? undefined : { text: spec.line, firstMs: first, everyMs: spec.everyMs ?? 0 };
}

const FILLED = /\{(pod|namespace|node|container|restart|code|n)\}/g;

function filled(text: string, pod: Pod, container: string, { restart, exitCode }: LogInstance, n: number): string {
  const values: Readonly<Record<string, string>> = {
    pod: pod.metadata.name,
    namespace: pod.metadata.namespace ?? '',
    node: pod.spec.nodeName ?? '',
    container,
    restart: String(restart),
    code: exitCode === undefined ? '' : String(exitCode),
    n: String(n),
  };
  return text.replace(FILLED, (_, name: string) => values[name] ?? '');
}

/**
 * Returns what a container has printed, the oldest line first: the last `most` lines, of those after `afterMs` since the start.
 * Costs the product of the lines that are returned and of the lines that the behaviour names.
 */
export function linesOf(
  pod: Pod,
  container: string,
  behavior: Behavior,
  instance: LogInstance,
  { most, afterMs = -1 }: { readonly most: number; readonly afterMs?: number },
): readonly LogLine[] {
  const { elapsedMs, startedAt } = instance;
  const printings = specsOf(pod, container, behavior).flatMap((spec) => printingOf(spec, instance, behavior.readyDelayMs) ?? []);
  /** How often each is still to be printed, going back in time. */
  const left = printings.map(({ firstMs: first, everyMs }) => {
    if (first > elapsedMs) return 0;
    return everyMs === 0 ? 1 : Math.floor((elapsedMs - first) / everyMs) + 1;
  });
  const lines: LogLine[] = [];
  while (lines.length < most) {
    let latest: Printing | undefined;
    let latestMs = afterMs;
    let index = 0;
    for (const [at, printing] of printings.entries()) {
      const count = left[at] ?? 0;
      const ms = printing.firstMs + (count - 1) * printing.everyMs;
      // Of lines at the same time the last one is found first.
      if (count > 0 && ms > afterMs && ms >= latestMs) [latest, latestMs, index] = [printing, ms, at];
    }
    if (latest === undefined) break;
    const n = left[index] ?? 1;
    left[index] = n - 1;
    lines.push({ at: startedAt + latestMs, text: filled(latest.text, pod, container, instance, n) });
  }
  return lines.reverse();
}

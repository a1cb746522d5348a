/** How hearts end: their keys renew for real again, one by one or all of them, and for as long as a clock is wrong. */
import type { Heart } from './hearts.ts';
import type { Machinery } from './machinery.ts';
import type { Process } from './process.ts';

/** Hearts go on the long way: their keys wake up when the next renewal is due. */
export function goOn(
  {
    processes,
    context: {
      kernel: { now },
    },
  }: Machinery,
  { process, controller, key }: Heart,
  nextDecisionAt: number,
): void {
  const queue = processes.get(process)?.running.get(controller)?.queue;
  if (queue === undefined) return;
  const state = queue.open(key);
  state.beats = false;
  if (nextDecisionAt < now) state.decidedAt = nextDecisionAt;
  queue.wakeAt(state, nextDecisionAt, undefined, true);
}

function endHearts(machinery: Machinery, name: string | undefined): void {
  machinery.context.hearts.stopAll(name, (heart, nextDecisionAt) => goOn(machinery, heart, nextDecisionAt));
}

/** Every lease is renewed for real until the answer is called. */
export function forbidHearts(machinery: Machinery): () => void {
  const lift = machinery.context.hearts.forbid();
  endHearts(machinery, undefined);
  return lift;
}

/**
 * Sets a clock wrong by so much, milliseconds, until the answer is called. Of several the last one counts; when it ends, the one before it
 * that still lasts.
 */
export function addSkew(machinery: Machinery, process: Process | undefined, skewMs: number): () => void {
  if (process === undefined) return () => undefined;
  const { skews: all } = process;
  const own = { skewMs };
  all.push(own);
  setSkew(machinery, process, skewMs);
  return () => {
    const at = all.indexOf(own);
    if (at < 0) return;
    const counted = at === all.length - 1;
    all.splice(at, 1);
    if (counted) setSkew(machinery, process, all.at(-1)?.skewMs ?? 0);
  };
}

/** Sets a clock wrong by so much, milliseconds; 0: right again. */
export function setSkew(machinery: Machinery, process: Process | undefined, skewMs: number): boolean {
  if (process === undefined) return false;
  const lift = machinery.skews.get(process);
  // A clock that is wrong judges each renewal by itself, so they have to come to it.
  const { hearts, kernel } = machinery.context;
  const judges = [...process.streams.values()].some(({ unseenBeats, only }) => unseenBeats && only === undefined);
  const beat = judges && hearts.size > 0;
  if (!judges) endHearts(machinery, process.spec.name);
  else if (skewMs !== 0 && lift === undefined) machinery.skews.set(process, forbidHearts(machinery));
  if (beat && skewMs !== 0) kernel.schedule(kernel.now, { type: 'skew', process: process.spec.name, skewMs });
  else process.skewMs = skewMs;
  if (skewMs === 0) {
    lift?.();
    machinery.skews.delete(process);
  }
  return true;
}

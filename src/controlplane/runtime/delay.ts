/** How long messages are on their way. */
import type { Random } from '../../engine/random.ts';

/** Milliseconds, fixed or drawn for each message from the seed. */
export type Delay = number | { readonly min: number; readonly max: number };

/** The way to the server: half of a request's latency, which is there and back. */
export const oneWayLatency = (roundTripMs: number): number => roundTripMs >> 1;

/** A drawn delay. The stream is only touched when there is something to draw. */
export function drawDelay(delay: Delay, random: Random, stream: string): number {
  return typeof delay === 'number' ? delay : random.stream(stream).between(delay.min, delay.max);
}

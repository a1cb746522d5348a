/** Latency of messages. */
import type { Random } from '../../engine/random.ts';

/** Milliseconds, fixed or drawn for each message from the seed. */
export type Delay = number | { readonly min: number; readonly max: number };

/** One-way latency in milliseconds: half of a request's round trip. */
export const oneWayLatency = (roundTripMs: number): number => roundTripMs >> 1;

/** A drawn delay. The random stream is used only where there is something to draw. */
export function drawDelay(delay: Delay, random: Random, stream: string): number {
  return typeof delay === 'number' ? delay : random.stream(stream).between(delay.min, delay.max);
}

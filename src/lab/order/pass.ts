/** Choices that hold one event until another has happened. */
import { sortOf } from '../choices/index.ts';
import type { InjectedFault } from '../scenario/index.ts';
import type { Upcoming } from './upcoming.ts';
import type { Delay } from './typed.ts';

/** A pending event, with the address of the point at which it can be held. */
export interface Held extends Upcoming {
  readonly address?: string;
}

/**
 * Returns the choices that hold an event until another has happened; none where the event has no point. `before`: choices already made at
 * those points.
 */
export function letPass(first: Held, { address, at }: Held, before: ReadonlyMap<string, InjectedFault>): readonly Delay[] {
  if (address === undefined) return [];
  const ms = first.at - at;
  // A held decision runs at the end of its instant, after all events due by then and their effects.
  return [held(address, ms === 0 && sortOf(address) === 'decide' ? 0 : ms + 1, before)];
}

/** Returns the choice that holds an event; the delay of a choice already made at its point is added. */
export function held(address: string, ms: number, before: ReadonlyMap<string, InjectedFault>): Delay {
  const known = before.get(address);
  const already = known?.do === 'hold' || known?.do === 'late' ? known.ms : 0;
  return { at: address, injectedFault: { do: sortOf(address) === 'write' ? 'late' : 'hold', ms: ms + already } };
}

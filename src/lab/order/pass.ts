/** One event held until another has happened, as a choice at its point. */
import { sortOf } from '../choices/index.ts';
import type { InjectedFault } from '../scenario/index.ts';
import type { Upcoming } from './upcoming.ts';
import type { Delay } from './typed.ts';

/** One of what waits with the point at which it can be held. */
export interface Held extends Upcoming {
  readonly address?: string;
}

/** Holds one until another has happened; none where it has no point. `before`: choices that were made there already. */
export function letPass(first: Held, { address, at }: Held, before: ReadonlyMap<string, InjectedFault>): readonly Delay[] {
  if (address === undefined) return [];
  const ms = first.at - at;
  // A decision waits for the end of its instant, and what is due by then has led to what it leads to.
  return [held(address, ms === 0 && sortOf(address) === 'decide' ? 0 : ms + 1, before)];
}

/** A choice that was made there already counts on. */
export function held(address: string, ms: number, before: ReadonlyMap<string, InjectedFault>): Delay {
  const known = before.get(address);
  const already = known?.do === 'hold' || known?.do === 'late' ? known.ms : 0;
  return { at: address, injectedFault: { do: sortOf(address) === 'write' ? 'late' : 'hold', ms: ms + already } };
}

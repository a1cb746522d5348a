/** The text form of choices that delay events, as a user types it for a fork: `choices: [{ at: "decide …", hold: 5s }]`. */
import { formatDurationMs } from '../../schema/values/index.ts';
import type { InjectedFault, PointChoice } from '../scenario/index.ts';

/** A choice that delays an event. */
export interface Delay extends PointChoice {
  readonly injectedFault: Extract<InjectedFault, { readonly do: 'hold' | 'late' }>;
}

/** Returns the text from which `readForkStep` reads these choices. */
export const typedChoices = (delays: readonly Delay[]): string =>
  `choices: [${delays.map(({ at, injectedFault }) => `{ at: ${JSON.stringify(at)}, ${injectedFault.do}: ${formatDurationMs(injectedFault.ms)} }`).join(', ')}]`;

/** Choices that delay something, as a user types them for a fork: `choices: [{ at: "decide …", hold: 5s }]`. */
import { formatDurationMs } from '../../schema/values/index.ts';
import type { InjectedFault, PointChoice } from '../scenario/index.ts';

/** Something that comes later than by itself. */
export interface Delay extends PointChoice {
  readonly injectedFault: Extract<InjectedFault, { readonly do: 'hold' | 'late' }>;
}

/** What `readForkStep` reads as these choices. */
export const typedChoices = (delays: readonly Delay[]): string =>
  `choices: [${delays.map(({ at, injectedFault }) => `{ at: ${JSON.stringify(at)}, ${injectedFault.do}: ${formatDurationMs(injectedFault.ms)} }`).join(', ')}]`;

/** Choices that make something wait, as a person would type them for a fork: `choices: [{ at: "decide …", hold: 5s }]`. */
import { formatDurationMs } from '../../grammar/values/index.ts';
import type { Deed, PointChoice } from '../scenario/index.ts';

/** Something that comes later than by itself. */
export interface Delay extends PointChoice {
  readonly deed: Extract<Deed, { readonly do: 'hold' | 'late' }>;
}

/** What `readForkStep` reads as these choices. */
export const typedChoices = (delays: readonly Delay[]): string =>
  `choices: [${delays.map(({ at, deed }) => `{ at: ${JSON.stringify(at)}, ${deed.do}: ${formatDurationMs(deed.ms)} }`).join(', ')}]`;

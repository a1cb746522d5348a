/** One that is slow in all it does, for as long as the search makes trouble. */
import { formatDurationMs } from '../../../grammar/values/index.ts';
import type { Deed } from '../../scenario/index.ts';
import type { DeedKind } from '../deed.ts';

type Slow = Extract<Deed, { do: 'slow' }>;
const AMOUNTS: readonly number[] = [10, 100, 1_000, 5_000];

export const slow: DeedKind<Slow> = {
  name: 'slow',
  sorts: ['actor'],
  description: 'All that a process sees of a kind, or a controller decides or writes, comes late.',
  drawn: () => AMOUNTS.map((ms) => ({ do: 'slow', ms })),
  weaker: (deed) => AMOUNTS.filter((ms) => ms < deed.ms).map((ms) => ({ ...deed, ms })),
  says: ({ ms }) => `each comes ${formatDurationMs(ms)} late`,
};

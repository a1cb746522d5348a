/** An actor is slow until the end of the faults. */
import { formatDurationMs } from '../../../schema/values/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import type { FaultKind } from '../fault.ts';

type Slow = Extract<InjectedFault, { do: 'slow' }>;
const AMOUNTS: readonly number[] = [10, 100, 1_000, 5_000];

export const slow: FaultKind<Slow> = {
  name: 'slow',
  sorts: ['actor'],
  description: 'All watch events of a kind for a process, or all decisions or writes of a controller, are delayed.',
  drawn: () => AMOUNTS.map((ms) => ({ do: 'slow', ms })),
  weaker: (injectedFault) => AMOUNTS.filter((ms) => ms < injectedFault.ms).map((ms) => ({ ...injectedFault, ms })),
  says: ({ ms }) => `each comes ${formatDurationMs(ms)} late`,
};

/** A request is handled, and its response is lost. */
import type { InjectedFault } from '../../scenario/index.ts';
import type { FaultKind } from '../fault.ts';

type Lose = Extract<InjectedFault, { do: 'lose' }>;

export const lose: FaultKind<Lose> = {
  name: 'lose',
  sorts: ['write'],
  description: 'A request is handled, and its response is lost.',
  drawn: () => [{ do: 'lose' }],
  weaker: () => [],
  says: () => 'is handled, and its answer is lost',
  write: () => ({ loseResponse: true }),
};

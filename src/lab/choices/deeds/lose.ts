/** A request is handled, and who made it does not learn that. */
import type { Deed } from '../../scenario/index.ts';
import type { DeedKind } from '../deed.ts';

type Lose = Extract<Deed, { do: 'lose' }>;

export const lose: DeedKind<Lose> = {
  name: 'lose',
  sorts: ['write'],
  description: 'A request is handled, and its answer is lost.',
  drawn: () => [{ do: 'lose' }],
  weaker: () => [],
  says: () => 'is handled, and its answer is lost',
  write: () => ({ loseResponse: true }),
};

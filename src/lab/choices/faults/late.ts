/** A request takes long to reach the server. */
import { formatDurationMs } from '../../../schema/values/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import { shorter, SPANS, type FaultKind } from '../fault.ts';

type Late = Extract<InjectedFault, { do: 'late' }>;
const made = (ms: number): Late => ({ do: 'late', ms });

export const late: FaultKind<Late> = {
  name: 'late',
  sorts: ['write'],
  description: 'A request reaches the server late.',
  drawn: () => SPANS.map(made),
  weaker: ({ ms }) => shorter(ms).map(made),
  says: ({ ms }) => `reaches the server ${formatDurationMs(ms)} late`,
  write: (_cluster, { ms }) => ({ delayMs: ms }),
};

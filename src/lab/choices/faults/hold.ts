/** Delays a watch event or a decision: ordinary latency, which changes the order of events. */
import { formatDurationMs } from '../../../schema/values/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import { shorter, SPANS, type FaultKind } from '../fault.ts';

type Hold = Extract<InjectedFault, { do: 'hold' }>;
const held = (ms: number): Hold => ({ do: 'hold', ms });

export const hold: FaultKind<Hold> = {
  name: 'hold',
  sorts: ['see', 'decide'],
  description: 'A watch event reaches a process late, or a decision is delayed.',
  drawn: (sort) => (sort === 'see' ? SPANS : [0, 1, 100, 1_000, 3_000]).map(held),
  weaker: ({ ms }) => [...(ms > 1 ? shorter(ms) : [])].map(held),
  says: ({ ms }) => (ms === 0 ? 'waits for the end of its instant' : `comes ${formatDurationMs(ms)} late`),
  see: ({ ms }) => ms,
  decide: (_cluster, { ms }) => ({ hold: ms }),
};

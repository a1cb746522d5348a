/** A watch breaks and the process lists again, perhaps from a server that lags. */
import { formatDurationMs } from '../../../schema/values/index.ts';
import { oldRevision } from '../../faults/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import { shorter, type FaultKind } from '../fault.ts';

type Relist = Extract<InjectedFault, { do: 'relist' }>;

const listed = (staleByMs?: number): Relist => ({ do: 'relist', ...(staleByMs === undefined ? {} : { staleByMs }) });

export const relist: FaultKind<Relist> = {
  name: 'relist',
  sorts: ['decide'],
  description: 'A process lists everything that it watches again; the lists may be old.',
  drawn: () => [listed(), ...[1_000, 5_000, 20_000].map(listed)],
  weaker: ({ staleByMs }) =>
    staleByMs === undefined ? [] : [listed(), ...shorter(staleByMs).flatMap((ms) => (ms >= 1_000 ? [listed(ms)] : []))],
  says: ({ staleByMs }) =>
    `the process lists all it watches again before it${staleByMs === undefined ? '' : `, as it was ${formatDurationMs(staleByMs)} ago`}`,
  decide(cluster, { staleByMs }, { process }) {
    cluster.runtime.relist(process, undefined, oldRevision(cluster, staleByMs));
    return undefined;
  },
};

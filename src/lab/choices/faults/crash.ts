/** A process crashes and restarts, perhaps with lists from an API server that lags. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import { planReturn } from '../../faults/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import { shorter, type FaultKind } from '../fault.ts';

type Crash = Extract<InjectedFault, { do: 'crash' }>;

const AWAY: readonly number[] = [1, 100, 1_000, 5_000, 20_000];
const STALE: readonly (number | undefined)[] = [undefined, undefined, 1_000, 5_000, 20_000];

const crashed = (when: Crash['when'], restartAfterMs: number, staleByMs: number | undefined): Crash => ({
  do: 'crash',
  when,
  restartAfterMs,
  ...(staleByMs === undefined ? {} : { staleByMs }),
});

const plan = (cluster: Cluster, { restartAfterMs, staleByMs }: Crash, process: string): void =>
  planReturn(cluster, process, restartAfterMs, staleByMs);

export const crash: FaultKind<Crash> = {
  name: 'crash',
  sorts: ['decide', 'write'],
  description: 'A process crashes, before or after a write, and restarts; its first lists may be old.',
  drawn: (sort) =>
    (sort === 'write' ? (['before', 'after'] as const) : (['before'] as const)).flatMap((when) =>
      AWAY.flatMap((away) => STALE.map((stale) => crashed(when, away, stale))),
    ),
  weaker: ({ when, restartAfterMs, staleByMs }) => [
    ...(staleByMs === undefined ? [] : [undefined, ...shorter(staleByMs).filter((ms) => ms >= 1_000)]).map((stale) =>
      crashed(when, restartAfterMs, stale),
    ),
    ...AWAY.filter((away) => away < restartAfterMs).map((away) => crashed(when, away, staleByMs)),
  ],
  says: ({ when, restartAfterMs, staleByMs }) =>
    `the process dies ${when === 'before' ? 'before' : 'right after'} it and is back ${formatDurationMs(restartAfterMs)} later${staleByMs === undefined ? '' : `, with lists that are ${formatDurationMs(staleByMs)} old`}`,
  decide(cluster, injectedFault, { process }) {
    plan(cluster, injectedFault, process);
    return { crash: true };
  },
  write(cluster, injectedFault, { process }) {
    plan(cluster, injectedFault, process);
    return { crash: injectedFault.when };
  },
};

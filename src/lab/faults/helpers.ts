/**
 * What faults and the choices of a search do alike: how a process dies and comes back, lists anew, is cut off, has a wrong clock, is
 * refused.
 */
import type { Status } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { planEnd, planNotice } from './parameters.ts';

/** The revision a list that is `staleBy` milliseconds old would have; undefined: the newest. */
export const oldRevision = (cluster: Cluster, staleBy: number | undefined): number | undefined =>
  staleBy === undefined ? undefined : cluster.store.revisionAt(cluster.now - staleBy);

/** Plans that a process comes back, with lists that are so old; undefined: it stays down. */
export function planRestart(
  cluster: Cluster,
  name: string,
  afterMs: number | undefined,
  causes: readonly number[],
  staleByMs?: number,
): void {
  if (afterMs === undefined) return;
  const process = cluster.runtime.process(name);
  // It ends this death and no later one. A process that is still up dies next.
  const death = process === undefined ? 0 : process.incarnation + (process.up ? 1 : 0);
  cluster.plan(
    cluster.now + afterMs,
    `restart ${name}`,
    () => {
      if (cluster.runtime.process(name)?.incarnation !== death) return;
      cluster.runtime.restart(name, cluster.now, causes, oldRevision(cluster, staleByMs));
    },
    { staleByMs },
  );
}

/** Whether a process leads because it holds a lease. */
export const isElected = (cluster: Cluster, name: string): boolean => {
  const process = cluster.runtime.process(name);
  return process?.leading === true && process.spec.elector !== undefined;
};

/** Plans that a process that is about to die comes back, with lists that are so old, and that others have the time to notice. */
export function planReturn(cluster: Cluster, name: string, afterMs: number, staleByMs: number | undefined): void {
  if (isElected(cluster, name)) planNotice(cluster, name);
  planRestart(cluster, name, afterMs, [], staleByMs);
}

const REASONS: Readonly<Record<number, string>> = {
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The answer of a request that is not handled. */
export const refusal = (code: number): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `a fault answered ${code}`,
  reason: REASONS[code] ?? 'InternalError',
  code,
});

/** Cuts a process off for so long: its requests time out, and it sees nothing until the end. */
export function cutOff(cluster: Cluster, name: string, forMs: number): void {
  const endsAt = cluster.now + forMs;
  const lift = cluster.addFaults({
    notice: { process: name, says: 'is cut off from the server', until: endsAt },
    describe: () => ['cut', name, endsAt],
    request: ({ by }) => (by.process === name ? { fail: refusal(504) } : undefined),
    cutUntil: (process) => (process === name ? endsAt : undefined),
  });
  planEnd(cluster, forMs, `${name} is connected again`, lift);
}

/**
 * Sets a clock wrong by so much, behind where it is negative, and back after so long; undefined: it stays so. Of several the last one
 * counts, and when it ends the one before it that still lasts.
 */
export function setWrong(cluster: Cluster, name: string, byMs: number, forMs?: number): void {
  const lift = cluster.runtime.addSkew(name, byMs);
  planEnd(cluster, forMs, `the clock of ${name} is right again`, lift);
}

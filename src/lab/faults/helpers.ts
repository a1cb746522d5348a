/** Helpers of scenario faults and of search faults: restart, relist, disconnection, clock skew, refusal. */
import type { Status } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { planEnd, planNotice } from './parameters.ts';

/** Returns the revision of a list that is `staleBy` milliseconds old; undefined: the newest. */
export const oldRevision = (cluster: Cluster, staleBy: number | undefined): number | undefined =>
  staleBy === undefined ? undefined : cluster.store.revisionAt(cluster.now - staleBy);

/** Schedules the restart of a process, with lists that are `staleByMs` old; `afterMs` undefined: it stays down. */
export function planRestart(
  cluster: Cluster,
  name: string,
  afterMs: number | undefined,
  causes: readonly number[],
  staleByMs?: number,
): void {
  if (afterMs === undefined) return;
  const process = cluster.runtime.process(name);
  // The restart ends this crash only, not a later one. A process that is still up is about to crash.
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

/**
 * Schedules the restart of a process that is about to crash, with lists that are `staleByMs` old, and gives standbys the time to detect the
 * crash.
 */
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

/** Returns the response to a request that a fault refuses. */
export const refusal = (code: number): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `a fault answered ${code}`,
  reason: REASONS[code] ?? 'InternalError',
  code,
});

/** Disconnects a process for `forMs`: its requests time out, and it receives no watch events until the end. */
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
 * Adds `byMs` to the clock of a process (negative: behind) for `forMs`; undefined: until the end of the run. Of overlapping skews the last
 * applies; when it ends, the previous one applies again.
 */
export function setWrong(cluster: Cluster, name: string, byMs: number, forMs?: number): void {
  const lift = cluster.runtime.addSkew(name, byMs);
  planEnd(cluster, forMs, `the clock of ${name} is right again`, lift);
}

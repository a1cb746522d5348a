/** Heartbeats of an idle cluster: renewals of leases without watchers are elided; the node statuses of every five minutes are real. */
import type { Benchmark, Row } from './benchmark.ts';
import { openCluster } from './jobs.ts';
import { cpu, inTurns, type Timed } from './measure.ts';

const HOUR = 3_600_000;
const RENEWALS_AN_HOUR = 360;

/** An idle hour; every lease must have been renewed within its last ten seconds. */
function idleHour(nodes: number, eager: boolean): Timed<number> {
  const cluster = openCluster(nodes, { eagerLeases: eager });
  const before = cluster.counters.commits;
  const { ms } = cpu(() => cluster.runUntil(cluster.now + HOUR));
  const commits = cluster.counters.commits - before;
  for (const lease of cluster.store.values('Lease')) {
    const { holderIdentity = '', renewTime = '' } = (lease['spec'] ?? {}) as {
      readonly holderIdentity?: string;
      readonly renewTime?: string;
    };
    if (holderIdentity.startsWith('node-') && cluster.now - Date.parse(renewTime) > 10_000)
      throw new Error(`${holderIdentity} last renewed its lease at ${renewTime}`);
  }
  return { ms, value: commits };
}

export const leases: Benchmark = {
  name: 'leases',
  asks: 'an idle hour of a thousand nodes: renewals in closed form against each made for real',
  run(scale) {
    const nodes = scale.size(1_000);
    const [closed, eager] = inTurns(1, [() => idleHour(nodes, false), () => idleHour(nodes, true)]);
    const row = (label: string, { ms, value } = { ms: 0, value: 0 }): Row => ({
      label,
      ms,
      units: nodes * RENEWALS_AN_HOUR,
      unit: 'renewal',
      work: { commits: value },
    });
    return {
      rows: [row('closed form', closed), row('one by one', eager)],
      score: { value: (eager?.ms ?? 0) / (closed?.ms ?? 1), limit: 2, is: 'least', unit: 'x' },
    };
  },
};

import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster, type ClusterOptions } from '../../../../src/controlplane/cluster.ts';
import type { Lease } from '../../../../src/apiserver/kinds/index.ts';
import type { Observation } from '../../../../src/controlplane/runtime/index.ts';

const KEY = 'orch-system/orch-scheduler';
const TWO = { scheduler: { candidates: 2 } };

const open = (options: ClusterOptions = {}): { readonly cluster: Cluster; readonly heard: Observation[] } => {
  const heard: Observation[] = [];
  const cluster = createCluster({
    seed: 3,
    controlPlane: TWO,
    latency: { api: 4, watch: 1 },
    onObservation: (observation) => {
      heard.push(observation);
    },
    ...options,
  });
  return { cluster, heard };
};
const leaseOf = (cluster: Cluster, key = KEY): Lease['spec'] => (cluster.store.get('Lease', key) as Lease | undefined)?.spec ?? {};
const holder = (cluster: Cluster, key = KEY): string => leaseOf(cluster, key).holderIdentity?.split('_')[0] ?? '';
const until = (cluster: Cluster, holds: () => boolean, withinMs = 60_000): number => {
  const from = cluster.now;
  while (!holds()) if (!cluster.step(from + withinMs)) throw new Error('it never came about');
  return cluster.now - from;
};
const leads = (cluster: Cluster, name: string): boolean => cluster.runtime.process(name)?.leading === true;

describe('candidates', () => {
  it('agree on one, which renews every retry period', () => {
    const { cluster, heard } = open({ eagerLeases: true });
    expect([leads(cluster, 'scheduler'), leads(cluster, 'scheduler-1')]).toEqual([true, false]);
    expect(leaseOf(cluster)).toMatchObject({
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      holderIdentity: expect.stringMatching(/^scheduler_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
    cluster.runUntil(cluster.startAt + 20_000);
    const renewals = heard.filter((one) => one.type === 'write' && one.change.key === KEY && one.at > cluster.startAt).map(({ at }) => at);
    const gaps = new Set(renewals.slice(1).map((at, i) => at - (renewals[i] ?? 0)));
    expect([...gaps]).toEqual([2_006]);
  });

  it('record their election as an event', () => {
    const { cluster } = open();
    const events = [...cluster.store.values('Event')].filter(({ reason }) => reason === 'LeaderElection');
    expect(events).toEqual([
      expect.objectContaining({
        message: `${leaseOf(cluster).holderIdentity ?? ''} became leader`,
        source: { component: 'default-scheduler' },
        involvedObject: expect.objectContaining({ kind: 'Lease', name: 'orch-scheduler' }),
      }),
    ]);
  });

  it('run nothing before they lead', () => {
    const { cluster } = open();
    expect([...(cluster.runtime.process('scheduler-1')?.running.keys() ?? [])]).toEqual(['leader-election']);
    expect([...(cluster.runtime.process('scheduler')?.running.keys() ?? [])]).toEqual(['leader-election', 'scheduler']);
  });

  it('take over 15 s after they observed the last renewal of a crashed leader, and count the transition', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { cluster } = open({ seed });
      const before = leaseOf(cluster);
      cluster.runUntil(cluster.startAt + seed * 97);
      cluster.runtime.crash('scheduler');
      const tookMs = until(cluster, () => leads(cluster, 'scheduler-1'));
      // From the last renewal (up to 2 s before) to the candidate's next read (up to 4.4 s after), 15 s, to the read after that (up to 4.4
      // s).
      expect(tookMs).toBeGreaterThan(13_000);
      expect(tookMs).toBeLessThan(24_000);
      const after = leaseOf(cluster);
      expect(after.leaseTransitions).toBe(1);
      expect(after.acquireTime).not.toBe(before.acquireTime);
      expect(holder(cluster)).toBe('scheduler-1');
    }
  });

  it('take over at their next read when the leader releases the lease', () => {
    const { cluster } = open();
    cluster.runtime.stop('scheduler');
    // Only its elector is left, to release the lease.
    const leaving = cluster.runtime.process('scheduler');
    expect([leaving?.up, leaving?.leading, [...(leaving?.running.keys() ?? [])]]).toEqual([true, false, ['leader-election']]);
    until(cluster, () => holder(cluster) === '', 50);
    expect(leaseOf(cluster)).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect(cluster.runtime.process('scheduler')?.up).toBe(false);
    expect(until(cluster, () => leads(cluster, 'scheduler-1'))).toBeLessThan(4_500);
    expect(leaseOf(cluster)).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 });
  });

  it('do not touch the lease when they are stopped', () => {
    const { cluster } = open();
    const { holderIdentity, leaseTransitions } = leaseOf(cluster);
    cluster.runtime.stop('scheduler-1');
    cluster.runUntil(cluster.now + 40_000);
    expect(cluster.runtime.process('scheduler-1')?.up).toBe(false);
    expect(leaseOf(cluster)).toMatchObject({ holderIdentity, leaseTransitions });
  });

  it('do not recognise their own lease after a restart', () => {
    const { cluster } = open({ controlPlane: { scheduler: {} } });
    const before = leaseOf(cluster).holderIdentity;
    cluster.runtime.crash('scheduler');
    cluster.runtime.restart('scheduler', cluster.now + 1_000);
    const tookMs = until(cluster, () => leads(cluster, 'scheduler'));
    expect(tookMs).toBeGreaterThanOrEqual(16_000);
    expect(tookMs).toBeLessThan(21_000);
    expect(leaseOf(cluster).holderIdentity).not.toBe(before);
  });
});

describe('a leader that cannot renew', () => {
  const cut = (cluster: Cluster, name: string): (() => void) =>
    cluster.addFaults({
      request: ({ by: { process } }) =>
        process === name
          ? {
              fail: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Timeout', message: 'cut off', code: 504 },
            }
          : undefined,
    });

  it('ends its process after the renew deadline, before another leads, and is restarted', () => {
    const { cluster, heard } = open();
    const heal = cut(cluster, 'scheduler');
    const died = until(cluster, () => !leads(cluster, 'scheduler'));
    expect(died).toBeGreaterThanOrEqual(10_000);
    expect(died).toBeLessThan(12_010);
    expect(leads(cluster, 'scheduler-1')).toBe(false);
    until(cluster, () => leads(cluster, 'scheduler-1'));
    heal();
    cluster.runUntil(cluster.now + 30_000);
    expect(
      heard
        .filter((one) => one.type === 'process' && one.process === 'scheduler' && one.at > cluster.startAt)
        .map((one) => one.type === 'process' && one.what),
    ).toEqual(['crashed', 'started']);
    expect([leads(cluster, 'scheduler'), leads(cluster, 'scheduler-1')]).toEqual([false, true]);
  });

  it('continues when the connection returns in time', () => {
    const { cluster } = open();
    const heal = cut(cluster, 'scheduler');
    cluster.runUntil(cluster.now + 6_000);
    heal();
    cluster.runUntil(cluster.now + 30_000);
    expect(leads(cluster, 'scheduler')).toBe(true);
    expect(leaseOf(cluster).leaseTransitions).toBe(0);
  });

  it('continues after another client wrote to its lease', () => {
    const { cluster } = open();
    cluster.request('test', {
      verb: 'patch',
      kind: 'Lease',
      namespace: 'orch-system',
      name: 'orch-scheduler',
      patchType: 'merge',
      body: { metadata: { labels: { touched: 'yes' } } },
    });
    cluster.runUntil(cluster.now + 30_000);
    expect(leads(cluster, 'scheduler')).toBe(true);
  });

  it('gives up a lease that names another holder', () => {
    const { cluster } = open();
    cluster.request('test', {
      verb: 'patch',
      kind: 'Lease',
      namespace: 'orch-system',
      name: 'orch-scheduler',
      patchType: 'merge',
      body: { spec: { holderIdentity: 'intruder' } },
    });
    expect(until(cluster, () => !leads(cluster, 'scheduler'))).toBeGreaterThan(9_900);
  });
});

describe('clocks', () => {
  it('that are skewed, or are set during a wait, make no takeover earlier', () => {
    for (const skew of [-3_600_000, 3_600_000]) {
      const { cluster } = open();
      cluster.runtime.addSkew('scheduler-1', skew);
      cluster.runUntil(cluster.now + 60_000);
      cluster.runtime.addSkew('scheduler-1', -skew);
      cluster.runUntil(cluster.now + 60_000);
      expect(leaseOf(cluster).leaseTransitions).toBe(0);
      cluster.runtime.crash('scheduler');
      expect(until(cluster, () => leads(cluster, 'scheduler-1'))).toBeGreaterThan(13_000);
    }
  });

  it('of a holder determine its times in the record, and it stays the holder', () => {
    const { cluster } = open();
    cluster.runtime.addSkew('scheduler', 3_600_000);
    cluster.runUntil(cluster.now + 60_000);
    expect(Date.parse(leaseOf(cluster).renewTime ?? '') - cluster.now).toBeGreaterThan(3_590_000);
    expect(leaseOf(cluster).leaseTransitions).toBe(0);
  });
});

describe('renewals without a watch', () => {
  const view = (cluster: Cluster) => ({ revision: cluster.store.revision, leases: [...cluster.store.values('Lease')] });

  it('are elided, with the same values as real ones', () => {
    const options: ClusterOptions = {
      controlPlane: { scheduler: { candidates: 2 }, controllerManager: { candidates: 2 } },
      nodes: [{ name: 'node-0', capacity: {} }],
      latency: { api: 3, watch: 1 },
    };
    const closed = open(options).cluster;
    const eager = open({ ...options, eagerLeases: true }).cluster;
    for (let i = 1; i <= 60; i++) {
      for (const cluster of [closed, eager]) {
        cluster.runUntil(cluster.startAt + i * 1_701);
        if (i === 15) cluster.runtime.crash('scheduler');
        if (i === 30) cluster.runtime.restart('scheduler', cluster.now);
        if (i === 35) cluster.runtime.stop('controller-manager');
        if (i === 50) cluster.runtime.stop('scheduler-1');
      }
      expect(view(closed)).toEqual(view(eager));
    }
    expect(holder(closed)).toBe('scheduler');
    expect(holder(closed, 'orch-system/orch-controller-manager')).toBe('controller-manager-1');
  });

  it('cost a leader without rivals nothing', () => {
    const { cluster } = open({ controlPlane: { scheduler: {} } });
    const steps = cluster.kernel.steps;
    const without = open({ controlPlane: {} }).cluster;
    const before = without.kernel.steps;
    for (const each of [cluster, without]) each.runUntil(each.startAt + 3_600_000);
    // An event of the election expires after its hour; nothing else differs.
    expect(cluster.kernel.steps - steps - (without.kernel.steps - before)).toBeLessThanOrEqual(2);
  });
});

describe('the older object of a lock', () => {
  it.each([
    ['leases', []],
    ['endpointsleases', ['Endpoints']],
    ['configmapsleases', ['ConfigMap']],
  ] as const)('of the kind %s is of the kind %j, names the holder, and lets it lead', (lock, kinds) => {
    const { cluster } = open({ controlPlane: { scheduler: { lock } } });
    const holders = ['Endpoints', 'ConfigMap'].flatMap((kind) => {
      const [text] = Object.values(cluster.store.get(kind, KEY)?.metadata.annotations ?? {});
      return text === undefined ? [] : [[kind, (JSON.parse(text) as { readonly holderIdentity: string }).holderIdentity]];
    });
    expect(leads(cluster, 'scheduler')).toBe(true);
    expect(holders).toEqual(kinds.map((kind) => [kind, leaseOf(cluster).holderIdentity]));
  });
});

describe('settings that cannot elect a leader', () => {
  it.each([
    [{ leaseDurationMs: 500, renewDeadlineMs: 300, retryPeriodMs: 100 }, 'leaseDurationMs: expected at least 1000, found 500'],
    [{ leaseDurationMs: Number.NaN }, 'leaseDurationMs: expected at least 1000, found NaN'],
    [{ renewDeadlineMs: 20_000 }, 'renewDeadlineMs: expected at most leaseDurationMs (15000), found 20000'],
    [{ retryPeriodMs: 0 }, 'retryPeriodMs: expected more than 0, found 0'],
    [{ retryPeriodMs: 9_000 }, 'renewDeadlineMs: expected more than 1.2 × retryPeriodMs (9000)'],
  ])('are refused when a cluster is created: %j', (settings, message) => {
    for (const name of ['controllerManager', 'scheduler'] as const) {
      expect(() => createCluster({ controlPlane: { [name]: { candidates: 2, settings } } })).toThrow(message);
      expect(() => createCluster({ controlPlane: { [name]: { candidates: 2, elect: false, settings } } })).not.toThrow();
    }
  });
});

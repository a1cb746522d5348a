import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStore } from '../../../src/apiserver/store/index.ts';
import { createCluster, type Cluster } from '../../../src/controlplane/cluster.ts';
import { RenewalElision } from '../../../src/controlplane/runtime/renewal-elision.ts';
import { Renewals, type Renewal } from '../../../src/controlplane/runtime/renewals.ts';
import { formatMicroTime } from '../../../src/schema/values/index.ts';

const nodes = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `node-${i}`, capacity: { cpu: '4' } }));
const start = (eagerLeases: boolean, count = 3): Cluster =>
  createCluster({ nodes: nodes(count), eagerLeases, latency: { api: 3, watch: 1 }, seed: 5 });

/** Everything that a reader can observe now. */
const view = (cluster: Cluster) => ({
  revision: cluster.store.revision,
  leases: [...cluster.store.values('Lease')],
  nodes: [...cluster.store.values('Node')],
  namespaces: [...cluster.store.values('Namespace')].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`),
});
const readyOf = (cluster: Cluster, node: string): string | undefined =>
  (
    cluster.store.get('Node', node) as { status?: { conditions?: { type: string; status: string }[] } } | undefined
  )?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
const make = (cluster: Cluster, name: string): void => {
  cluster.request('test', { verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } });
};

describe('leases without a watch', () => {
  it('cost nothing, and have the same values and revisions as with real renewals', () => {
    const closed = start(false);
    const eager = start(true);
    // 1.7 s apart: no two events at one instant, so that the order within an instant cannot differ.
    for (let i = 1; i <= 60; i++) {
      for (const cluster of [closed, eager]) {
        cluster.runUntil(cluster.startAt + i * 1701);
        if (i % 7 === 0) make(cluster, `n${i}`);
        if (i === 20) cluster.runtime.crash('agent/node-1');
        if (i === 50) cluster.runtime.restart('agent/node-1', cluster.now);
      }
      expect(view(closed)).toEqual(view(eager));
    }
    expect(closed.counters.commits).toBeLessThan(eager.counters.commits);
  });

  it('are renewed for real while there is a watch or a fault', () => {
    const closed = start(false);
    const eager = start(true);
    for (const cluster of [closed, eager]) {
      cluster.runUntil(cluster.startAt + 12_345);
      const lift = cluster.runtime.forbidElision();
      const before = cluster.counters.commits;
      cluster.runUntil(cluster.startAt + 45_678);
      expect(cluster.counters.commits - before).toBeGreaterThanOrEqual(9);
      lift();
      cluster.runUntil(cluster.startAt + 98_765);
    }
    expect(view(closed)).toEqual(view(eager));
  });

  it('are renewed by their holder when another client writes or deletes them', () => {
    const closed = start(false, 1);
    const eager = start(true, 1);
    const lease = { kind: 'Lease', namespace: 'orch-node-lease', name: 'node-0' };
    for (let i = 1; i <= 40; i++) {
      for (const cluster of [closed, eager]) {
        cluster.runUntil(cluster.startAt + i * 1701);
        if (i === 10)
          cluster.request('test', { verb: 'patch', ...lease, patchType: 'merge', body: { spec: { holderIdentity: 'somebody' } } });
        if (i === 20) cluster.request('test', { verb: 'delete', ...lease });
      }
      expect(view(closed)).toEqual(view(eager));
    }
    expect(closed.store.get('Lease', 'orch-node-lease/node-0')).toBeDefined();
  });

  it('make a silent node Unknown at the same instant', () => {
    const unknownAt = (eager: boolean, crashAfter: number): number => {
      const cluster = start(eager);
      cluster.runUntil(cluster.startAt - 49_500 + crashAfter);
      cluster.runtime.crash('agent/node-0');
      while (readyOf(cluster, 'node-0') !== 'Unknown')
        if (!cluster.step(cluster.startAt + 200_000)) throw new Error('it never fell silent');
      return cluster.now - cluster.startAt;
    };
    for (const crashAfter of [82_833, 51_000]) expect(unknownAt(false, crashAfter)).toBe(unknownAt(true, crashAfter));
    // A node that joins and becomes silent before its first elided renewal.
    const joined = (eager: boolean): number => {
      const cluster = start(eager, 1);
      cluster.request('test', {
        verb: 'create',
        kind: 'Node',
        body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'late', labels: { 'sim.orch.io/agent': 'true' } } },
      });
      cluster.runUntil(cluster.startAt + 2045);
      cluster.runtime.crash('agent/late');
      while (readyOf(cluster, 'late') !== 'Unknown') if (!cluster.step(cluster.startAt + 200_000)) throw new Error('it never fell silent');
      return cluster.now - cluster.startAt;
    };
    expect(joined(false)).toBe(joined(true));
  });

  it.each([-2, -1, 0, 1, 2, 3, 4, 5])('are as with real renewals where their holder is woken %i ms after it decides on one', (after) => {
    const [closed, eager] = [start(false, 1), start(true, 1)];
    eager.runUntil(eager.startAt + 20_000);
    const renewedAt = Date.parse(eager.store.get('Lease', 'orch-node-lease/node-0')?.spec.renewTime ?? '');
    for (const cluster of [closed, eager]) {
      cluster.runUntil(renewedAt + 10_000 + after - 1);
      // Its own node changes: the agent looks at it a millisecond later.
      cluster.request('test', {
        verb: 'patch',
        kind: 'Node',
        name: 'node-0',
        patchType: 'merge',
        body: { spec: { podCIDR: '10.1.0.0/24' } },
      });
    }
    for (const second of [0, 1, 9, 10, 11, 30]) {
      for (const cluster of [closed, eager]) cluster.runUntil(renewedAt + 10_007 + second * 1000);
      expect(view(closed)).toEqual(view(eager));
    }
  });

  it('make no kernel events while nothing else happens', () => {
    const cluster = start(false, 20);
    const steps = cluster.kernel.steps;
    cluster.runUntil(cluster.startAt + 240_000);
    // The rest is passes of collectors; 20 nodes would have renewed 480 times.
    expect(cluster.kernel.steps - steps).toBeLessThan(150);
  });
});

/** A store in which process p elides the renewals of lease ns/l: decided every 10 s, and there 3 ms later. */
function eliding() {
  const store = createStore();
  const clock = { now: 0 };
  const told: string[] = [];
  const elision = new RenewalElision({
    store,
    now: () => clock.now,
    onReal: ({ metadata }) => void told.push(`real ${metadata.resourceVersion}`),
    onDisturbed: (_, next) => void told.push(`disturbed, next ${next}`),
    enabled: true,
  });
  const commit = (kind: string, name: string, spec: object): void => {
    const metadata = { name, namespace: 'ns', uid: name, resourceVersion: String(store.revision + 1), creationTimestamp: '' };
    const by = { process: 'p', incarnation: 1, controller: 'c' };
    const change = {
      type: 'ADDED',
      kind,
      key: `ns/${name}`,
      object: { apiVersion: 'v1', kind, metadata, spec },
      at: clock.now,
      entry: 0,
    } as const;
    store.commit(change, { request: {} as never, by, causes: [] });
  };
  commit('Lease', 'l', { renewTime: formatMicroTime(0) });
  clock.now = 5;
  const elided = elision.start({
    process: 'p',
    controller: 'c',
    key: 'k',
    lease: 'ns/l',
    nextDecisionAt: 10_000,
    everyMs: 10_000,
    delayMs: 3,
    until: Infinity,
  });
  if (elided === undefined) throw new Error('it is not elided');
  const to = (now: number): void => {
    elision.advance(now);
    clock.now = now;
  };
  return { store, elision, elided, commit, to, told };
}

describe('an elided lease', () => {
  it('has the revision of its last renewal among any number of other commits', () => {
    const { store, commit, to } = eliding();
    for (let i = 1; i <= 9_000; i++) {
      const at = i * 20;
      to(at);
      commit('ConfigMap', `m${i}`, {});
      if (i % 600 !== 0) continue;
      const renewals = Math.floor((at - 3) / 10_000);
      const lease = store.get('Lease', 'ns/l');
      expect([store.revision, lease?.spec.renewTime, lease?.metadata.resourceVersion]).toEqual([
        2 + i + renewals,
        formatMicroTime(renewals * 10_000),
        String(2 + Math.floor((renewals * 10_000 + 3) / 20) + renewals),
      ]);
    }
  });

  it('is told as plain data, until it has been renewed for real', () => {
    const { elision, elided, to, told } = eliding();
    const writers = new Map([['ns/l', 'p']]);
    to(25_000);
    const lift = elision.forbid();
    expect(elision.describe()).toEqual([new Map([['ns/l', elided]]), new Map(), writers, 1]);
    lift();
    expect([elision.stop(elided), told]).toEqual([30_000, ['real 4']]);
    expect(elision.describe()).toEqual([new Map(), new Map([['ns/l', 20_003]]), writers, 0]);
  });
});

describe('elided renewals', () => {
  it('equal a list of all renewals in count and order', () => {
    const plan = fc.array(
      fc.record({
        firstIn: fc.integer({ min: 1, max: 10 }),
        everyMs: fc.constantFrom(10, 20),
        at: fc.integer({ min: 0, max: 60 }),
        endsAt: fc.integer({ min: 1, max: 120 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 130 }), (plans, until) => {
        const renewals = new Renewals();
        const made: { renewal: Renewal; endsAt: number }[] = [];
        const listed: { at: number; order: number }[] = [];
        let total = 0;
        for (let now = 0; now <= until; now++) {
          if (now > 0) total += renewals.between(now - 1, now);
          for (const { renewal, endsAt } of made)
            if (endsAt > now - 1 && now >= renewal.firstAt && (now - renewal.firstAt) % renewal.everyMs === 0 && endsAt >= now)
              listed.push({ at: now, order: renewal.order });
          for (const one of made) if (one.endsAt === now) renewals.remove(one.renewal, now);
          plans.forEach(({ firstIn, everyMs, at, endsAt }, i) => {
            if (at !== now || endsAt <= at) return;
            const renewal = { firstAt: now + firstIn, everyMs, order: i + 1 };
            renewals.add(renewal, now);
            made.push({ renewal, endsAt });
          });
        }
        expect(total).toBe(listed.length);
        for (const { renewal, endsAt } of made) {
          if (endsAt <= until || until < renewal.firstAt) continue;
          const last = renewal.firstAt + Math.floor((until - renewal.firstAt) / renewal.everyMs) * renewal.everyMs;
          expect(renewals.after(renewal, last, until)).toBe(
            listed.filter(({ at, order }) => at > last || (at === last && order > renewal.order)).length,
          );
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

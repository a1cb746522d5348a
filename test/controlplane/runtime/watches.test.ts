/** Deliveries of a watch: every change, in order, once, and only to processes that it concerns. */
import { describe, expect, it } from 'vitest';
import { watchOnly, watch, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { about, making, START, world } from './config-maps.ts';

describe('a watch', () => {
  it('delivers changes in order with random latencies', () => {
    const { cluster, make, set, pass, deliveries, cached } = world(about(), { latency: { api: 0, watch: { min: 1, max: 100 } } });
    make('a');
    for (let n = 1; n <= 20; n++) set('a', `v${n}`);
    pass(2_000);
    expect(deliveries()).toEqual(['ADDED a', ...Array.from({ length: 20 }, () => 'MODIFIED a')]);
    expect(cached('a')).toBe(cluster.store.get('ConfigMap', 'default/a'));
  });

  it('keeps that order with any choice among the events of one instant', () => {
    // The newest first: a change that is overtaken would be taken for outdated, and the stream would deliver nothing after it.
    const { make, pass, deliveries } = world(about(), { choose: (candidates) => candidates.length - 1 });
    for (const name of ['a', 'b', 'c']) make(name);
    pass(100);
    expect(deliveries()).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  });

  it('offers no choice about writing a recorded event', () => {
    const offered = new Set<string>();
    const event = { reason: 'Seen', message: 'it was seen', type: 'Normal' } as const;
    const { make, pass, seen } = world(
      about({ reconcile: ({ self }) => ({ why: 'it tells', writes: [{ op: 'event', event: { about: self, ...event } }] }) }),
      {
        choose: (candidates) => {
          for (const candidate of candidates) offered.add(candidate.event.type);
          return 0;
        },
      },
    );
    for (const name of ['a', 'b', 'c']) make(name);
    pass(1_000);
    expect(seen.filter((one) => one.type === 'write' && one.change.kind === 'Event')).toHaveLength(3);
    expect(offered.has('reconcile')).toBe(true);
    expect(offered.has('emit')).toBe(false);
  });

  it('delivers a change at its own time, although a relist has cancelled an earlier delivery', () => {
    const { make, pass, relist, cached } = world(about());
    make('old');
    pass(20);
    relist();
    expect(cached('old')).toBeDefined();
    make('new');
    pass(40);
    expect(cached('new')).toBeUndefined();
    pass(10);
    expect(cached('new')).toBeDefined();
  });

  it('delivers nothing that a relist has shown: a cache never goes back in time', () => {
    const { make, set, pass, relist, cached, deliveries } = world(about());
    make('a');
    set('a', 'newer');
    relist();
    pass(50);
    expect(deliveries()).toEqual(['ADDED a']);
    expect(cached('a')?.data).toEqual({ value: 'newer' });
  });

  it('delivers a deletion for an object that a relist does not contain', () => {
    const absent: string[] = [];
    const heard: string[] = [];
    const { make, drop, pass, relist, cached } = world(
      about({
        observe: ({ type, key }) => {
          heard.push(`${type} ${key}`);
        },
        reconcileAbsent: ({ key }) => {
          absent.push(key);
          return { why: 'it is gone', writes: [] };
        },
      }),
    );
    make('a');
    pass(50);
    heard.length = 0;
    drop('a');
    relist();
    expect(cached('a')).toBeUndefined();
    pass(0);
    expect(heard).toEqual(['DELETED default/a']);
    expect(absent).toEqual(['default/a']);
  });

  it('delivers nothing to a process that has crashed meanwhile, nor to its next incarnation', () => {
    const heard: string[] = [];
    const { cluster, make, pass, crash, deliveries } = world(
      about({
        observe: ({ type, key }) => {
          heard.push(`${type} ${key}`);
        },
      }),
    );
    heard.length = 0;
    make('a');
    crash();
    pass(60);
    expect(deliveries()).toEqual([]);
    expect(heard).toEqual([]);
    cluster.runtime.restart('controller-manager', cluster.now);
    pass(60);
    // Listed once, and not delivered again.
    expect(heard.filter((one) => one.endsWith('default/a'))).toEqual(['ADDED default/a']);
  });

  it('with owners in its predicate delivers no other objects', () => {
    const { make, pass, decisions } = world(about({ self: { predicate: { owners: ['Job'] } } }));
    const owner = { apiVersion: 'batch/v1', name: 'x', uid: 'x', controller: true };
    make('of-a-job', { ownerReferences: [{ ...owner, kind: 'Job' }] });
    make('of-a-set', { ownerReferences: [{ ...owner, kind: 'ReplicaSet' }] });
    make('of-nobody');
    pass(100);
    expect([decisions('of-a-job').length, decisions('of-a-set').length, decisions('of-nobody').length]).toEqual([1, 0, 0]);
  });

  it('that is closed satisfies expectations: an elector that stops decides with its writes observed', () => {
    const decided: string[] = [];
    const elector: Controller = {
      name: 'elector',
      writes: ['ConfigMap'],
      watches: [watch('ConfigMap', watchOnly)],
      startKeys: () => ['me'],
      stop: () => ['me'],
      reconcile: ({ expectationsSatisfied, now }) => {
        decided.push(`${expectationsSatisfied}`);
        if (decided.length === 1) return { why: 'it leads', writes: [], process: 'lead', wakeAt: now + 5 };
        if (decided.length === 2) return { why: 'it says so', writes: [making('held')] };
        return { why: 'it lets go', writes: [], process: 'stop' };
      },
    };
    const { cluster, pass, stored } = world(about());
    cluster.runtime.add({ name: 'second', elector, controllers: [] });
    pass(10);
    expect(stored('held')).toBeDefined();
    cluster.runtime.stop('second');
    pass(0);
    // Its watch would have shown the write 50 ms after it was made.
    expect(cluster.now).toBe(START + 10);
    expect(decided).toEqual(['true', 'true', 'true']);
    expect(cluster.runtime.process('second')?.up).toBe(false);
  });
});

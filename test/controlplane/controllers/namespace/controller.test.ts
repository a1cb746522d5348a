import { describe, expect, it } from 'vitest';
import type { Namespace } from '../../../../src/apiserver/kinds/index.ts';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';

interface Seen {
  readonly at: number;
  readonly what: string;
}

function open(options: { readonly watch?: number } = {}): { readonly cluster: Cluster; readonly seen: Seen[] } {
  const cluster = createCluster({
    seed: 2,
    nodes: [{ name: 'node-0', capacity: { cpu: '4' } }],
    latency: { api: 5, watch: options.watch ?? 1 },
  });
  const seen: Seen[] = [];
  cluster.store.onChange(({ kind, type, key, object, previous, at }) => {
    if (kind === 'Namespace' ? key !== 'team' : object.metadata.namespace !== 'team') return;
    const marked =
      type === 'MODIFIED' && previous?.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined;
    seen.push({ at: (at - cluster.startAt) / 1000, what: `${marked ? 'MARKED' : type} ${kind} ${object.metadata.name}` });
  });
  create(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  return { cluster, seen };
}
const create = (
  cluster: Cluster,
  body: { readonly apiVersion: string; readonly kind: string; readonly metadata: object; readonly [field: string]: unknown },
): void => {
  const { namespace } = body.metadata as { readonly namespace?: string };
  const answer = cluster.request('test', { verb: 'create', kind: body.kind, ...(namespace === undefined ? {} : { namespace }), body });
  if (!answer.ok) throw new Error(answer.status.message);
};
const remove = (cluster: Cluster): void => {
  cluster.request('test', { verb: 'delete', kind: 'Namespace', name: 'team' });
};
const to = (cluster: Cluster, seconds: number): void => cluster.runUntil(cluster.startAt + seconds * 1000);
const namespaceOf = (cluster: Cluster): Namespace | undefined => cluster.store.get('Namespace', 'team');
const configMap = (name: string, finalizers?: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'team', name, ...(finalizers === undefined ? {} : { finalizers }) },
});

describe('a namespace that is deleted', () => {
  it('waits for five seconds, is emptied, then gone, without any condition', () => {
    const { cluster, seen } = open();
    create(cluster, configMap('a'));
    to(cluster, 1);
    remove(cluster);
    to(cluster, 20);
    const after = seen.filter(({ at, what }) => at > 1 || what.startsWith('MARKED'));
    expect(after[0]).toEqual({ at: 1, what: 'MARKED Namespace team' });
    for (const { at, what } of after.slice(1)) expect(at, what).toBeGreaterThan(6);
    expect(
      after
        .slice(1)
        .map(({ what }) => what)
        .toSorted(),
    ).toEqual(['DELETED ConfigMap a', 'DELETED ConfigMap orch-root-ca.crt', 'DELETED Namespace team', 'DELETED ServiceAccount default']);
    expect(after.at(-1)).toMatchObject({ what: 'DELETED Namespace team' });
    expect(after.at(-1)?.at).toBeLessThan(6.2);
  });

  it('is deleted with its events and leases', () => {
    const { cluster } = open();
    create(cluster, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'team', name: 'p' },
      spec: { containers: [{ name: 'c', image: 'c:1' }] },
    });
    create(cluster, { apiVersion: 'coordination.orch.io/v1', kind: 'Lease', metadata: { namespace: 'team', name: 'lock' } });
    to(cluster, 2);
    expect(cluster.store.countBy('Event', 'namespace', 'team')).toBeGreaterThan(0);
    remove(cluster);
    to(cluster, 60);
    expect(namespaceOf(cluster)).toBeUndefined();
    for (const kind of ['Event', 'Lease', 'Pod']) expect(cluster.store.countBy(kind, 'namespace', 'team'), kind).toBe(0);
  });

  it('reports what holds it, retries after 5, 5 and 8 s, and is gone at the next attempt after that', () => {
    const { cluster, seen } = open();
    create(cluster, configMap('held', ['a.b/c']));
    to(cluster, 2);
    remove(cluster);
    to(cluster, 8);
    expect(
      namespaceOf(cluster)
        ?.status.conditions?.filter(({ status }) => status === 'True')
        .map(({ type }) => type),
    ).toEqual(['NamespaceContentRemaining', 'NamespaceFinalizersRemaining']);
    to(cluster, 14);
    cluster.request('test', {
      verb: 'patch',
      kind: 'ConfigMap',
      namespace: 'team',
      name: 'held',
      patchType: 'merge',
      body: { metadata: { finalizers: null } },
    });
    to(cluster, 40);
    const gone = seen.find(({ what }) => what === 'DELETED Namespace team');
    // The same sequence was recorded at 20.155 s.
    expect(gone?.at).toBeGreaterThan(20);
    expect(gone?.at).toBeLessThan(20.5);
    expect(seen.filter(({ what }) => what === 'MODIFIED Namespace team').length).toBe(2);
  });

  it("keeps finalizers that are not its controller's", () => {
    const { cluster } = open();
    create(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'double' }, spec: { finalizers: ['example.com/mine'] } });
    cluster.request('test', { verb: 'delete', kind: 'Namespace', name: 'double' });
    to(cluster, 30);
    expect((cluster.store.get('Namespace', 'double') as Namespace | undefined)?.spec.finalizers).toEqual(['example.com/mine']);
  });

  it('is emptied with a lagging cache too, without additional attempts', () => {
    const { cluster } = open({ watch: 4_000 });
    create(cluster, configMap('a'));
    to(cluster, 10);
    remove(cluster);
    const before = cluster.counters.reconciles;
    to(cluster, 60);
    expect(namespaceOf(cluster)).toBeUndefined();
    expect(cluster.counters.reconciles - before).toBeLessThan(400);
  });
});

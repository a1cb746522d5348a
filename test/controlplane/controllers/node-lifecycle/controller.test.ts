import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';

const nodes = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `node-${i}`, capacity: { cpu: '4' } }));
const open = (count: number): Cluster => createCluster({ nodes: nodes(count), latency: { api: 5, watch: 1 }, seed: 4 });
const nodeOf = (cluster: Cluster, name: string): Node => cluster.store.get('Node', name) as Node;
const readiness = (cluster: Cluster, name: string): string | undefined =>
  nodeOf(cluster, name).status.conditions?.find(({ type }) => type === 'Ready')?.status;
const taints = (cluster: Cluster, name: string): readonly string[] =>
  (nodeOf(cluster, name).spec.taints ?? []).map(({ key, effect }) => `${key.replace('node.orch.io/', '')} ${effect}`).toSorted();
const events = (cluster: Cluster, reason: string): readonly string[] =>
  [...cluster.store.values('Event')].filter((event) => event['reason'] === reason).map((event) => String(event['message']));
/** Runs until a condition holds; returns the seconds since the start. */
const until = (cluster: Cluster, holds: () => boolean, bySeconds: number): number => {
  while (!holds()) if (!cluster.step(cluster.startAt + bySeconds * 1000)) throw new Error('it never came about');
  return (cluster.now - cluster.startAt) / 1000;
};
const to = (cluster: Cluster, seconds: number): void => cluster.runUntil(cluster.startAt + seconds * 1000);
const addPod = (cluster: Cluster, name: string, nodeName: string): void => {
  cluster.request('test', {
    verb: 'create',
    kind: 'Pod',
    namespace: 'default',
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default' },
      spec: { nodeName, containers: [{ name: 'c', image: 'c:1' }] },
    },
  });
};
const podReady = (cluster: Cluster, name: string): string | undefined =>
  (cluster.store.get('Pod', `default/${name}`) as Pod).status.conditions?.find(({ type }) => type === 'Ready')?.status;

describe('a silent node', () => {
  it('becomes Unknown after 40 s, gets no new pods at once, and is tainted for eviction at the next pass', () => {
    const cluster = open(3);
    addPod(cluster, 'web', 'node-0');
    to(cluster, 3);
    cluster.runtime.crash('agent/node-0');
    const unknownAt = until(cluster, () => readiness(cluster, 'node-0') === 'Unknown', 60);
    expect(unknownAt).toBeGreaterThan(35);
    const shutAt = until(cluster, () => taints(cluster, 'node-0').includes('unreachable NoSchedule'), 60);
    expect(shutAt - unknownAt).toBeLessThan(0.05);
    expect(taints(cluster, 'node-0')).toEqual(['unreachable NoSchedule']);
    expect(podReady(cluster, 'web')).toBe('False');
    const evictAt = until(cluster, () => taints(cluster, 'node-0').includes('unreachable NoExecute'), 60);
    expect(evictAt - unknownAt).toBeGreaterThan(5.05);
    expect(evictAt - unknownAt).toBeLessThan(5.15);
    expect(events(cluster, 'NodeNotReady')).toEqual(['Node node-0 status is now: NodeNotReady', 'Node is not ready']);
    expect(
      nodeOf(cluster, 'node-0')
        .status.conditions?.filter(({ status }) => status === 'Unknown')
        .map(({ type, reason, message }) => `${type} ${reason ?? ''}: ${message ?? ''}`),
    ).toContain('Ready NodeStatusUnknown: Agent stopped posting node status.');
  });

  it('is tainted at the same times where requests take no time', () => {
    const cluster = createCluster({ nodes: nodes(3), seed: 4 });
    cluster.runtime.crash('agent/node-0');
    const unknownAt = until(cluster, () => readiness(cluster, 'node-0') === 'Unknown', 60);
    expect(until(cluster, () => taints(cluster, 'node-0').includes('unreachable NoExecute'), 60) - unknownAt).toBeCloseTo(5.1, 3);
  });

  it('loses its taints when it is back: NoSchedule at once, NoExecute at the next pass', () => {
    const cluster = open(3);
    cluster.runtime.crash('agent/node-0');
    to(cluster, 58);
    expect(taints(cluster, 'node-0')).toEqual(['unreachable NoExecute', 'unreachable NoSchedule']);
    cluster.runtime.restart('agent/node-0', cluster.now);
    const openAt = until(cluster, () => !taints(cluster, 'node-0').includes('unreachable NoSchedule'), 59);
    expect(openAt - 58).toBeLessThan(0.1);
    expect(taints(cluster, 'node-0')).toEqual(['unreachable NoExecute']);
    expect(until(cluster, () => taints(cluster, 'node-0').length === 0, 64) - openAt).toBeGreaterThan(0.1);
  });

  it('has its pods reported ready again by its agent within a minute', () => {
    const cluster = open(3);
    addPod(cluster, 'web', 'node-0');
    to(cluster, 3);
    cluster.runtime.crash('agent/node-0');
    to(cluster, 60);
    expect(podReady(cluster, 'web')).toBe('False');
    cluster.runtime.restart('agent/node-0', cluster.now);
    to(cluster, 75);
    expect(podReady(cluster, 'web')).toBe('False');
    expect(until(cluster, () => podReady(cluster, 'web') === 'True', 130)).toBeLessThan(121);
  });
});

describe('a node that reports NotReady', () => {
  const setReady = (cluster: Cluster, name: string, ready: boolean): void => {
    cluster.world.machine(name).ready = ready;
    cluster.runtime.enqueue(`agent/${name}`, 'node-registration', name);
  };

  it('gets no new pods at once, is tainted for eviction at the next pass, and its pods keep their readiness', () => {
    const cluster = open(3);
    addPod(cluster, 'web', 'node-0');
    to(cluster, 3.3);
    setReady(cluster, 'node-0', false);
    expect(until(cluster, () => taints(cluster, 'node-0').includes('not-ready NoSchedule'), 4) - 3.3).toBeLessThan(0.05);
    const evictAt = until(cluster, () => taints(cluster, 'node-0').includes('not-ready NoExecute'), 12);
    expect(evictAt - 3.3).toBeLessThan(5.2);
    expect(podReady(cluster, 'web')).toBe('True');
    expect(events(cluster, 'NodeNotReady')).toEqual([]);
    setReady(cluster, 'node-0', true);
    until(cluster, () => taints(cluster, 'node-0').length === 0, 20);
  });

  it('and then becomes silent gets the other taint', () => {
    const cluster = open(3);
    to(cluster, 3.3);
    setReady(cluster, 'node-0', false);
    to(cluster, 15);
    cluster.runtime.crash('agent/node-0');
    until(cluster, () => taints(cluster, 'node-0').includes('unreachable NoExecute'), 75);
    expect(taints(cluster, 'node-0')).toEqual(['unreachable NoExecute', 'unreachable NoSchedule']);
  });
});

describe('many nodes', () => {
  it('are tainted one in ten seconds', () => {
    const cluster = open(10);
    for (const name of ['node-0', 'node-1', 'node-2']) cluster.runtime.crash(`agent/${name}`);
    const at: number[] = [];
    for (let k = 1; k <= 3; k++)
      at.push(
        until(cluster, () => [0, 1, 2].filter((i) => taints(cluster, `node-${i}`).includes('unreachable NoExecute')).length >= k, 120),
      );
    expect(Math.round((at[1] ?? 0) - (at[0] ?? 0))).toBe(10);
    expect(Math.round((at[2] ?? 0) - (at[1] ?? 0))).toBe(10);
  });

  it('most of a small zone: no eviction', () => {
    const cluster = open(5);
    for (const name of ['node-0', 'node-1', 'node-2']) cluster.runtime.crash(`agent/${name}`);
    to(cluster, 300);
    for (const name of ['node-0', 'node-1', 'node-2']) expect(taints(cluster, name)).toEqual(['unreachable NoSchedule']);
    cluster.runtime.restart('agent/node-2', cluster.now);
    until(
      cluster,
      () => taints(cluster, 'node-0').includes('unreachable NoExecute') && taints(cluster, 'node-1').includes('unreachable NoExecute'),
      360,
    );
  });

  it('all of them: taints are removed, and added again when one is back', () => {
    const cluster = open(2);
    cluster.runtime.crash('agent/node-0');
    until(cluster, () => taints(cluster, 'node-0').includes('unreachable NoExecute'), 60);
    cluster.runtime.crash('agent/node-1');
    until(cluster, () => readiness(cluster, 'node-1') === 'Unknown', 120);
    to(cluster, 115);
    expect([taints(cluster, 'node-0'), taints(cluster, 'node-1')]).toEqual([['unreachable NoSchedule'], ['unreachable NoSchedule']]);
    cluster.runtime.restart('agent/node-1', cluster.now);
    until(cluster, () => taints(cluster, 'node-0').includes('unreachable NoExecute'), 150);
    expect(taints(cluster, 'node-1')).toEqual([]);
  });
});

describe('events of a pass', () => {
  it('report added and removed nodes, once each', () => {
    const cluster = open(1);
    expect(events(cluster, 'RegisteredNode')).toEqual(['Node node-0 event: Registered Node node-0 in Controller']);
    cluster.runtime.crash('agent/node-0');
    cluster.request('test', { verb: 'delete', kind: 'Node', name: 'node-0' });
    to(cluster, 20);
    expect(events(cluster, 'RemovingNode')).toEqual(['Node node-0 event: Removing Node node-0 from Controller']);
    expect([...cluster.store.values('Event')].find(({ reason }) => reason === 'RemovingNode')).toMatchObject({
      involvedObject: { kind: 'Node', name: 'node-0', apiVersion: 'v1' },
      source: { component: 'node-controller' },
    });
  });
});

it('are absent while all nodes are healthy', () => {
  const cluster = open(30);
  to(cluster, 10);
  const before = cluster.counters.reconciles;
  to(cluster, 250);
  // Agents sync their five-minute reports; none of 720 renewals wakes node-lifecycle.
  expect(cluster.counters.reconciles - before).toBeLessThan(150);
});

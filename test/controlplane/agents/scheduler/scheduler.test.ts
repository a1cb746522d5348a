import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster, type ClusterOptions } from '../../../../src/controlplane/cluster.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { PodCondition } from '../../../../src/apiserver/machinery/index.ts';
import type { SchedulerState } from '../../../../src/controlplane/agents/scheduler/state.ts';

type Json = Record<string, unknown>;
const ADMIN = { name: 'admin', groups: ['system:masters'] };

/** Nodes without agents: they exist only as objects. */
function clusterOf(nodes: number, options: ClusterOptions = {}, cpu = '4'): Cluster {
  const cluster = createCluster({ controllers: () => [], ...options });
  for (let i = 1; i <= nodes; i++) addNode(cluster, `n${i}`, cpu);
  return cluster;
}
const ask = (cluster: Cluster, request: Json) => cluster.request('test', { user: ADMIN, ...request } as never);
function addNode(cluster: Cluster, name: string, cpu = '4'): void {
  const status = { capacity: { cpu, memory: '8Gi', pods: '110' } };
  ask(cluster, {
    verb: 'create',
    kind: 'Node',
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'orch.io/hostname': name } }, status },
  });
  ask(cluster, { verb: 'patch', kind: 'Node', name, patchType: 'merge', body: { spec: { taints: null } } });
}
function addPod(cluster: Cluster, name: string, spec: Json = {}, labels: Json = {}): void {
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels },
    spec: { containers: [{ name: 'c', image: 'img', resources: { requests: { cpu: '1' } } }], ...spec },
  };
  const response = ask(cluster, { verb: 'create', kind: 'Pod', namespace: 'default', body });
  if (!response.ok) throw new Error(response.status.message);
}
const podOf = (cluster: Cluster, name: string): Pod | undefined => cluster.store.get('Pod', `default/${name}`);
const nodeOf = (cluster: Cluster, name: string): string | undefined => podOf(cluster, name)?.spec.nodeName;
const conditionOf = (cluster: Cluster, name: string): PodCondition | undefined =>
  podOf(cluster, name)?.status.conditions?.find(({ type }) => type === 'PodScheduled');
const bindTo = (cluster: Cluster, name: string, node: string): void =>
  void ask(cluster, {
    verb: 'create',
    kind: 'Pod',
    namespace: 'default',
    name,
    subresource: 'binding',
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: node } },
  });
const remove = (cluster: Cluster, kind: string, name: string): void =>
  void ask(cluster, { verb: 'delete', kind, name, ...(kind === 'Pod' ? { namespace: 'default', gracePeriodSeconds: 0 } : {}) });
const stateOf = (cluster: Cluster): SchedulerState =>
  cluster.runtime.process('scheduler')?.running.get('scheduler')?.state as SchedulerState;
const run = (cluster: Cluster, ms: number): void => cluster.runUntil(cluster.now + ms);
const eventsOf = (cluster: Cluster, reason: string): readonly string[] =>
  ([...cluster.store.values('Event')] as unknown as { reason: string; message: string }[])
    .filter((event) => event.reason === reason)
    .map(({ message }) => message);

/** The scheduler's cache must equal the contents of the store. */
function expectTruth(cluster: Cluster): void {
  const { model } = stateOf(cluster);
  const pods = [...cluster.store.values('Pod')] as unknown as Pod[];
  for (const {
    metadata: { name },
  } of cluster.store.values('Node')) {
    const there = pods.filter(({ spec, status }) => spec.nodeName === name && status.phase !== 'Succeeded' && status.phase !== 'Failed');
    const info = model.node(name);
    expect([...(info?.pods.values() ?? [])].map(({ key }) => key).sort(), name).toEqual(
      there.map(({ metadata }) => `default/${metadata.name}`).sort(),
    );
    expect(info?.requested.milliCpu, name).toBe(there.length * 1000);
  }
}

describe('placing', () => {
  it('binds, with an event', () => {
    const cluster = clusterOf(2);
    addPod(cluster, 'p');
    run(cluster, 10);
    expect(nodeOf(cluster, 'p')).toMatch(/^n[12]$/);
    expect(conditionOf(cluster, 'p')).toMatchObject({ status: 'True' });
    expect(eventsOf(cluster, 'Scheduled')).toEqual([`Successfully assigned default/p to ${nodeOf(cluster, 'p') ?? ''}`]);
    expectTruth(cluster);
  });

  it('gives the better nodes to pods of higher priority that arrive together', () => {
    const cluster = clusterOf(1, {}, '3');
    for (const [i, priority] of [0, 5, 1, 9, 3].entries()) {
      ask(cluster, {
        verb: 'create',
        kind: 'PriorityClass',
        body: { apiVersion: 'scheduling.orch.io/v1', kind: 'PriorityClass', metadata: { name: `c${priority}` }, value: priority },
      });
      addPod(cluster, `p${i}`, cluster.kinds.byKind('PriorityClass') === undefined ? { priority } : { priorityClassName: `c${priority}` });
    }
    const order: string[] = [];
    stateOf(cluster).onAttempt = ({ info }) => {
      order.push(info.pod.metadata.name);
    };
    run(cluster, 10);
    const priorities = order.map((name) => podOf(cluster, name)?.spec.priority ?? 0);
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    expect(order).toHaveLength(5);
  });

  it('draws ties evenly, and the same way for the same seed', () => {
    const sequence = (seed: number): readonly string[] => {
      const cluster = clusterOf(3, { seed });
      const nodes: string[] = [];
      for (let i = 0; i < 300; i++) {
        addPod(cluster, 'p');
        // As fast as the rate of its client allows.
        run(cluster, 20);
        nodes.push(nodeOf(cluster, 'p') ?? '');
        remove(cluster, 'Pod', 'p');
        run(cluster, 1);
      }
      return nodes;
    };
    const nodes = sequence(1);
    for (const name of ['n1', 'n2', 'n3']) expect(nodes.filter((node) => node === name).length).toBeGreaterThan(70);
    expect(sequence(1)).toEqual(nodes);
    expect(sequence(2)).not.toEqual(nodes);
  });

  it('leaves pods of other schedulers alone', () => {
    const cluster = clusterOf(1);
    addPod(cluster, 'p', { schedulerName: 'mine' });
    run(cluster, 1000);
    expect(nodeOf(cluster, 'p')).toBeUndefined();
    expect(conditionOf(cluster, 'p')).toBeUndefined();
  });

  it('frees the resources of finished pods', () => {
    const cluster = clusterOf(1, {}, '1');
    addPod(cluster, 'a');
    run(cluster, 10);
    addPod(cluster, 'b');
    run(cluster, 2000);
    expect(conditionOf(cluster, 'b')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    });
    ask(cluster, {
      verb: 'patch',
      kind: 'Pod',
      namespace: 'default',
      name: 'a',
      subresource: 'status',
      patchType: 'merge',
      body: { status: { phase: 'Succeeded' } },
    });
    run(cluster, 10);
    expect(nodeOf(cluster, 'b')).toBe('n1');
    expectTruth(cluster);
  });

  it('counts an unbindable pod as waiting only when something could help it', () => {
    const cluster = clusterOf(1, {}, '1');
    addPod(cluster, 'p', { nodeSelector: { a: 'b' } });
    run(cluster, 10);
    expect(cluster.runUntilSettled(cluster.now + 60_000)).toBe(true);
    addNode(cluster, 'n2');
    run(cluster, 2000);
    expect(nodeOf(cluster, 'p')).toBeUndefined();
    ask(cluster, { verb: 'patch', kind: 'Node', name: 'n2', patchType: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    run(cluster, 2000);
    expect(nodeOf(cluster, 'p')).toBe('n2');
  });
});

describe('when the cluster changes meanwhile', () => {
  const SLOW = { latency: { api: 20, watch: 5 } } as const;

  it('accepts a binding that another client made first', () => {
    const cluster = clusterOf(2, SLOW);
    run(cluster, 100);
    addPod(cluster, 'p');
    run(cluster, 10);
    bindTo(cluster, 'p', 'n2');
    run(cluster, 5000);
    expect(nodeOf(cluster, 'p')).toBe('n2');
    expectTruth(cluster);
  });

  it('forgets a pod that is gone before it is bound', () => {
    const cluster = clusterOf(1, SLOW, '1');
    run(cluster, 100);
    addPod(cluster, 'p');
    run(cluster, 10);
    remove(cluster, 'Pod', 'p');
    addPod(cluster, 'q');
    run(cluster, 5000);
    expect(nodeOf(cluster, 'q')).toBe('n1');
    expectTruth(cluster);
  });

  it('does not mistake a later pod of the same name for the one it placed', () => {
    const cluster = clusterOf(2, SLOW, '1');
    run(cluster, 100);
    addPod(cluster, 'p');
    run(cluster, 10);
    remove(cluster, 'Pod', 'p');
    addPod(cluster, 'p', { nodeSelector: { 'orch.io/hostname': 'n2' } });
    run(cluster, 5000);
    expect(nodeOf(cluster, 'p')).toBe('n2');
    expectTruth(cluster);
  });

  it('retries after a failed binding, with back-off', () => {
    const cluster = clusterOf(1);
    let failures = 0;
    cluster.addFaults({
      request: ({ request }) =>
        'subresource' in request && request.subresource === 'binding' && failures++ < 2
          ? {
              fail: {
                kind: 'Status',
                apiVersion: 'v1',
                metadata: {},
                status: 'Failure',
                message: 'try later',
                reason: 'InternalError',
                code: 500,
              },
            }
          : undefined,
    });
    addPod(cluster, 'p');
    run(cluster, 10);
    expect(conditionOf(cluster, 'p')).toMatchObject({
      status: 'False',
      reason: 'SchedulerError',
      message: 'binding rejected: running Bind plugin "DefaultBinder": try later',
    });
    run(cluster, 4500);
    expect(failures).toBe(3);
    expect(nodeOf(cluster, 'p')).toBe('n1');
    expectTruth(cluster);
  });

  it('relies on the watch when a response was lost', () => {
    const cluster = clusterOf(1, { latency: { api: 1, watch: 50 } });
    run(cluster, 200);
    let lost = 0;
    cluster.addFaults({
      request: ({ request }) =>
        'subresource' in request && request.subresource === 'binding' && lost++ === 0 ? { loseResponse: true } : undefined,
    });
    addPod(cluster, 'p');
    run(cluster, 5000);
    expect(lost).toBe(1);
    expect(nodeOf(cluster, 'p')).toBe('n1');
    expectTruth(cluster);
  });

  it('wakes other pods when a failed binding frees its resources', () => {
    const cluster = clusterOf(1, { latency: { api: 20, watch: 0 } }, '1');
    run(cluster, 100);
    let failing = true;
    cluster.addFaults({
      request: ({ request }) =>
        failing && 'subresource' in request && request.subresource === 'binding'
          ? { fail: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'no', reason: 'Forbidden', code: 403 } }
          : undefined,
    });
    addPod(cluster, 'a');
    addPod(cluster, 'b');
    run(cluster, 100);
    remove(cluster, 'Pod', 'a');
    failing = false;
    run(cluster, 3000);
    expect(nodeOf(cluster, 'b')).toBe('n1');
    expectTruth(cluster);
  });

  it('restarts from the existing objects', () => {
    const cluster = clusterOf(2, {}, '2');
    for (const name of ['a', 'b', 'c', 'd', 'e']) addPod(cluster, name);
    run(cluster, 10);
    cluster.runtime.crash('scheduler');
    remove(cluster, 'Pod', 'a');
    remove(cluster, 'Pod', 'e');
    addPod(cluster, 'f');
    cluster.runtime.restart('scheduler', cluster.now + 1000);
    run(cluster, 2000);
    expect(nodeOf(cluster, 'f')).toBeDefined();
    expectTruth(cluster);
  });

  it('forgets nodes that are deleted', () => {
    const cluster = clusterOf(2);
    addPod(cluster, 'a');
    run(cluster, 10);
    remove(cluster, 'Node', nodeOf(cluster, 'a') ?? '');
    run(cluster, 10);
    for (const name of ['b', 'c']) addPod(cluster, name);
    run(cluster, 10);
    expect(new Set([nodeOf(cluster, 'b'), nodeOf(cluster, 'c')])).toEqual(new Set([nodeOf(cluster, 'a') === 'n1' ? 'n2' : 'n1']));
    remove(cluster, 'Node', nodeOf(cluster, 'b') ?? '');
    addPod(cluster, 'd');
    run(cluster, 10);
    expect(conditionOf(cluster, 'd')).toMatchObject({ message: 'no nodes available to schedule pods' });
    addNode(cluster, 'n9');
    run(cluster, 2000);
    expect(nodeOf(cluster, 'd')).toBe('n9');
  });

  it('preempts pods of lower priority and waits for their end', () => {
    const cluster = clusterOf(1, {}, '1');
    const withPriority = (priority: number): Json => {
      if (cluster.kinds.byKind('PriorityClass') === undefined) return { priority };
      ask(cluster, {
        verb: 'create',
        kind: 'PriorityClass',
        body: { apiVersion: 'scheduling.orch.io/v1', kind: 'PriorityClass', metadata: { name: `c${priority}` }, value: priority },
      });
      return { priorityClassName: `c${priority}` };
    };
    addPod(cluster, 'low', withPriority(1));
    run(cluster, 10);
    addPod(cluster, 'high', withPriority(100));
    run(cluster, 10);
    expect(podOf(cluster, 'low')?.metadata.deletionTimestamp).toBeDefined();
    expect(podOf(cluster, 'high')?.status.nominatedNodeName).toBe('n1');
    expect(eventsOf(cluster, 'Preempted')).toEqual(['Preempted by default/high on node n1']);
    remove(cluster, 'Pod', 'low');
    addPod(cluster, 'mid', withPriority(50));
    run(cluster, 2500);
    expect(nodeOf(cluster, 'high')).toBe('n1');
    expect(nodeOf(cluster, 'mid')).toBeUndefined();
    expectTruth(cluster);
  });
});

/** Where pods are put, and what the scheduler keeps about it: stated nodes, results for nodes, and counts of pods. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { PodSpec } from '../../../../src/apiserver/machinery/index.ts';
import { authenticationLookup, controllerOf, scheduler } from '../../../../src/controlplane/agents/index.ts';
import { createNodeInfo, type NodeInfo, podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { NodeMemory } from '../../../../src/controlplane/agents/scheduler/node-memory.ts';
import { PodGroups } from '../../../../src/controlplane/agents/scheduler/pod-groups.ts';
import { unschedulable } from '../../../../src/controlplane/agents/scheduler/plugin.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';
import { bound, claim, claims, two, using, volume } from './volume-objects.ts';
import { decided, HOSTNAME, nodeWith, NOW, objectOf, podWith, world, type World } from './world.ts';

describe('a stated node', () => {
  const behaviors = [{ selector: { matchLabels: { app: 'w' } }, nodes: ['b', 'gone', 'c', 'a'] }, { namespace: 'y' }];
  const worldOf = (): World => {
    const made = world({}, { podBehaviors: behaviors });
    made.set(nodeWith('a'), nodeWith('b'), nodeWith('c', { spec: { unschedulable: true } }));
    return made;
  };
  const put = (made: World, name: string, labels = { app: 'w' }): string => {
    made.set(podWith(name, { labels }));
    return decided(made, name).why.replace(/scores \d+/, 'scores best');
  };

  it('is taken in the order of the bindings, if it is there and feasible', () => {
    const made = worldOf();
    const stated = (node: string): string => `${node} is stated for the next of these pods, and it is feasible`;
    const best = (node: string): string => `${node} scores best, best of 2 feasible nodes (3 visited)`;
    expect(put(made, 'other', { app: 'v' })).toBe(best('a'));
    expect(['p1', 'p2', 'p3', 'p4', 'p5'].map((name) => put(made, name))).toEqual([
      stated('b'),
      expect.stringMatching(/ scores best/),
      expect.stringMatching(/ scores best/),
      stated('a'),
      expect.stringMatching(/ scores best/),
    ]);
  });

  it('is counted in the state of the scheduler, by the bindings so far', () => {
    const made = worldOf();
    put(made, 'p1');
    const pod = made.cache.get('Pod', 'x', 'p1');
    const queue = [[['x/p1', pod, 'none', NOW, 1, []]], Infinity];
    const model = [[['uid-p1', 'b', true, pod]], ['a', 'b', 'c']];
    const volumes = [new Map(), new Map()];
    expect(made.state.describe()).toEqual([0, queue, new Map(), model, volumes, [], [{ key: 'x/p1' }], 0, [1]]);
    const plain = world().state.describe() as readonly unknown[];
    expect(plain).toEqual([0, [[], Infinity], new Map(), [[], []], volumes, [], [], 0]);
  });
});

describe('results for a node', () => {
  const nodes = ['a', 'b', 'c'].map(createNodeInfo);
  const members = { containers: [], initContainers: [], tolerations: [], nodeSelector: {}, affinity: {}, overhead: {} };
  const spec = members as unknown as PodSpec;
  const REFUSAL = { ...unschedulable('no'), plugins: ['x'] };
  /** The names of the nodes that are asked anew for a spec, after a spec. */
  function asked(after: PodSpec, list: readonly NodeInfo[] = nodes, changed: readonly NodeInfo[] = []): readonly string[] {
    const memory = new NodeMemory();
    const found: string[] = [];
    const all = (given: readonly NodeInfo[]): readonly unknown[] =>
      given.map((_, at) => [
        memory.refusal(at, ({ name }) => (found.push(name), name === 'b' ? REFUSAL : undefined)),
        memory.score(at, ({ name }) => (found.push(`${name} score`), name.length)),
      ]);
    memory.turnTo(spec, nodes, []);
    memory.offers[0] = null;
    all(nodes);
    found.length = 0;
    memory.turnTo(after, list, changed);
    expect(all(list)).toEqual(list.map(({ name }) => [name === 'b' ? REFUSAL : undefined, 1]));
    return [...found, ...(memory.offers.length === 0 ? ['offers'] : [])];
  }
  const every = ['a', 'a score', 'b', 'b score', 'c', 'c score'];

  it('are kept for pods that are equal in all that filters read', () => {
    expect([asked(spec), asked({ ...spec }), asked({ ...spec, priority: 3 })]).toEqual([[], [], []]);
    for (const field of ['containers', 'initContainers', 'overhead', 'tolerations', 'nodeSelector', 'affinity', 'nodeName'] as const)
      expect([field, asked({ ...spec, [field]: field === 'nodeName' ? 'a' : [] } as never)]).toEqual([field, [...every, 'offers']]);
  });

  it('are dropped for the nodes that have changed, and all of them for other nodes', () => {
    expect(asked(spec, nodes, nodes.slice(1, 2))).toEqual(['b', 'b score']);
    expect(asked(spec, nodes, [createNodeInfo('b')])).toEqual([]);
    expect(asked(spec, [...nodes])).toEqual(every);
    expect(asked(spec, nodes.slice(1))).toEqual(every.slice(2));
  });
});

describe('counts of pods', () => {
  const pod = podInfo(podWith('p', { labels: { app: 'w' } }));

  it('are kept for the last 512 questions', () => {
    const groups = new PodGroups(() => ({}));
    groups.move(pod, 'n', 1);
    const seen: string[] = [];
    const count = (name: string) => groups.count(name, ({ labels }) => (seen.push(name), labels['app'] === 'w'));
    const first = count('q0');
    const second = count('q1');
    for (let i = 2; i < 512; i++) count(`q${i}`);
    expect(count('q0')).toBe(first);
    count('q512');
    seen.length = 0;
    expect([count('q0') === first, count('q2').nodes.get('n'), seen]).toEqual([true, 1, []]);
    groups.move(pod, 'm', 1);
    expect([[...first.nodes], [...second.nodes]]).toEqual([
      [
        ['n', 1],
        ['m', 1],
      ],
      [['n', 1]],
    ]);
    expect([[...count('q1').nodes.keys()], seen]).toEqual([['n', 'm'], ['q1']]);
  });
});

describe('an attempt', () => {
  const NO_NODES = 'found no node: no nodes available to schedule pods';

  it('that ends with an error is one without a node', () => {
    const made = two([
      claim('q-v0'),
      using('q', [{ ephemeral: {} }], { nodeName: 'a' }),
      volume('pv', { csi: { driver: 'csi.a', volumeHandle: 'h' } }),
      bound('c', 'pv'),
      objectOf('CSINode', 'a', { spec: { drivers: [{ name: 'csi.a', nodeID: 'a', allocatable: { count: 5 } }] } }),
    ]);
    made.set(using('p', claims('c')));
    expect(decided(made, 'p').why).toBe('found no node: PVC x/q-v0 was not created for pod x/q (pod is not owner)');
  });

  it('preempts the pods that hold its port, or are those it keeps away from, and no others', () => {
    const containers = [{ name: 'c', image: 'i:1', ports: [{ containerPort: 80, hostPort: 80 }] }];
    const selector = { matchLabels: { app: 'w' } };
    const apart = {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector, topologyKey: HOSTNAME }] },
    };
    const there = (name: string, spec: object = {}, labels = {}): Pod => podWith(name, { labels, spec: { nodeName: 'a', ...spec } });
    const evicted = (spec: object): readonly string[] => {
      const made = world();
      made.set(nodeWith('a'), there('held', { containers }), there('near', {}, { app: 'w' }), there('far', {}, { app: 'v' }));
      made.set(podWith('p', { spec: { priority: 10, ...spec } }));
      return decided(made, 'p').writes.flatMap((write) => (write.op === 'delete' ? [write.name] : []));
    };
    expect([evicted({ containers }), evicted({ affinity: apart }), evicted({ containers, affinity: apart })]).toEqual([
      ['held'],
      ['near'],
      ['held', 'near'],
    ]);
  });

  it('is made by the monotonic clock, and woken by the clock of its process', () => {
    const made = world();
    const pod = podWith('p');
    made.set(pod);
    const [controller] = scheduler().controllers;
    const look = (aheadMs: number) =>
      controller?.reconcile({ state: made.state, key: 'x/p', self: pod, now: NOW + aheadMs, elapsed: NOW } as never);
    expect(look(0)).toMatchObject({ why: NO_NODES, wakeAt: NOW + 330_000 });
    expect(look(7)).toMatchObject({ why: 'it is unschedulable: waiting for a change that may help', wakeAt: NOW + 330_007 });
    const failure = { write: { op: 'event' }, status: { message: 'x' }, dropped: [] };
    expect(
      controller?.recover?.({ state: made.state, key: 'x/p', self: pod, now: NOW + 5, elapsed: NOW } as never, failure as never),
    ).toMatchObject({ why: 'a write failed (x); the other writes are made', wakeAt: NOW + 330_005 });
    expect(controller?.describe?.(made.state)).toMatchObject({ 0: 5 });
  });
});

it('the look-up of authorities ends the scheduler when it fails', () => {
  const looked = (failures: number) => linesOf(decide(authenticationLookup, { objects: [], key: 'authorities', failures }));
  expect(looked(0)).toEqual([
    'look up missing authentication configuration',
    'get ConfigMap extension-apiserver-authentication {tolerate:[NotFound],resume:true}',
  ]);
  expect(looked(1)).toEqual(['its look-up of authentication configuration failed, which it does not tolerate: it exits', 'process: exit']);
  expect(authenticationLookup.startKeys?.({} as never)).toEqual(['authorities']);
  expect([controllerOf('default-scheduler'), controllerOf('mine')]).toEqual(['scheduler', 'scheduler-for-mine']);
});

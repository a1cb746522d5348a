/** Which changes of nodes, pods and other objects make the scheduler try an unschedulable pod again. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { nodeChange } from '../../../../src/controlplane/agents/scheduler/cluster-events.ts';
import { decided, nodeWith, NOW, objectOf, podWith, ROOM, type World, world, ZONE } from './world.ts';

const seconds = (at: number): number => NOW + at * 1_000;

describe('the change of a node', () => {
  const node = (spec: object, status: object = {}, labels: object | undefined = {}): Node =>
    ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels }, spec, status }) as unknown as Node;
  const taint = (more: object = {}) => ({ taints: [{ key: 'k', value: 'v', effect: 'NoSchedule', ...more }] });
  const ready = (status: string, more: object = {}) => ({ conditions: [{ type: 'Ready', status, ...more }] });

  it.each<readonly [string, Node, Node, string | undefined]>([
    ['nothing', node({}), node({}), undefined],
    ['a cordon is removed', node({}), node({ unschedulable: true }), 'taints'],
    ['a cordon', node({ unschedulable: true }), node({}), undefined],
    ['a cordon that stays', node({ unschedulable: true }), node({ unschedulable: true }), undefined],
    ['its allocatable amounts', node({}, { allocatable: { cpu: '2' } }), node({}, { allocatable: { cpu: '1' } }), 'allocatable'],
    ['allocatable amounts that it had not', node({}, { allocatable: { cpu: '2' } }), node({}), 'allocatable'],
    ['allocatable amounts that it has no more', node({}), node({}, { allocatable: { cpu: '2' } }), 'allocatable'],
    ['the same amounts', node({}, { allocatable: { cpu: '2' } }), node({}, { allocatable: { cpu: '2' } }), undefined],
    ['its labels', node({}, {}, { a: '1' }), node({}, {}, { a: '2' }), 'labels'],
    ['labels that it had not', node({}, {}, { a: '1' }), node({}, {}, undefined), 'labels'],
    ['labels that it has no more', node({}, {}, undefined), node({}, {}, { a: '1' }), 'labels'],
    ['a taint', node(taint()), node({}), 'taints'],
    ['no taint any more', node({}), node(taint()), 'taints'],
    ['an empty list of taints', node({ taints: [] }), node({}), undefined],
    ['the key of a taint', node(taint({ key: 'l' })), node(taint()), 'taints'],
    ['the value of a taint', node(taint({ value: 'w' })), node(taint()), 'taints'],
    ['the effect of a taint', node(taint({ effect: 'NoExecute' })), node(taint()), 'taints'],
    ['the time of a taint', node(taint({ timeAdded: 'x' })), node(taint()), 'taints'],
    ['the same taint', node(taint()), node(taint()), undefined],
    [
      'one taint of two',
      node({ taints: [...taint().taints, ...taint({ key: 'l' }).taints] }),
      node({ taints: [...taint().taints, ...taint({ key: 'm' }).taints] }),
      'taints',
    ],
    ['a condition', node({}, ready('True')), node({}, ready('False')), 'conditions'],
    ['a condition that it had not', node({}, ready('True')), node({}), 'conditions'],
    ['a heartbeat', node({}, ready('True', { lastHeartbeatTime: 'y' })), node({}, ready('True', { lastHeartbeatTime: 'x' })), undefined],
    [
      'first its amounts, then its labels',
      node({}, { allocatable: {} }, { a: '1' }),
      node({}, { allocatable: { cpu: '1' } }),
      'allocatable',
    ],
    ['first its labels, then its taints', node(taint(), ready('True'), { a: '1' }), node({}), 'labels'],
    ['first its taints, then its conditions', node(taint(), ready('True')), node({}), 'taints'],
  ])('is known by what matters most: %s', (_name, now, before, change) => {
    expect(nodeChange(now, before)).toBe(change);
  });
});

/** A world in which a pod was refused at the start; `moves` are the keys that were enqueued since. */
function refused(pod: Pod, ...objects: readonly ApiObject[]): World & { moves(): readonly unknown[] } {
  const made = world();
  made.set(...objects, pod);
  decided(made, pod.metadata.name);
  made.state.takeMoved(NOW);
  expect(made.state.queue.get(`x/${pod.metadata.name}`)?.place).toBe('refused');
  return { ...made, moves: () => made.state.takeMoved(seconds(60)) };
}
const pod = podWith('p', { requests: { cpu: '3' } });
const full = (name: string, more: Parameters<typeof nodeWith>[1] = {}) => nodeWith(name, { allocatable: { ...ROOM, cpu: '1' }, ...more });

describe('an unschedulable pod is tried again', () => {
  it('when a node is added or changed on which it fits', () => {
    const made = refused(pod, full('a'));
    for (const [name, object] of [
      ['too small', full('b')],
      ['tainted', nodeWith('c', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })],
    ] as const) {
      made.setAt(60_000, object);
      expect(made.moves(), name).toEqual([]);
    }
    made.setAt(60_000, nodeWith('d', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }));
    expect(made.moves()).toEqual(['x/p']);
  });

  it('when its node gets room, and not for labels', () => {
    const made = refused(pod, full('a'));
    made.setAt(60_000, full('a', { labels: { [ZONE]: 'one' } }));
    expect(made.moves()).toEqual([]);
    made.drop('Node', 'a', 60_000);
    expect(made.moves()).toEqual([]);
    made.setAt(60_000, nodeWith('a'));
    expect(made.moves()).toEqual(['x/p']);
  });

  it('when a selector matches by new labels', () => {
    const made = refused(podWith('p', { spec: { nodeSelector: { disk: 'ssd' } } }), nodeWith('a'));
    made.setAt(60_000, nodeWith('a', { allocatable: { ...ROOM, cpu: '9' } }));
    expect(made.moves()).toEqual([]);
    made.setAt(60_000, nodeWith('a', { allocatable: { ...ROOM, cpu: '9' }, labels: { disk: 'hdd' } }));
    expect(made.moves()).toEqual([]);
    made.setAt(60_000, nodeWith('a', { allocatable: { ...ROOM, cpu: '9' }, labels: { disk: 'ssd' } }));
    expect(made.moves()).toEqual(['x/p']);
  });

  it('when a pod on a node is gone, or has finished', () => {
    const other = podWith('q', { requests: { cpu: '3' }, spec: { nodeName: 'a' }, status: { phase: 'Running' } });
    const gone = refused(pod, nodeWith('a'), other);
    gone.drop('Pod', 'x/q', 60_000);
    expect(gone.moves()).toEqual(['x/p']);
    for (const phase of ['Succeeded', 'Failed']) {
      const finished = refused(pod, nodeWith('a'), other);
      finished.setAt(60_000, { ...other, status: { phase: 'Running' } });
      expect(finished.moves()).toEqual([]);
      finished.setAt(60_000, { ...other, status: { phase } });
      expect([finished.moves(), finished.state.model.placed('uid-q')]).toEqual([['x/p'], undefined]);
      finished.setAt(60_000, { ...other, status: { phase }, metadata: { ...other.metadata, labels: {} } });
      finished.drop('Pod', 'x/q', 60_000);
      expect(finished.moves()).toEqual([]);
    }
  });

  it('when a pod that it wants near itself is on a node, or changes there', () => {
    const affinity = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app: 'q' } } }],
      },
    };
    const wanting = refused(podWith('p', { spec: { affinity } }), nodeWith('a', { labels: { [ZONE]: 'one' } }));
    const on = (name: string, app: string) => podWith(name, { labels: { app }, spec: { nodeName: 'a' }, status: { phase: 'Running' } });
    wanting.setAt(60_000, on('r', 'r'));
    expect(wanting.moves()).toEqual([]);
    wanting.setAt(60_000, on('r', 'q'));
    expect(wanting.moves()).toEqual(['x/p']);
    const again = refused(podWith('p', { spec: { affinity } }), nodeWith('a', { labels: { [ZONE]: 'one' } }));
    again.setAt(60_000, on('q', 'q'));
    expect(again.moves()).toEqual(['x/p']);
  });

  it('when it changes itself in what may matter', () => {
    const changed = (meta: object, more: object = {}) => ({ ...pod, ...more, metadata: { ...pod.metadata, ...meta } });
    const moves = (object: Pod): readonly unknown[] => {
      const made = refused(pod, full('a'));
      made.setAt(60_000, object);
      return made.moves();
    };
    for (const meta of [{ labels: { a: 'b' } }, { annotations: {} }, { ownerReferences: [] }, { deletionTimestamp: 'x' }])
      expect(moves(changed(meta) as Pod)).toEqual(['x/p']);
    expect(moves(changed({}, { spec: { ...pod.spec } }) as Pod)).toEqual(['x/p']);
    expect(moves(changed({ resourceVersion: '99' }, { status: { phase: 'Pending' } }) as Pod)).toEqual([]);
  });

  it.each([
    ['PersistentVolumeClaim', 'x/c'],
    ['PersistentVolume', 'c'],
    ['StorageClass', 'c'],
    ['CSINode', 'c'],
    ['CSIDriver', 'c'],
    ['CSIStorageCapacity', 'x/c'],
  ])('when a %s is added or changed that may help it, and not when one is deleted', (kind, key) => {
    const object = (version: string) =>
      objectOf(
        kind,
        'c',
        { spec: { accessModes: [] }, status: {} },
        { resourceVersion: version, ...(key.includes('/') ? { namespace: 'x' } : {}) },
      );
    const waiting = podWith('p', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'gone' } }] } });
    const made = refused(waiting, nodeWith('a'));
    made.setAt(60_000, object('1'));
    expect(made.moves()).toEqual(['x/p']);
    decided(made, 'p', 60_000);
    made.moves();
    made.setAt(120_000, object('2'));
    expect(made.state.takeMoved(seconds(120))).toEqual(['x/p']);
    const deleted = refused(waiting, nodeWith('a'), object('1'));
    deleted.drop(kind, key, 60_000);
    expect(deleted.moves()).toEqual([]);
  });
});

describe('pods', () => {
  it('of other schedulers are left out', () => {
    const made = world();
    made.set(podWith('p', { spec: { schedulerName: 'other' } }));
    expect([made.state.queue.get('x/p'), made.state.takeMoved(NOW)]).toEqual([undefined, []]);
  });

  it('of the same name are others with another uid', () => {
    const made = world();
    made.set(nodeWith('a'), podWith('p'));
    const second = podWith('p', { meta: { uid: 'second' } });
    made.set(second);
    expect(made.state.queue.get('x/p')?.info.uid).toBe('second');
    made.set({ ...podWith('p', { meta: { uid: 'third' } }), spec: { ...second.spec, nodeName: 'a' } });
    expect([made.state.queue.get('x/p'), made.state.model.placed('third')?.node]).toEqual([undefined, 'a']);
    made.drop('Pod', 'x/p');
    expect(made.state.model.placed('third')).toBeUndefined();
  });

  it('keep a nomination that was just made, until an update removes it', () => {
    const made = world();
    const nominated = (nominatedNodeName: string | undefined) => podWith('p', { meta: { uid: 'u' }, status: { nominatedNodeName } });
    const node = () => made.state.nominator.nodeOf('u');
    made.set(nodeWith('a'), nominated(undefined));
    const info = made.state.queue.get('x/p')?.info;
    if (info === undefined) throw new Error('not queued');
    made.state.nominator.set(info, 'a');
    made.set(nominated(undefined));
    expect(node()).toBe('a');
    made.set(nominated('b'));
    expect(node()).toBe('b');
    made.set(nominated(undefined));
    expect(node()).toBeUndefined();
    made.set(nominated('b'));
    made.drop('Pod', 'x/p');
    expect(node()).toBeUndefined();
  });
});

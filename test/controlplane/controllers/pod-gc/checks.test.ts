/** Whole checks of the pod collector: missing nodes, nodes out of service, unscheduled and terminated pods. Ticks are every 20 seconds. */
import { describe, expect, it } from 'vitest';
import { kindsFor, type Node, type Pod } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { podGc } from '../../../../src/controlplane/controllers/pod-gc/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, AT, barePod, nodeOf } from '../../../support/objects.ts';
import { living } from '../lives.ts';
import { decide, enqueued, linesOf, recover, resume, type Situation } from '../../../support/reconcile.ts';

const collector = (terminatedPodThreshold = 1) => podGc(kindsFor(namesFor('k8s.io')), { terminatedPodThreshold });
const going = { deletionTimestamp: AT, deletionGracePeriodSeconds: 30 };
const pod = (name: string, nodeName = 'node-0', meta: object = {}, phase = 'Running'): Pod =>
  barePod(name, phase, { meta: { ...meta }, spec: { nodeName } });
const node = (name: string, more: { out?: boolean; ready?: boolean } = {}): Node =>
  ({
    ...nodeOf(name),
    spec: more.out === true ? { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] } : {},
    status: { conditions: [{ type: 'Ready', status: more.ready === true ? 'True' : 'Unknown' }] },
  }) as unknown as Node;
const GATES = { NodeOutOfServiceVolumeDetach: true };
const situation = (second: number, objects: readonly ApiObject[], memory?: object): Situation => ({
  objects,
  now: at(second),
  startedAt: at(0),
  key: 'pods',
  gates: GATES,
  memory,
});
const lines = (second: number, objects: readonly ApiObject[], memory?: object) =>
  linesOf(decide(collector(), situation(second, objects, memory)));
const missed = (second: number, more: object = {}) => ({ missedAt: { 'node-0': at(second) }, doubtful: [], gone: [], ...more });
const get: Write = { op: 'get', kind: 'Node', name: 'node-0' };

describe('a check', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    ['is not needed where all nodes are there', () => lines(20, [node('node-0'), pod('p')]), ['no pod needs it', 'memory: null']],
    ['waits for its tick', () => lines(21, [pod('p')]), ['its next check is not due yet', 'wakeAt: @40']],
    [
      'notes a missing node',
      () => lines(20, [pod('p')]),
      ['1 missing node is in quarantine', 'memory: {missedAt:{node-0:@20},doubtful:[],gone:[]}', 'wakeAt: @40'],
    ],
    [
      'notes missing nodes',
      () => lines(20, [pod('p'), pod('q', 'node-1')]),
      ['2 missing nodes are in quarantine', 'memory: {missedAt:{node-0:@20,node-1:@20},doubtful:[],gone:[]}', 'wakeAt: @40'],
    ],
    [
      'keeps the time since when a node is missing',
      () => lines(40, [pod('p')], missed(20)),
      ['1 missing node is in quarantine', 'memory: {missedAt:{node-0:@20},doubtful:[],gone:[]}', 'wakeAt: @60'],
    ],
    [
      'reads a node that has been missing for 40 s',
      () => lines(60, [pod('p')], missed(20)),
      [
        'node node-0 has been missing for the quarantine time: read it from the API server',
        'get Node node-0 {resume:true,tolerate:[NotFound]}',
        'memory: {missedAt:{node-0:@20},doubtful:[node-0],gone:[]}',
      ],
    ],
    [
      'deletes a pod that was never scheduled',
      () => lines(20, [pod('p', '', going)]),
      [
        '1 pods are being deleted and were never scheduled',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],gracePeriodSeconds:0}',
        'memory: {missedAt:{},doubtful:[],gone:[]}',
        'wakeAt: @40',
      ],
    ],
    [
      'leaves an unscheduled pod that only finalizers hold',
      () => lines(20, [pod('p', '', { ...going, deletionGracePeriodSeconds: 0 })]),
      ['1 pods are being deleted and were never scheduled', 'memory: {missedAt:{},doubtful:[],gone:[]}'],
    ],
    [
      'deletes pods that go on a node out of service',
      () =>
        lines(20, [
          node('node-0', { out: true }),
          pod('p', 'node-0', going),
          pod('q'),
          pod('r', 'node-0', { ...going, deletionGracePeriodSeconds: 0 }),
        ]),
      [
        '1 pods are terminating on out-of-service nodes',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],gracePeriodSeconds:0}',
        'memory: {missedAt:{},doubtful:[],gone:[]}',
        'wakeAt: @40',
      ],
    ],
    [
      'leaves pods on a node out of service that is ready',
      () => lines(20, [node('node-0', { out: true, ready: true }), pod('p', 'node-0', going)]),
      ['no pod needs it', 'memory: null'],
    ],
    [
      'leaves pods that go on other nodes',
      () => lines(20, [node('node-0'), pod('p', 'node-0', going)]),
      ['no pod needs it', 'memory: null'],
    ],
    [
      'deletes the oldest terminated pods',
      () =>
        lines(20, [
          node('node-0'),
          pod('b', 'node-0', {}, 'Failed'),
          pod('a', 'node-0', {}, 'Succeeded'),
          pod('c', 'node-0', { creationTimestamp: '2023-01-01T00:00:00Z' }, 'Succeeded'),
        ]),
      [
        '2 terminated pods exceed the threshold',
        'delete Pod c {uid:uid-c,tolerate:[NotFound],gracePeriodSeconds:0}',
        'delete Pod a {uid:uid-a,tolerate:[NotFound],gracePeriodSeconds:0}',
        'memory: {missedAt:{},doubtful:[],gone:[]}',
        'wakeAt: @40',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  const two = [pod('p'), pod('q', 'node-1')];
  const doubtful = { missedAt: { 'node-0': at(20), 'node-1': at(20) }, doubtful: ['node-0', 'node-1'], gone: [] };
  const read = (object: ApiObject | undefined, memory: object | undefined, objects: readonly ApiObject[] = [pod('p')]) =>
    linesOf(resume(collector(), situation(60, objects, memory), { write: get, object }));
  const failed = (write: Write) =>
    linesOf(
      recover(collector(), situation(60, [pod('p')], missed(20, { doubtful: ['node-0'] })), { write, status: {} as never, dropped: [] }),
    );
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'deletes the pods of a node that is gone',
      () => read(undefined, missed(20, { doubtful: ['node-0'] })),
      [
        'node-0 no longer exists',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],gracePeriodSeconds:0}',
        'memory: {missedAt:{node-0:@20},doubtful:[],gone:[]}',
        'wakeAt: @80',
      ],
    ],
    [
      'keeps the pods of a node that is there',
      () => read(node('node-0'), missed(20, { doubtful: ['node-0'] })),
      ['1 missing node is in quarantine', 'memory: {missedAt:{node-0:@60},doubtful:[],gone:[]}', 'wakeAt: @80'],
    ],
    [
      'reads the next node',
      () => read(undefined, doubtful, two),
      [
        'node node-1 has been missing for the quarantine time: read it from the API server',
        'get Node node-1 {resume:true,tolerate:[NotFound]}',
        'memory: {missedAt:{node-0:@20,node-1:@20},doubtful:[node-1],gone:[node-0]}',
      ],
    ],
    [
      'deletes the pods of all nodes that are gone',
      () => read(undefined, { ...doubtful, doubtful: ['node-1'], gone: ['node-0'] }, two),
      [
        'node-0, node-1 no longer exist',
        'delete Pod p {uid:uid-p,tolerate:[NotFound],gracePeriodSeconds:0}',
        'delete Pod q {uid:uid-q,tolerate:[NotFound],gracePeriodSeconds:0}',
        'memory: {missedAt:{node-0:@20,node-1:@20},doubtful:[],gone:[]}',
        'wakeAt: @80',
      ],
    ],
    [
      'keeps the pods of a node that could not be read',
      () => failed(get),
      ['1 missing node is in quarantine', 'memory: {missedAt:{node-0:@60},doubtful:[],gone:[]}', 'wakeAt: @80'],
    ],
    ['leaves another refusal to the back-off', () => failed({ op: 'delete', kind: 'Pod', name: 'p' }), []],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('a change', () => {
  const keys = (
    objects: readonly ApiObject[],
    object: ApiObject,
    old?: ApiObject,
    type: 'ADDED' | 'MODIFIED' | 'DELETED' = old === undefined ? 'ADDED' : 'MODIFIED',
  ) => enqueued(collector(), { ...situation(5, objects), gates: GATES }, { type, object, ...(old === undefined ? {} : { old }) });
  const ended = pod('x', 'node-0', {}, 'Succeeded');
  const there = [node('node-0')];

  it('of a pod asks for a check where it may have to go', () => {
    expect([
      keys(there, pod('p', '', going)),
      keys([pod('q')], pod('p')),
      keys([node('node-0', { out: true })], pod('p')),
      keys(there, pod('p')),
    ]).toEqual([['pods'], ['pods'], ['pods'], []]);
    expect(keys(there, pod('p', '', going), pod('p', '', going), 'DELETED')).toEqual([]);
  });

  it('of a pod that ends asks for one at the next tick, beyond the threshold', () => {
    const many = [...there, pod('a', 'node-0', {}, 'Failed'), ended];
    const later = [{ key: 'pods', afterMs: 15_000 }];
    expect([keys(many, ended), keys(many, ended, pod('x')), keys(many, ended, ended), keys([...there, ended], ended)]).toEqual([
      later,
      later,
      [],
      [],
    ]);
  });

  it('of a node asks for one where nodes are missing or out of service', () => {
    expect([keys([pod('p')], node('node-1')), keys([node('node-0', { out: true })], node('node-1')), keys(there, node('node-1'))]).toEqual([
      ['pods'],
      ['pods'],
      [],
    ]);
  });
});

it('a pod that is bound to a node that there is not goes after forty seconds', () => {
  const { cluster, make, patch, pass, writes } = living([collector()]);
  make('Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i' }] } }, 'default');
  patch('Pod', 'p', { metadata: { labels: { a: 'b' } } }, undefined, 'default');
  pass(50_000);
  const target = { apiVersion: 'v1', kind: 'Node', name: 'nowhere' };
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p', namespace: 'default' }, target };
  cluster.request('user', { verb: 'create', kind: 'Pod', subresource: 'binding', namespace: 'default', name: 'p', body });
  pass(40_000);
  expect(writes()).toEqual([]);
  pass(1_000);
  expect(writes()).toEqual(Array(2).fill('90500 pod-gc: delete Pod default/p'));
});

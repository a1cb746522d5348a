/** Invariants of nodes and of evictions from them, write by write. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, end, keep, objectOf, type Parts, put, remove, START, tells, timeAt, wait } from './history.ts';

const CLUSTER = { namespace: undefined };
const ready = (status: string, lastHeartbeatTime?: string): object => ({
  conditions: [
    { type: 'MemoryPressure', status: 'False' },
    { type: 'Ready', status, ...(lastHeartbeatTime === undefined ? {} : { lastHeartbeatTime }) },
  ],
});
const node = (spec: object = {}, status: object = {}): ApiObject => objectOf('Node', 'n', { metadata: CLUSTER, spec, status });
const edited = (parts: Parts, writing: object = {}) => edit('Node', 'n', parts, writing);

describe('node/unknown-only-when-silent', () => {
  const NAME = 'node/unknown-only-when-silent';
  const LIFECYCLE = { by: 'node-lifecycle' };
  const renewed = (renewTime: string | undefined, namespace = 'orch-node-lease'): ApiObject =>
    objectOf('Lease', 'n', { metadata: { namespace }, spec: { renewTime } });
  const unknown = (at: number, by: object = LIFECYCLE) => edited({ status: ready('Unknown') }, { at, ...by });
  const early = (seconds: number): string => `Node n was declared unknown ${seconds} s after its last heartbeat`;

  it.each<readonly [string, string | undefined, number, string]>([
    ['a renewal 39 s ago', timeAt(0), 39, 'holds'],
    ['a renewal less than 39 s ago', timeAt(0), 38.999, early(38.999)],
    ['no renewal at all', undefined, 0, 'holds'],
  ])('goes by the lease: %s', (_, renewTime, at, verdict) => {
    tells(NAME, [
      [put(node({}, ready('True'))), '-'],
      [keep(renewed(renewTime)), '-'],
      [unknown(at), verdict],
    ]);
  });

  it("goes by the server's time of a renewal that was written, and by the time in an elided one", () => {
    tells(NAME, [
      [put(node({}, ready('True'))), '-'],
      [put(renewed(timeAt(-300)), { at: 10 }), '-'],
      [put(renewed(timeAt(40), 'default'), { at: 40 }), '-'],
      [described, new Map([['n', { renewTime: timeAt(-300), at: START + 10_000 }]])],
      [unknown(48), early(38)],
      [edited({ status: ready('True') }, { at: 48 }), '-'],
      [unknown(49), 'holds'],
      [edited({ status: ready('True') }, { at: 49 }), '-'],
      [keep(renewed(timeAt(45))), '-'],
      [unknown(50), early(5)],
    ]);
  });

  it('goes by the status too, where that is later', () => {
    tells(NAME, [
      [put(node({}, ready('True', timeAt(20)))), '-'],
      [keep(renewed(timeAt(0))), '-'],
      [unknown(50), early(30)],
      [edited({ status: ready('False', timeAt(20)) }, { at: 50 }), '-'],
      [unknown(60), 'holds'],
    ]);
  });

  it('is about a node that becomes unknown, by its controller', () => {
    tells(NAME, [
      [put(node({}, ready('Unknown')), LIFECYCLE), '-'],
      [edited({ metadata: { labels: {} } }, LIFECYCLE), '-'],
      [edited({ status: ready('True', timeAt(0)) }, LIFECYCLE), '-'],
      [edited({ status: ready('Unknown') }, { by: 'other' }), '-'],
      [edited({ status: { conditions: [] } }), '-'],
      [unknown(0), 'holds'],
      [remove('Node', 'n', LIFECYCLE), '-'],
    ]);
  });
});

describe('node/evictions-in-time', () => {
  const NAME = 'node/evictions-in-time';
  const EVICTION = { by: 'taint-eviction' };
  const taint = (key: string, value?: string, effect = 'NoExecute'): object => ({ key, effect, ...(value === undefined ? {} : { value }) });
  const pod = (tolerations?: readonly object[], nodeName: string | undefined = 'n'): ApiObject =>
    objectOf('Pod', 'p', { spec: { nodeName, ...(tolerations === undefined ? {} : { tolerations }) }, status: {} });
  const evicted = (at: number) => edit('Pod', 'default/p', { metadata: { deletionTimestamp: timeAt(at) } }, { at, ...EVICTION });
  const back = edit('Pod', 'default/p', { metadata: { deletionTimestamp: undefined } });
  const early = (how: string): string => `Pod default/p was evicted from n ${how}`;
  const tainted = (...taints: readonly object[]) => edited({ spec: { taints } });
  const tenSeconds = [{ key: 'a', operator: 'Exists', tolerationSeconds: 10 }];

  it.each<readonly [string, readonly object[] | undefined, string]>([
    ['has no toleration', undefined, 'holds'],
    ['tolerates everything', [{ operator: 'Exists' }], early('although it tolerates its taints')],
    ['tolerates the key for ever', [{ key: 'a', operator: 'Exists' }], early('although it tolerates its taints')],
    ['tolerates the value', [{ key: 'a', value: 'v' }], early('although it tolerates its taints')],
    [
      'tolerates the value explicitly',
      [{ key: 'a', operator: 'Equal', value: 'v', effect: 'NoExecute' }],
      early('although it tolerates its taints'),
    ],
    ['tolerates another value', [{ key: 'a', value: 'w' }], 'holds'],
    ['tolerates no value', [{ key: 'a' }], 'holds'],
    ['tolerates another key', [{ key: 'b', operator: 'Exists' }], 'holds'],
    ['tolerates another effect', [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }], 'holds'],
    ['tolerates for five seconds', [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }], 'holds'],
    ['tolerates for 5.001 s', [{ key: 'a', operator: 'Exists', tolerationSeconds: 5.001 }], early('0.001 s before its tolerations end')],
    ['tolerates for less than nothing', [{ key: 'a', operator: 'Exists', tolerationSeconds: -1 }], 'holds'],
    [
      'tolerates twice',
      [
        { operator: 'Exists', tolerationSeconds: 20 },
        { operator: 'Exists', tolerationSeconds: 8 },
      ],
      early('3 s before its tolerations end'),
    ],
  ])('of a pod that %s, five seconds after the taint', (_, tolerations, verdict) => {
    tells(NAME, [
      [put(node({ taints: [taint('a', 'v'), taint('z', 'v', 'NoSchedule')] })), '-'],
      [put(pod(tolerations)), '-'],
      [evicted(5), verdict],
    ]);
  });

  it('wants a taint, of the node of the pod', () => {
    const none = early('').trim();
    tells(NAME, [
      [put(node({ taints: [taint('a', 'v', 'NoSchedule')] })), '-'],
      [put(pod()), '-'],
      [evicted(1), `${none}, which has no NoExecute taint`],
      [remove('Pod', 'default/p', EVICTION), `${none}, which has no NoExecute taint`],
      [put(pod(undefined, 'm')), '-'],
      [tainted(taint('a')), '-'],
      [evicted(2), 'Pod default/p was evicted from m, which has no NoExecute taint'],
    ]);
  });

  it('counts from when the pod was bound to a tainted node', () => {
    tells(NAME, [
      [put(node({ taints: [taint('a')] })), '-'],
      [put(objectOf('Pod', 'p', { spec: { tolerations: tenSeconds }, status: {} })), '-'],
      [edit('Pod', 'default/p', { spec: { nodeName: 'n' } }, { at: 20 }), '-'],
      [edit('Pod', 'default/p', { status: { phase: 'Running' } }, { at: 25 }), '-'],
      [evicted(29), early('1 s before its tolerations end')],
      [back, '-'],
      [evicted(30), 'holds'],
      [remove('Pod', 'default/p', EVICTION), 'holds'],
      [put(pod(tenSeconds), { at: 40 }), '-'],
      [evicted(49), early('1 s before its tolerations end')],
    ]);
  });

  it('counts from the first of several taints, and the shortest toleration ends it', () => {
    tells(NAME, [
      [put(node()), '-'],
      [put(pod(tenSeconds.concat([{ key: 'b', operator: 'Exists', tolerationSeconds: 30 }]))), '-'],
      [edited({ spec: { taints: [taint('b')] } }, { at: 10 }), '-'],
      [evicted(39), early('1 s before its tolerations end')],
      [back, '-'],
      [edited({ spec: { taints: [taint('a'), taint('b')] } }, { at: 15 }), '-'],
      [evicted(19), early('1 s before its tolerations end')],
      [back, '-'],
      [evicted(20), 'holds'],
    ]);
  });

  it('lets a taint count for a minute after its removal', () => {
    tells(NAME, [
      [put(node({ taints: [taint('a')] })), '-'],
      [put(pod()), '-'],
      [edited({ spec: { taints: [] } }, { at: 10 }), '-'],
      [evicted(70), 'holds'],
      [back, '-'],
      [evicted(70.001), early(', which has no NoExecute taint').replace('n ,', 'n,')],
      [back, '-'],
      [edited({ spec: { taints: [taint('a', 'again')] } }, { at: 80 }), '-'],
      [described, state([['a=again', { taint: taint('a', 'again'), since: START + 80_000, goneAt: undefined }]])],
      [evicted(80), 'holds'],
    ]);
  });

  it('goes on after the node was deleted, and counts a taint that comes back from then', () => {
    tells(NAME, [
      [put(node({ taints: [taint('a')] })), '-'],
      [put(pod(tenSeconds)), '-'],
      [remove('Node', 'n', { at: 5 }), '-'],
      [described, state([['a= uid-n', { taint: taint('a'), since: START, goneAt: Infinity }]])],
      [put(node({ taints: [] }), { at: 6 }), '-'],
      [evicted(9), early('1 s before its tolerations end')],
      [back, '-'],
      [evicted(500), 'holds'],
    ]);
    tells(NAME, [
      [put(node({ taints: [taint('a')] })), '-'],
      [put(pod(tenSeconds)), '-'],
      [edited({ spec: { taints: [] } }, { at: 5 }), '-'],
      [edited({ spec: { taints: [taint('a')] } }, { at: 20 }), '-'],
      [evicted(29), early('1 s before its tolerations end')],
    ]);
  });

  it('knows the taints of nodes that were there before', () => {
    tells(NAME, [
      [keep(node({ taints: [taint('a')] })), '-'],
      [keep(pod([{ operator: 'Exists', tolerationSeconds: 9999 }])), '-'],
      [evicted(5), 'holds'],
    ]);
    tells(NAME, [
      [keep(node({ taints: [taint('a')] })), '-'],
      [edited({ metadata: { labels: {} } }, { at: 4 }), '-'],
      [put(pod(tenSeconds)), '-'],
      [evicted(5), early('9 s before its tolerations end')],
    ]);
  });

  it('is about evictions, not about deletions by others or a second write', () => {
    tells(NAME, [
      [put(node()), '-'],
      [put(pod()), '-'],
      [edit('Pod', 'default/p', { metadata: { labels: {} } }, EVICTION), '-'],
      [edit('Pod', 'default/p', { metadata: { deletionTimestamp: timeAt(0) } }), '-'],
      [edit('Pod', 'default/p', { metadata: { labels: {} } }, EVICTION), '-'],
      [remove('Pod', 'default/p'), '-'],
      [described, { taints: new Map(), boundAt: new Map() }],
    ]);
  });

  const state = (taints: readonly (readonly [string, object])[]): object => ({
    taints: new Map([['n', new Map(taints)]]),
    boundAt: expect.any(Map) as unknown,
  });
});

describe('node/taints-follow-state', () => {
  const NAME = 'node/taints-follow-state';
  const MANAGER = { actor: 'controller-manager-0' };
  const taint = (key: string, effect = 'NoSchedule'): object => ({ key: `node.orch.io/${key}`, effect });

  it.each<readonly [string, readonly object[], string]>([
    ['True', [], 'holds'],
    ['True', [taint('other')], 'holds'],
    ['True', [taint('other'), taint('not-ready')], 'Node n is ready and still has the taint node.orch.io/not-ready'],
    ['True', [taint('unreachable', 'NoExecute')], 'Node n is ready and still has the taint node.orch.io/unreachable'],
    ['False', [taint('not-ready')], 'holds'],
    ['False', [taint('unreachable')], 'Node n has Ready=False and no taint node.orch.io/not-ready'],
    ['False', [taint('not-ready', 'NoExecute')], 'Node n has Ready=False and no taint node.orch.io/not-ready'],
    ['Unknown', [taint('unreachable')], 'holds'],
    ['Unknown', [], 'Node n has Ready=Unknown and no taint node.orch.io/unreachable'],
  ])('with Ready=%s and taints %j', (status, taints, verdict) => {
    tells(NAME, [
      [put(node({ taints }, ready(status)), MANAGER), '-'],
      [wait(29.999), '-'],
      [end(), '-'],
      [wait(30), '-'],
      [end(false), '-'],
      [end(), verdict],
    ]);
  });

  it('counts from the last change of the state, if a manager has written since', () => {
    tells(NAME, [
      [put(node({}, ready('True')), MANAGER), '-'],
      [edited({ status: ready('False') }, { at: 10 }), '-'],
      [edited({ status: ready('False') }, { at: 20 }), '-'],
      [described, [new Map([['n', START + 10_000]]), START]],
      [end(true, 40), '-'],
      [put(objectOf('ConfigMap', 'c'), { at: 40, actor: 'someone' }), '-'],
      [end(), '-'],
      [put(objectOf('ConfigMap', 'c'), { at: 40, ...MANAGER }), '-'],
      [end(), 'Node n has Ready=False and no taint node.orch.io/not-ready'],
      [remove('Node', 'n'), '-'],
      [end(true, 100), '-'],
    ]);
  });

  it('takes a node without a condition for an unreachable one', () => {
    tells(NAME, [
      [put(node({}, ready('True')), MANAGER), '-'],
      [edited({ status: { conditions: [] } }, MANAGER), '-'],
      [end(true, 30), 'Node n has Ready=nothing and no taint node.orch.io/unreachable'],
    ]);
  });
});

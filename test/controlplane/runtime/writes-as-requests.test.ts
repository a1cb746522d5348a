/** What a controller's write becomes: the request, its program, its phrase. */
import { describe, expect, it } from 'vitest';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { ApiRequest, Envelope } from '../../../src/apiserver/request/index.ts';
import type { Server } from '../../../src/apiserver/handlers/index.ts';
import { phraseOf, refusalOf } from '../../../src/controlplane/runtime/observation.ts';
import * as outcome from '../../../src/controlplane/runtime/outcome.ts';
import { requestOf, withPrograms, type RequestWrite } from '../../../src/controlplane/runtime/requests.ts';

const user = { name: 'manager', groups: [] };
const map: ApiObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '' },
  status: { a: 1 },
};
const clusterWide: ApiObject = { ...map, kind: 'Node', metadata: { ...map.metadata, namespace: '' } };
const { metadata: full, ...rest } = map;
const { namespace: _, ...bare } = full;
const unplaced: ApiObject = { ...rest, kind: 'Node', metadata: bare };

const at = { kind: 'ConfigMap', name: 'c' };
const WRITES: readonly (readonly [RequestWrite, object])[] = [
  [
    { op: 'create', object: map },
    { verb: 'create', kind: 'ConfigMap', body: map, namespace: 'n' },
  ],
  [
    { op: 'create', object: clusterWide },
    { verb: 'create', kind: 'Node', body: clusterWide },
  ],
  [
    { op: 'create', object: unplaced },
    { verb: 'create', kind: 'Node', body: unplaced },
  ],
  [
    { op: 'update', object: map },
    { verb: 'update', ...at, body: map, namespace: 'n' },
  ],
  [
    { op: 'update', object: unplaced, subresource: 'status' },
    { verb: 'update', kind: 'Node', name: 'c', body: unplaced, subresource: 'status' },
  ],
  [
    { op: 'patch', ...at, namespace: 'n', patchType: 'merge', patch: 1 },
    { verb: 'patch', ...at, body: 1, patchType: 'merge', namespace: 'n' },
  ],
  [
    { op: 'patch', ...at, namespace: 'n', patchType: 'json', patch: 1, subresource: 'scale' },
    { verb: 'patch', ...at, body: 1, patchType: 'json', namespace: 'n', subresource: 'scale' },
  ],
  [
    { op: 'patch', ...at, namespace: '', patchType: 'merge', patch: 1 },
    { verb: 'patch', ...at, body: 1, patchType: 'merge' },
  ],
  [
    { op: 'patch', ...at, patchType: 'strategic', patch: 1, subresource: 'status' },
    { verb: 'patch', ...at, body: 1, patchType: 'strategic', subresource: 'status' },
  ],
  [
    { op: 'delete', ...at, namespace: 'n' },
    { verb: 'delete', ...at, preconditions: {}, namespace: 'n' },
  ],
  [
    { op: 'delete', ...at, uid: 'u', resourceVersion: '7', propagationPolicy: 'Orphan', gracePeriodSeconds: 0 },
    { verb: 'delete', ...at, preconditions: { uid: 'u', resourceVersion: '7' }, propagationPolicy: 'Orphan', gracePeriodSeconds: 0 },
  ],
  [
    { op: 'deleteCollection', kind: 'Pod', namespace: 'n' },
    { verb: 'deletecollection', kind: 'Pod', namespace: 'n' },
  ],
  [
    { op: 'deleteCollection', kind: 'Pod', namespace: '', propagationPolicy: 'Foreground' },
    { verb: 'deletecollection', kind: 'Pod', propagationPolicy: 'Foreground' },
  ],
  [
    { op: 'check', ...at, namespace: 'n', uid: 'u' },
    { verb: 'get', ...at, namespace: 'n' },
  ],
  [
    { op: 'get', ...at },
    { verb: 'get', ...at },
  ],
  [
    { op: 'list', kind: 'Pod' },
    { verb: 'list', kind: 'Pod' },
  ],
  [
    { op: 'list', kind: 'Pod', namespace: 'n' },
    { verb: 'list', kind: 'Pod', namespace: 'n' },
  ],
  [
    { op: 'post', ...at, namespace: 'n', subresource: 'binding', body: map },
    { verb: 'create', ...at, subresource: 'binding', body: map, namespace: 'n' },
  ],
  [
    { op: 'post', ...at, namespace: '', subresource: 'token', body: map },
    { verb: 'create', ...at, subresource: 'token', body: map },
  ],
  [
    { op: 'post', ...at, subresource: 'token', body: map },
    { verb: 'create', ...at, subresource: 'token', body: map },
  ],
];

describe('a write of a controller', () => {
  it.each(WRITES)('%j is the request %j', (write, request) => {
    expect(requestOf(write, user)).toEqual({ user, ...request });
  });

  it('is made by helpers, with the members that matter', () => {
    const merged = { op: 'patch', kind: 'ConfigMap', name: 'c', namespace: 'n', patchType: 'merge', patch: 1, tolerate: ['NotFound'] };
    const event = { about: map, type: 'Normal', reason: 'Made', message: 'made it' } as const;
    expect([
      outcome.readLive(map),
      outcome.readLive(unplaced, { tolerate: ['NotFound'] }),
      outcome.remove(map),
      outcome.remove(unplaced, { propagationPolicy: 'Orphan', tolerate: [] }),
      outcome.create(map),
      outcome.create(map, { awaited: true }),
      outcome.record(map, 'Normal', 'Made', 'made it'),
      outcome.writeStatus(map, { b: 2 }),
    ]).toEqual([
      { op: 'get', kind: 'ConfigMap', name: 'c', namespace: 'n', resume: true },
      { op: 'get', kind: 'Node', name: 'c', resume: true, tolerate: ['NotFound'] },
      { op: 'delete', kind: 'ConfigMap', name: 'c', namespace: 'n', uid: 'u', tolerate: ['NotFound'] },
      { op: 'delete', kind: 'Node', name: 'c', uid: 'u', tolerate: [], propagationPolicy: 'Orphan' },
      { op: 'create', object: map },
      { op: 'create', object: map, awaited: true },
      { op: 'event', event },
      { op: 'update', subresource: 'status', object: { ...map, status: { b: 2 } } },
    ]);
    expect([
      outcome.mergePatch(map, 1),
      outcome.mergePatch(map, 1, { subresource: 'status', patchType: 'strategic', tolerate: [] }),
      outcome.mergePatch(unplaced, 1),
      outcome.mergePatch(map, 1, { then: event }),
      outcome.mergePatch(map, 1, { otherwise: event }),
      outcome.mergePatch(map, 1, { resume: true }),
      outcome.mergePatch(map, 1, { awaited: true, subresource: 'status' }),
    ]).toEqual([
      merged,
      { ...merged, subresource: 'status', patchType: 'strategic', tolerate: [] },
      { op: 'patch', kind: 'Node', name: 'c', patchType: 'merge', patch: 1, tolerate: ['NotFound'] },
      { ...merged, then: event },
      { ...merged, otherwise: event },
      { ...merged, resume: true },
      { ...merged, awaited: true, subresource: 'status' },
    ]);
  });

  it('of an update goes to the status, or to the object', () => {
    const status = outcome.update(map, (draft) => void Object.assign(draft, { status: { a: 2 } }));
    const data = outcome.update(map, (draft) => void Object.assign(draft, { data: { b: 'c' } }), { awaited: true });
    expect([status, data]).toEqual([
      { op: 'update', subresource: 'status', object: { ...map, status: { a: 2 } } },
      { op: 'update', object: { ...map, data: { b: 'c' } }, awaited: true },
    ]);
    expect(() => outcome.update(map, (draft) => void Object.assign(draft, { status: { a: 2 }, data: {} }))).toThrow(
      'an update changes status and data of ConfigMap c: the status is written apart, so make two updates',
    );
  });

  it('takes effect when its answer is back if it is a live read', () => {
    const reads = WRITES.map(([write]) => write).filter(outcome.isLiveRead);
    expect(new Set(reads.map(({ op }) => op))).toEqual(new Set(['get', 'list']));
  });
});

it('an outcome is a reason, writes, and when to decide again', () => {
  expect([
    outcome.idle('all is well'),
    outcome.wakeAt(7, 'it waits'),
    outcome.write('it makes one', { op: 'create', object: map }),
  ]).toEqual([
    { why: 'all is well', writes: [] },
    { why: 'it waits', writes: [], wakeAt: 7 },
    { why: 'it makes one', writes: [{ op: 'create', object: map }] },
  ]);
});

it('a request has the program of its author, unless it names one', () => {
  const names = namesFor('orch.io');
  const seen: (string | undefined)[] = [];
  const server = { handle: ({ request }: Envelope) => void seen.push(request.userAgent) } as unknown as Server;
  const { handle } = withPrograms(server, names);
  const from = (process: string, more: object = {}): void =>
    void handle({ request: { verb: 'get', kind: 'Pod', name: 'p', ...more }, by: { process }, causes: [] } as unknown as Envelope);
  for (const process of [
    'agent/node-0',
    'controller-manager',
    'controller-manager-12',
    'controller-manager-x',
    'my-controller-manager',
    'scheduler',
    'scheduler-12',
    'scheduler-1-2',
    'the-scheduler',
    'server',
    'api-server',
    'storage-driver/my/disks',
    'kubectl',
  ])
    from(process);
  from('scheduler', { userAgent: 'curl' });
  expect(seen).toEqual([
    names.agentName,
    names.controllerManagerName,
    names.controllerManagerName,
    'controller-manager-x',
    'my-controller-manager',
    names.schedulerName,
    names.schedulerName,
    'scheduler-1-2',
    'the-scheduler',
    names.apiServerName,
    names.apiServerName,
    'disks',
    'kubectl',
    'curl',
  ]);
});

it('a refusal names its author as far as known', () => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } as const;
  const request: ApiRequest = { verb: 'update', kind: 'Job', name: 'pi', namespace: 'n', subresource: 'status', body: map };
  const refused = { type: 'refusal', actor: 'm', request: 'update Job/status n/pi', causes: [3], status };
  expect(refusalOf({ request, by: { process: 'm', incarnation: 0 }, causes: [3] }, status)).toEqual(refused);
  expect(refusalOf({ request, by: { process: 'm', incarnation: 0, controller: 'job', key: 'n/pi' }, causes: [3] }, status)).toEqual({
    ...refused,
    controller: 'job',
    key: 'n/pi',
  });
});

it('a phrase shows at most a name of the longest length, and no empty one', () => {
  const made = (metadata: object): string => phraseOf({ verb: 'create', kind: 'Pod', body: { metadata } as never });
  expect([
    made({ name: '' }),
    made({ name: '', generateName: 'a-' }),
    made({ name: 'x'.repeat(300) }),
    made({ generateName: 'y'.repeat(300) }),
  ]).toEqual(['create Pod *', 'create Pod a-*', `create Pod ${'x'.repeat(253)}`, `create Pod ${'y'.repeat(253)}*`]);
});

import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { Endpoints } from '../../../../src/apiserver/kinds/index.ts';
import { endpointsController } from '../../../../src/controlplane/controllers/endpoints/controller.ts';
import { Times } from '../../../../src/controlplane/shared/service-pods.ts';
import { decide, enqueued, phrase } from '../../../support/reconcile.ts';
import { asObjects, endpoints, pod, service } from './objects.ts';

const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const at0 = '2024-01-01T00:00:00Z';
const CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const held = [
  {
    addresses: [{ ip: '10.1.0.1', nodeName: 'node-0', targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'uid-p' } }],
    ports: [{ port: 8080, protocol: 'TCP' }],
  },
];
const written = (objects: readonly ApiObject[], memory?: unknown): Endpoints | undefined => {
  const [write] = decide(endpointsController, { objects, memory }).writes;
  return write?.op === 'create' || write?.op === 'update' ? (write.object as unknown as Endpoints) : undefined;
};

describe('the endpoints of a service', () => {
  it.each<[string, readonly ApiObject[], readonly string[]]>([
    ['are made', asObjects(service(), pod('p')), ['create Endpoints web']],
    ['are made without pods too', asObjects(service()), ['create Endpoints web']],
    ['are left as they are', asObjects(service(), pod('p'), endpoints(held)), []],
    ['follow the pods', asObjects(service(), pod('p', { ready: false }), endpoints(held)), ['update Endpoints web']],
    ['follow the labels', asObjects(service({}, { labels: { tier: 'front' } }), pod('p'), endpoints(held)), ['update Endpoints web']],
    ["are somebody else's without a selector", asObjects(service({ selector: undefined }), pod('p')), []],
    ["are nobody's for a name elsewhere", asObjects(service({ type: 'ExternalName', externalName: 'a.b' }), pod('p')), []],
  ])('%s', (_, objects, writes) => {
    expect(decide(endpointsController, { objects }).writes.map(phrase)).toEqual(writes);
  });

  it('are computed without visiting all pods', () => {
    expect(decide(endpointsController, { objects: asObjects(service(), pod('p'), endpoints(held)), noScans: true }).writes).toEqual([]);
  });

  it('have the labels of the service, and one if it is headless', () => {
    expect(written(asObjects(service({ clusterIP: 'None' }, { labels: { tier: 'front' } })))?.metadata.labels).toEqual({
      tier: 'front',
      'service.kubernetes.io/headless': '',
    });
  });

  it('keep annotations of other clients, and drop outdated ones of their own', () => {
    const current = endpoints(held, { annotations: { mine: 'yes', [TRIGGER]: '2023-01-01T00:00:00Z', [CAPACITY]: 'truncated' } });
    expect(
      written(asObjects(service(), pod('p', { turnedAt: '2024-01-01T00:00:00Z' }), current), { reported: 1 })?.metadata.annotations,
    ).toEqual({ mine: 'yes' });
  });

  it('have an annotation when they are truncated', () => {
    const pods = Array.from({ length: 1001 }, (_, i) => pod(`p${i}`, { ip: `10.1.${i >> 8}.${i & 255}` }));
    expect(written(asObjects(service(), ...pods))?.metadata.annotations?.[CAPACITY]).toBe('truncated');
  });

  it('record an event when they cannot be written', () => {
    const [made] = decide(endpointsController, { objects: asObjects(service()) }).writes;
    const [changed] = decide(endpointsController, { objects: asObjects(service(), endpoints(held)) }).writes;
    expect(
      [made, changed].map((write) =>
        write !== undefined && 'otherwise' in write ? `${write.otherwise?.reason ?? ''}: ${write.otherwise?.message ?? ''}` : '',
      ),
    ).toEqual([
      'FailedToCreateEndpoint: Failed to create endpoint for service default/web: {error}',
      'FailedToUpdateEndpoint: Failed to update endpoint default/web: {error}',
    ]);
  });

  it("are deleted with the service, and at the controller's start if they were left behind", () => {
    const absent = endpointsController.reconcileAbsent?.({
      key: 'default/web',
      cache: { get: () => endpoints(held) },
    } as unknown as Parameters<NonNullable<typeof endpointsController.reconcileAbsent>>[0]);
    expect(absent?.writes.map(phrase)).toEqual(['delete Endpoints web']);
  });
});

describe('the time of the change', () => {
  const at = (second: number): string => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  it("is the service's at first, then that of the first pod whose readiness changed", () => {
    expect(
      written(asObjects(service({}, { creationTimestamp: at(5) }), pod('p', { turnedAt: at(9) })))?.metadata.annotations?.[TRIGGER],
    ).toBe(at(5));
    expect(
      written(asObjects(service(), pod('p', { turnedAt: at(9) }), pod('q', { turnedAt: at(7), ip: '10.1.0.2' })), { reported: 0 })?.metadata
        .annotations?.[TRIGGER],
    ).toBe(at(7));
    expect(written(asObjects(service(), pod('p', { turnedAt: at(9) })), { reported: 1 })?.metadata.annotations?.[TRIGGER]).toBeUndefined();
  });

  it('is of readiness changes either way, each reported once', () => {
    const times = new Times();
    times.see(pod('p', { turnedAt: at(1) }), true);
    times.see(pod('q', { turnedAt: at(2) }), true);
    expect([times.since(0), times.since(1), times.since(2)]).toEqual([Date.parse(at(1)), Date.parse(at(2)), undefined]);
    times.see(pod('q', { turnedAt: at(2), ready: false }), true);
    expect(times.version).toBe(2);
    times.see(pod('q', { turnedAt: at(3), ready: false }), true);
    expect(times.since(2)).toBe(Date.parse(at(3)));
    times.see(pod('q', {}), false);
    times.see(pod('q', { turnedAt: at(3) }), true);
    expect(times.since(3)).toBe(Date.parse(at(3)));
  });
});

describe('changes of a pod that concern its services', () => {
  const watch = endpointsController.watches?.find(({ kind }) => kind === 'Pod');
  it('include creation', () => {
    expect(watch).toBeDefined();
  });
  it.each<[string, Parameters<typeof pod>[1], Parameters<typeof pod>[1], boolean]>([
    ['it got an address', { ip: '' }, {}, true],
    ['it turned ready', { ready: false }, {}, true],
    ['it is to go', {}, { meta: { deletionTimestamp: at0 } }, true],
    ['its labels changed', { meta: { labels: { app: 'other' } } }, {}, true],
    ['it runs', { phase: 'Pending' }, {}, false],
    ['nothing did', {}, {}, false],
  ])('%s', (_, before, after, concerns) => {
    const [old, object] = [pod('p', before), pod('p', after)];
    const sharing = before?.meta === undefined ? { ...object, metadata: { ...object.metadata, labels: old.metadata.labels } } : object;
    expect(
      enqueued(endpointsController, { objects: asObjects(service()) }, { type: 'MODIFIED', object: sharing as ApiObject, old }),
    ).toEqual(concerns ? ['default/web'] : []);
  });
  it('include changes of a pod that left the service', () => {
    expect(
      enqueued(
        endpointsController,
        { objects: asObjects(service()) },
        { type: 'MODIFIED', object: pod('p', { meta: { labels: { app: 'other' } } }), old: pod('p') },
      ),
    ).toEqual(['default/web']);
    expect(enqueued(endpointsController, { objects: asObjects(service()) }, { type: 'DELETED', object: pod('p') })).toEqual([
      'default/web',
    ]);
  });
});

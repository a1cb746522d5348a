import { describe, expect, it } from 'vitest';
import type { ApiObject, Status } from '../../../../src/apiserver/machinery/index.ts';
import type { StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import { decide, phrase, recover, type Situation } from '../../../support/reconcile.ts';
import { claimOf, claimTemplates, dying, revisionOf, setOf, setPod } from '../../../support/sets.ts';

const GATES = { StatefulSetAutoDeletePVC: true };
const stored = (spec: Partial<StatefulSet['spec']> = {}): StatefulSet =>
  setOf(
    'web',
    { replicas: 2, volumeClaimTemplates: claimTemplates('data'), ...spec },
    { currentRevision: 'r1', updateRevision: 'r1', collisionCount: 0 },
  );
const mounted = (ordinal: number) => ({
  spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-web-${ordinal}` } }] },
});
const podOf = (set: StatefulSet, ordinal: number, more: Parameters<typeof setPod>[2] = {}) =>
  setPod(set, ordinal, { ...mounted(ordinal), ...more });
const on = (objects: readonly ApiObject[], more: Partial<Situation> = {}) => decide(statefulSet, { objects, ...more });
const refusal = (reason: string, message: string): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason,
  message,
  code: 403,
});
const events = (outcome: Outcome | undefined): readonly string[] =>
  (outcome?.writes ?? []).flatMap((write) => (write.op === 'event' ? [`${write.event.reason}: ${write.event.message}`] : []));

describe('claims of a pod', () => {
  const set = stored();
  const r1 = revisionOf(set, 'r1', 1);
  it("are created before it, with the selector's labels, and mounted", () => {
    const outcome = on([set, r1]);
    expect(outcome.writes.map(phrase)).toEqual([
      'create PersistentVolumeClaim data-web-0',
      'create Pod web-0',
      'update StatefulSet/status web',
    ]);
    expect(outcome.writes[0]).toMatchObject({
      object: { metadata: { labels: { app: 'web' }, namespace: 'default' }, spec: { accessModes: ['ReadWriteOnce'] } },
      then: { reason: 'SuccessfulCreate', message: 'create Claim data-web-0 Pod web-0 in StatefulSet web success' },
    });
    expect(outcome.writes[1]).toMatchObject({
      object: { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }] } },
    });
  });

  it('are used again by a new pod of the same name', () =>
    expect(on([set, r1, claimOf(set, 'data', 0)]).writes.map(phrase)).toEqual(['create Pod web-0', 'update StatefulSet/status web']));

  it('take precedence over volumes of the same name', () => {
    const spec = {
      ...set.spec.template.spec,
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'other', emptyDir: {} },
      ],
    };
    const own = stored({ template: { ...set.spec.template, spec } });
    expect(on([own, revisionOf(own, 'r1', 1)]).writes[1]).toMatchObject({
      object: {
        spec: {
          volumes: [
            { name: 'data', persistentVolumeClaim: {} },
            { name: 'other', emptyDir: {} },
          ],
        },
      },
    });
  });

  it('that are being deleted prevent its creation', () => {
    const outcome = on([set, r1, claimOf(set, 'data', 0, dying)]);
    expect(events(outcome)).toEqual(['FailedCreate: create Pod web-0 in StatefulSet web failed error: pvc data-web-0 is being deleted']);
    expect(outcome).toMatchObject({ backoff: 'retry' });
    expect(outcome.writes).toHaveLength(1);
  });

  it("that cannot be created prevent its creation, but not one another's", () => {
    const two = stored({ volumeClaimTemplates: claimTemplates('data', 'logs') });
    const objects = [two, revisionOf(two, 'r1', 1)];
    const [first, second, ...rest] = on(objects).writes as [Write, Write, ...Write[]];
    const outcome = recover(
      statefulSet,
      { objects },
      { write: first, status: refusal('Forbidden', 'no more'), dropped: [second, ...rest] },
    );
    expect(outcome?.writes.map(phrase)).toEqual(['event FailedCreate', 'create PersistentVolumeClaim logs-web-0', 'event FailedCreate']);
    expect(events(outcome)).toEqual([
      'FailedCreate: create Claim data-web-0 Pod web-0 in StatefulSet web failed error: no more',
      'FailedCreate: create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: no more',
    ]);
    const last = recover(
      statefulSet,
      { objects, memory: outcome?.memory },
      { write: second, status: refusal('AlreadyExists', 'there'), dropped: outcome?.writes.slice(2) ?? [] },
    );
    expect(events(last)).toEqual([
      'FailedCreate: create Pod web-0 in StatefulSet web failed error: [failed to create PVC data-web-0: no more, failed to create PVC logs-web-0: there]',
    ]);
    expect(last).toMatchObject({ backoff: 'retry' });
  });

  it('that an adopted pod does not mount are added to it, if possible', () => {
    const outcome = on([set, r1, setPod(set, 0), podOf(set, 1)]);
    expect(outcome.writes.map(phrase)).toEqual([
      'create PersistentVolumeClaim data-web-0',
      'patch Pod web-0',
      'update StatefulSet/status web',
    ]);
    expect(outcome.writes[1]).toMatchObject({
      patch: { spec: { volumes: [{ name: 'data' }] } },
      otherwise: { reason: 'FailedUpdate', message: 'update Pod web-0 in StatefulSet web failed error: {error}' },
    });
  });
});

describe('a refused pod', () => {
  const set = stored({ volumeClaimTemplates: [] });
  const objects = [set, revisionOf(set, 'r1', 1)];
  const create = on(objects).writes[0] as Write;
  it('is reported, and retried later', () => {
    const outcome = recover(statefulSet, { objects }, { write: create, status: refusal('Forbidden', 'exceeded quota'), dropped: [] });
    expect(events(outcome)).toEqual(['FailedCreate: create Pod web-0 in StatefulSet web failed error: exceeded quota']);
    expect(outcome).toMatchObject({ backoff: 'retry' });
  });
  it('does not prevent the deletion of old revisions', () => {
    const old = { op: 'delete', kind: 'ControllerRevision', namespace: 'default', name: 'web-old', uid: 'uid-old' } as const;
    const outcome = recover(
      statefulSet,
      { objects },
      { write: create, status: refusal('Forbidden', 'exceeded quota'), dropped: [create, old] },
    );
    expect(outcome?.writes.map(phrase)).toEqual(['event FailedCreate', 'delete ControllerRevision web-old']);
    expect(outcome?.backoff).toBe('retry');
  });

  it('is not reported when its name is taken', () =>
    expect(recover(statefulSet, { objects }, { write: create, status: refusal('AlreadyExists', 'there'), dropped: [] })).toMatchObject({
      writes: [],
      backoff: 'retry',
    }));
  it('a conflicting status is computed again after a short delay', () => {
    const status = on(objects).writes.at(-1) as Write;
    expect(
      recover(
        statefulSet,
        { objects, memory: { statusFrom: '1' } },
        { write: status, status: refusal('Conflict', 'changed'), dropped: [] },
      ),
    ).toMatchObject({ writes: [], memory: {}, enqueue: [{ key: 'default/web', afterMs: 10 }], backoff: 'keep' });
  });
});

describe('retention of claims', () => {
  const policy = (whenDeleted: string, whenScaled: string, replicas = 1): StatefulSet =>
    stored({ replicas, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
  const bySet = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'uid-web' }] };
  const byPod = (ordinal: number, uid = `uid-web-${ordinal}`) => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: `web-${ordinal}`, uid }],
  });
  /** The changes of claims 0 (wanted) and 1 (scaled down) of a set of one, with these owners. */
  const changes = (set: StatefulSet, zero: object, one: object, gates: Record<string, boolean> = GATES): readonly unknown[] => {
    const objects = [
      set,
      revisionOf(set, 'r1', 1),
      podOf(set, 0),
      podOf(set, 1),
      claimOf(set, 'data', 0, { ...zero }),
      claimOf(set, 'data', 1, { ...one }),
    ];
    return on(objects, { gates }).writes.flatMap((write) =>
      write.op === 'patch' && write.kind !== 'Pod'
        ? [
            [
              write.name,
              ...(
                write.patch as { metadata: { ownerReferences: { $patch?: string; kind?: string; uid: string }[] } }
              ).metadata.ownerReferences.map(({ $patch, kind, uid }) => `${$patch ?? 'add'} ${kind ?? uid}`),
            ],
          ]
        : [],
    );
  };

  it.each([
    ['Retain', 'Retain', {}, {}, []],
    [
      'Retain',
      'Retain',
      bySet,
      byPod(1),
      [
        ['data-web-0', 'delete uid-web'],
        ['data-web-1', 'delete uid-web-1'],
      ],
    ],
    [
      'Delete',
      'Retain',
      {},
      {},
      [
        ['data-web-0', 'add StatefulSet'],
        ['data-web-1', 'add StatefulSet'],
      ],
    ],
    ['Delete', 'Retain', bySet, bySet, []],
    ['Retain', 'Delete', {}, {}, [['data-web-1', 'add Pod']]],
    ['Retain', 'Delete', byPod(0), byPod(1), [['data-web-0', 'delete uid-web-0']]],
    [
      'Delete',
      'Delete',
      {},
      bySet,
      [
        ['data-web-0', 'add StatefulSet'],
        ['data-web-1', 'delete uid-web', 'add Pod'],
      ],
    ],
    ['Delete', 'Delete', bySet, byPod(1), []],
  ])('deleted %s, scaled %s', (whenDeleted, whenScaled, zero, one, expected) =>
    expect(changes(policy(whenDeleted, whenScaled), zero, one)).toEqual(expected),
  );

  it('does nothing while the gate is off', () => expect(changes(policy('Delete', 'Delete'), {}, {}, {})).toEqual([]));

  it('sets owners together with a new pod', () => {
    const set = policy('Delete', 'Retain');
    expect(on([set, revisionOf(set, 'r1', 1)], { gates: GATES }).writes.map(phrase)).toEqual([
      'create PersistentVolumeClaim data-web-0',
      'create Pod web-0',
      'patch PersistentVolumeClaim data-web-0',
      'update StatefulSet/status web',
    ]);
  });

  it('records a repair as an update of the pod', () => {
    const set = policy('Delete', 'Retain');
    const outcome = on([set, revisionOf(set, 'r1', 1), podOf(set, 0), claimOf(set, 'data', 0)], { gates: GATES });
    expect(outcome.writes.map(phrase)).toEqual([
      'patch PersistentVolumeClaim data-web-0',
      'patch Pod web-0',
      'update StatefulSet/status web',
    ]);
    expect(outcome.writes[0]).toMatchObject({
      otherwise: {
        reason: 'FailedUpdate',
        message: 'update Pod web-0 in StatefulSet web failed error: Could not update claim data-web-0 for delete policy ownerRefs: {error}',
      },
    });
  });

  it('waits for a claim owned by an earlier pod', () => {
    const set = policy('Retain', 'Delete', 2);
    const objects = [set, revisionOf(set, 'r1', 1), podOf(set, 0), claimOf(set, 'data', 0), claimOf(set, 'data', 1, byPod(1, 'earlier'))];
    const outcome = on(objects, { gates: GATES });
    expect(outcome.writes.map(phrase)).toEqual(['update StatefulSet/status web']);
    expect(outcome.why).toBe('a claim of web-1 belongs to an earlier pod of that name: waiting for its deletion');
  });
});

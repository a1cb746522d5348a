import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import { AT, barePod } from '../../../support/objects.ts';
import { decide, enqueued, phrase, resume, type Situation } from '../../../support/reconcile.ts';
import { claimOf, claimTemplates, dying, revisionOf, setOf, setPod } from '../../../support/sets.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';

const set = setOf('web', { replicas: 2 }, { currentRevision: 'r1', updateRevision: 'r1', collisionCount: 0 });
const r1 = revisionOf(set, 'r1', 1);
const left = (ordinal: number, meta: object = {}) => setPod(set, ordinal, { meta: { ownerReferences: undefined, ...meta } });
const phrases = (objects: readonly ApiObject[], more: Partial<Situation> = {}) =>
  decide(statefulSet, { objects, ...more }).writes.map(phrase);
const answered = (objects: readonly ApiObject[], object: ApiObject | undefined) =>
  resume(statefulSet, { objects }, { write: decide(statefulSet, { objects }).writes[0] as Write, object });

describe('pods nobody manages', () => {
  it('are adopted once the server says that the set is still there', () => {
    const objects = [set, r1, left(0)];
    expect(phrases(objects)).toEqual(['get StatefulSet web']);
    const outcome = answered(objects, set);
    expect(outcome.writes.map(phrase)).toEqual(['patch Pod web-0', 'create Pod web-1', 'update StatefulSet/status web']);
    expect(outcome.writes[0]).toMatchObject({
      patch: { metadata: { uid: 'uid-web-0', ownerReferences: [{ uid: 'uid-web', controller: true }] } },
    });
  });

  it.each([
    ['gone', undefined],
    ['being deleted', { ...set, metadata: { ...set.metadata, ...dying } }],
    ['another one', { ...set, metadata: { ...set.metadata, uid: 'other' } }],
  ])('are not when the set is %s', (_, object) => {
    expect(answered([set, r1, left(0)], object)).toMatchObject({ writes: [], backoff: 'retry' });
  });

  it('are left alone if another name, other labels or their end says so', () => {
    for (const pod of [left(0, { name: 'else-0' }), left(0, { labels: { app: 'else' } }), left(0, { name: 'web-00' }), left(0, dying)])
      expect(phrases([set, r1, pod])).toContain('create Pod web-0');
  });

  it('are left alone by a set that is being deleted', () => {
    expect(phrases([{ ...set, metadata: { ...set.metadata, ...dying } }, r1, left(0)])).not.toContain('get StatefulSet web');
  });

  it('are replaced in time if they are of no revision', () => {
    const objects = [set, r1, left(0), left(1, { labels: { app: 'web', 'statefulset.kubernetes.io/pod-name': 'web-1' } })];
    expect(answered(objects, set).writes.map(phrase)).toEqual([
      'patch Pod web-0',
      'patch Pod web-1',
      'delete Pod web-1',
      'update StatefulSet/status web',
    ]);
  });
});

describe('pods it manages', () => {
  it('are let go when its selector no longer chooses them', () => {
    const [release] = decide(statefulSet, { objects: [set, r1, setPod(set, 0, { meta: { labels: { app: 'else' } } })] }).writes;
    expect(release).toMatchObject({
      op: 'patch',
      kind: 'Pod',
      name: 'web-0',
      patch: { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'uid-web' }] } },
    });
  });

  it('are let go when they are not named as its own', () => {
    expect(phrases([set, r1, setPod(set, 0), setPod(set, 1), setPod(set, 7, { meta: { name: 'stray', uid: 'stray' } })])).toEqual([
      'patch Pod stray',
      'update StatefulSet/status web',
    ]);
  });
});

describe('revisions nobody manages', () => {
  const orphan = { ...r1, metadata: { ...r1.metadata, ownerReferences: [] } };
  it('are adopted', () => {
    const objects = [set, orphan, setPod(set, 0), setPod(set, 1)];
    expect(answered(objects, set).writes.map(phrase)).toEqual(['patch ControllerRevision r1', 'update StatefulSet/status web']);
  });
  it('are not its own with other labels', () => {
    expect(phrases([set, { ...orphan, metadata: { ...orphan.metadata, labels: { app: 'else' } } }])[0]).toMatch(
      /^create ControllerRevision/,
    );
  });
});

describe('what concerns a set', () => {
  const others = [setOf('other')];
  const keys = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject, old?: ApiObject) =>
    enqueued(
      statefulSet,
      { objects: [set, ...others, setOf('stored', { volumeClaimTemplates: claimTemplates('my-data') })] },
      { type, object, ...(old === undefined ? {} : { old }) },
    );
  const pod = setPod(set, 0);

  it('is every change of its pods', () => {
    for (const type of ['ADDED', 'MODIFIED', 'DELETED'] as const) expect(keys(type, pod, pod)).toEqual(['default/web']);
  });
  it('is a pod that it loses, or gets', () => {
    expect(keys('MODIFIED', left(0), pod)).toEqual(['default/web', 'default/web']);
    expect(keys('MODIFIED', pod, left(0))).toEqual(['default/web']);
  });
  it('is an unmanaged pod of its name that it selects, when that is new', () => {
    expect(keys('ADDED', left(0))).toEqual(['default/web']);
    const same = left(0);
    expect(keys('MODIFIED', { ...same, status: { phase: 'Failed' } }, same)).toEqual([]);
    expect(keys('ADDED', barePod('web-0'))).toEqual([]);
    expect(keys('ADDED', left(0, { name: 'nobody-0' }))).toEqual([]);
  });
  it('is not a pod of a namesake that is gone', () =>
    expect(
      keys('MODIFIED', {
        ...pod,
        metadata: {
          ...pod.metadata,
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'earlier', controller: true }],
        },
      }),
    ).toEqual([]));
  it('is a claim of its own that goes', () => {
    const stored = setOf('stored');
    expect(keys('DELETED', claimOf(stored, 'my-data', 0))).toEqual(['default/stored']);
    expect(keys('DELETED', claimOf(stored, 'other', 0))).toEqual([]);
    expect(keys('MODIFIED', claimOf(stored, 'my-data', 0, { creationTimestamp: AT }))).toEqual([]);
  });
});

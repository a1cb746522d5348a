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

describe('pods without a controller', () => {
  it('are adopted after a live read of the set', () => {
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
  ])('are not adopted when the set is %s', (_, object) => {
    expect(answered([set, r1, left(0)], object)).toMatchObject({ writes: [], backoff: 'retry' });
  });

  it('are not adopted with another name, other labels or after their end', () => {
    for (const pod of [left(0, { name: 'else-0' }), left(0, { labels: { app: 'else' } }), left(0, { name: 'web-00' }), left(0, dying)])
      expect(phrases([set, r1, pod])).toContain('create Pod web-0');
  });

  it('are not adopted by a set that is being deleted', () => {
    expect(phrases([{ ...set, metadata: { ...set.metadata, ...dying } }, r1, left(0)])).not.toContain('get StatefulSet web');
  });

  it('are replaced later if they have no revision', () => {
    const objects = [set, r1, left(0), left(1, { labels: { app: 'web', 'statefulset.kubernetes.io/pod-name': 'web-1' } })];
    expect(answered(objects, set).writes.map(phrase)).toEqual([
      'patch Pod web-0',
      'patch Pod web-1',
      'delete Pod web-1',
      'update StatefulSet/status web',
    ]);
  });
});

describe('pods of the set', () => {
  it('are released when its selector no longer matches', () => {
    const [release] = decide(statefulSet, { objects: [set, r1, setPod(set, 0, { meta: { labels: { app: 'else' } } })] }).writes;
    expect(release).toMatchObject({
      op: 'patch',
      kind: 'Pod',
      name: 'web-0',
      patch: { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'uid-web' }] } },
    });
  });

  it('are released when their names are not those of its pods', () => {
    expect(phrases([set, r1, setPod(set, 0), setPod(set, 1), setPod(set, 7, { meta: { name: 'stray', uid: 'stray' } })])).toEqual([
      'patch Pod stray',
      'update StatefulSet/status web',
    ]);
  });
});

describe('revisions without a controller', () => {
  const orphan = { ...r1, metadata: { ...r1.metadata, ownerReferences: [] } };
  it('are adopted', () => {
    const objects = [set, orphan, setPod(set, 0), setPod(set, 1)];
    expect(answered(objects, set).writes.map(phrase)).toEqual(['patch ControllerRevision r1', 'update StatefulSet/status web']);
  });
  it('are not adopted with other labels', () => {
    expect(phrases([set, { ...orphan, metadata: { ...orphan.metadata, labels: { app: 'else' } } }])[0]).toMatch(
      /^create ControllerRevision/,
    );
  });
});

describe('changes that enqueue a set', () => {
  const others = [setOf('other')];
  const keys = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject, old?: ApiObject) =>
    enqueued(
      statefulSet,
      { objects: [set, ...others, setOf('stored', { volumeClaimTemplates: claimTemplates('my-data') })] },
      { type, object, ...(old === undefined ? {} : { old }) },
    );
  const pod = setPod(set, 0);

  it('include every change of its pods', () => {
    for (const type of ['ADDED', 'MODIFIED', 'DELETED'] as const) expect(keys(type, pod, pod)).toEqual(['default/web']);
  });
  it('include a pod that leaves or joins it', () => {
    expect(keys('MODIFIED', left(0), pod)).toEqual(['default/web', 'default/web']);
    expect(keys('MODIFIED', pod, left(0))).toEqual(['default/web']);
  });
  it('include an unmanaged pod of its name, when it first matches', () => {
    expect(keys('ADDED', left(0))).toEqual(['default/web']);
    const same = left(0);
    expect(keys('MODIFIED', { ...same, status: { phase: 'Failed' } }, same)).toEqual([]);
    expect(keys('ADDED', barePod('web-0'))).toEqual([]);
    expect(keys('ADDED', left(0, { name: 'nobody-0' }))).toEqual([]);
  });
  it('exclude a pod of an earlier set of the same name', () =>
    expect(
      keys('MODIFIED', {
        ...pod,
        metadata: {
          ...pod.metadata,
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'earlier', controller: true }],
        },
      }),
    ).toEqual([]));
  it('include the deletion of one of its claims', () => {
    const stored = setOf('stored');
    expect(keys('DELETED', claimOf(stored, 'my-data', 0))).toEqual(['default/stored']);
    expect(keys('DELETED', claimOf(stored, 'other', 0))).toEqual([]);
    expect(keys('MODIFIED', claimOf(stored, 'my-data', 0, { creationTimestamp: AT }))).toEqual([]);
  });
});

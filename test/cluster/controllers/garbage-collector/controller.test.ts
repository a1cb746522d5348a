import { describe, expect, it } from 'vitest';
import { garbageCollector } from '../../../../src/cluster/controllers/garbage-collector/controller.ts';
import { kindsFor, namesFor, type ApiObject, type OwnerReference } from '../../../../src/cluster/api/index.ts';
import { barePod, jobOf, nodeOf } from '../../../support/objects.ts';
import { decide, enqueued, phrase, recover } from '../../../support/reconcile.ts';

const collector = garbageCollector(kindsFor(namesFor('k8s.io')));
const to = (owner: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference => ({ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, ...more });
const owned = (name: string, ownerReferences: readonly OwnerReference[], meta: object = {}) => barePod(name, 'Running', { meta: { ownerReferences, ...meta } });
const going = (finalizer: string) => ({ deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: [finalizer] });
const gone = jobOf('gone');
const writesFor = (key: string, objects: readonly ApiObject[], memory?: unknown) => decide(collector, { objects, key, memory }).writes;
const absent = { absent: ['uid-gone'] };

describe('an object whose owner cannot be seen', () => {
  it('is deleted only after the server confirmed it', () => {
    const objects = [owned('p', [to(gone)])];
    const [check] = writesFor('Pod/default/p', objects);
    expect(check).toEqual({ op: 'check', kind: 'Job', namespace: 'default', name: 'gone', uid: 'uid-gone' });
    if (check === undefined) throw new Error('a check expected');
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound' } as const;
    const outcome = recover(collector, { objects, key: 'Pod/default/p' }, { write: check, status, dropped: [] });
    expect(outcome?.writes).toMatchObject([{ op: 'delete', name: 'p', uid: 'uid-p', propagationPolicy: 'Background' }]);
    expect(recover(collector, { objects, key: 'Pod/default/p' }, { write: check, status: { ...status, reason: 'Timeout' }, dropped: [] })).toBeUndefined();
  });

  it('has an owner of another uid: that is no owner', () => {
    expect(writesFor('Pod/default/p', [jobOf('gone', {}, {}, { uid: 'new' }), owned('p', [to(gone)])], absent)).toMatchObject([{ op: 'delete' }]);
  });

  it('stays while another owner exists, without the dangling reference', () => {
    const stays = jobOf('stays');
    expect(writesFor('Pod/default/p', [stays, owned('p', [to(stays), to(gone)])], absent)).toMatchObject([{ op: 'patch', patch: { metadata: { uid: 'uid-p', ownerReferences: [{ $patch: 'delete', uid: 'uid-gone' }] } } }]);
  });

  it('is left alone when the kind of its owner is not known', () => {
    expect(writesFor('Pod/default/p', [owned('p', [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u' }])])).toEqual([]);
  });

  it('keeps the policy its own finalizers ask for', () => {
    expect(writesFor('Pod/default/p', [owned('p', [to(gone)], { finalizers: ['orphan'] })], absent)).toMatchObject([{ propagationPolicy: 'Orphan' }]);
    expect(writesFor('Pod/default/p', [owned('p', [to(gone)], { finalizers: ['foregroundDeletion'] })], absent)).toMatchObject([{ propagationPolicy: 'Foreground' }]);
  });
});

describe('owners in the wrong place', () => {
  const elsewhere = jobOf('owner', {}, {}, { namespace: 'other' });
  const text = 'ownerRef [batch/v1/Job, namespace: default, name: owner, uid: uid-owner] does not exist in namespace "default"';

  it('in another namespace are none, and that is said', () => {
    expect(writesFor('Pod/default/p', [elsewhere, owned('p', [to(elsewhere)])])).toMatchObject([{ op: 'event', event: { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message: text } }, { op: 'delete' }]);
  });

  it('that are namespaced cannot own a cluster-scoped object, which stays', () => {
    const node = { ...nodeOf('n'), metadata: { ...nodeOf('n').metadata, ownerReferences: [to(elsewhere)] } };
    expect(writesFor('Node/n', [elsewhere, node]).map(phrase)).toEqual(['event OwnerRefInvalidNamespace']);
  });
});

describe('foreground deletion', () => {
  const owner = jobOf('a', {}, {}, going('foregroundDeletion'));

  it('waits for the dependents that block', () => {
    const dependent = owned('p', [to(owner, { blockOwnerDeletion: true })]);
    expect(writesFor('Job/default/a', [owner, dependent])).toEqual([]);
    expect(writesFor('Pod/default/p', [owner, dependent])).toMatchObject([{ op: 'delete', propagationPolicy: 'Background' }]);
    expect(writesFor('Job/default/a', [owner, owned('p', [to(owner)])])).toMatchObject([{ op: 'patch', kind: 'Job', patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['foregroundDeletion'] } } }]);
  });

  it('goes down to the dependents of dependents', () => {
    const dependent = owned('p', [to(owner, { blockOwnerDeletion: true })]);
    expect(writesFor('Pod/default/p', [owner, dependent, owned('q', [to(dependent)])])).toMatchObject([{ op: 'delete', propagationPolicy: 'Foreground' }]);
    expect(writesFor('Pod/default/p', [owner, dependent, owned('q', [to(dependent)], going('foregroundDeletion'))])).toMatchObject([{ op: 'patch', patch: { metadata: { ownerReferences: [{ uid: 'uid-a', blockOwnerDeletion: false }] } } }]);
  });

  it('puts owner and dependents up for a look, and the owner again when one is gone', () => {
    const before = jobOf('a');
    const dependent = owned('p', [to(owner)]);
    expect(enqueued(collector, { objects: [owner, dependent] }, { type: 'MODIFIED', object: owner, old: before })).toEqual(['Pod/default/p', 'Job/default/a']);
    expect(enqueued(collector, { objects: [owner] }, { type: 'DELETED', object: dependent })).toEqual(['Job/default/a']);
    expect(enqueued(collector, { objects: [owner, dependent] }, { type: 'MODIFIED', object: { ...dependent, spec: { ...dependent.spec, nodeName: 'n' } } as unknown as ApiObject, old: dependent })).toEqual([]);
  });
});

describe('orphaning', () => {
  it('cuts all ties before the owner goes', () => {
    const owner = jobOf('a', {}, {}, going('orphan'));
    expect(writesFor('Job/default/a', [owner, owned('p', [to(owner)]), owned('q', [to(owner)])]).map(phrase)).toEqual(['patch Pod p', 'patch Pod q', 'patch Job a']);
  });
});

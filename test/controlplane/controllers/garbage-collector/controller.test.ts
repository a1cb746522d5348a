import { describe, expect, it } from 'vitest';
import { garbageCollector } from '../../../../src/controlplane/controllers/garbage-collector/controller.ts';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor, type OwnerReference } from '../../../../src/apiserver/machinery/index.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { barePod, jobOf, nodeOf } from '../../../support/objects.ts';
import { decide, enqueued, phrase, resume } from '../../../support/reconcile.ts';

const collector = garbageCollector(kindsFor(namesFor('k8s.io')));
const to = (owner: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...more,
});
const owned = (name: string, ownerReferences: readonly OwnerReference[], meta: object = {}) =>
  barePod(name, 'Running', { meta: { ownerReferences, ...meta } });
const going = (finalizer: string) => ({ deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: [finalizer] });
const gone = jobOf('gone');
/** The writes in the end, while the server has what the cache has, except `gone`. */
const writesFor = (key: string, objects: readonly ApiObject[]): readonly Write[] => {
  let outcome = decide(collector, { objects, key });
  for (let write = outcome.writes[0]; write?.op === 'get'; write = outcome.writes[0]) {
    const { kind, name, namespace } = write;
    const object = objects.find(
      (candidate) => candidate.kind === kind && candidate.metadata.name === name && candidate.metadata.namespace === namespace,
    );
    outcome = resume(collector, { objects, key, memory: outcome.memory ?? undefined }, { write, object });
  }
  return outcome.writes;
};

describe('an object whose owner is not in the cache', () => {
  it('is deleted only as the server has it, and if the server does not have the owner either', () => {
    const objects = [owned('p', [to(gone)])];
    const first = decide(collector, { objects, key: 'Pod/default/p' });
    expect(first.writes).toEqual([{ op: 'get', kind: 'Pod', namespace: 'default', name: 'p', tolerate: ['NotFound'], resume: true }]);
    const second = resume(collector, { objects, key: 'Pod/default/p' }, { write: first.writes[0] as Write, object: objects[0] });
    expect(second.writes).toEqual([{ op: 'get', kind: 'Job', namespace: 'default', name: 'gone', tolerate: ['NotFound'], resume: true }]);
    expect(
      resume(collector, { objects, key: 'Pod/default/p', memory: second.memory }, { write: second.writes[0] as Write, object: gone })
        .writes,
    ).toEqual([]);
    expect(writesFor('Pod/default/p', objects)).toMatchObject([
      { op: 'delete', name: 'p', uid: 'uid-p', propagationPolicy: 'Background', resourceVersion: objects[0]?.metadata.resourceVersion },
    ]);
  });

  it('is looked at again while the server has an owner that the cache lacks: its deletion may fall between two lists', () => {
    const child = owned('p', [to(gone)]);
    const answered = (objects: readonly ApiObject[]) => {
      const first = { op: 'get', kind: 'Pod', name: 'p' } as const;
      const asked = resume(collector, { objects, key: 'Pod/default/p' }, { write: first, object: child });
      const owner = asked.writes[0] as Write;
      return resume(collector, { objects, key: 'Pod/default/p', memory: asked.memory }, { write: owner, object: gone });
    };
    expect(answered([child])).toMatchObject({ writes: [], backoff: 'retry' });
    expect(answered([child, gone])).not.toHaveProperty('backoff');
  });

  it('stays when it was orphaned in the meantime', () => {
    expect(
      resume(
        collector,
        { objects: [owned('p', [to(gone)])], key: 'Pod/default/p' },
        { write: { op: 'get', kind: 'Pod', name: 'p' }, object: barePod('p') },
      ).writes,
    ).toEqual([]);
  });

  it('has an object of another uid, which does not count as owner', () => {
    expect(writesFor('Pod/default/p', [jobOf('gone', {}, {}, { uid: 'new' }), owned('p', [to(gone)])])).toMatchObject([{ op: 'delete' }]);
  });

  it('stays while another owner exists, without the dangling reference', () => {
    const stays = jobOf('stays');
    expect(writesFor('Pod/default/p', [stays, owned('p', [to(stays), to(gone)])])).toMatchObject([
      { op: 'patch', patch: { metadata: { uid: 'uid-p', ownerReferences: [{ $patch: 'delete', uid: 'uid-gone' }] } } },
    ]);
  });

  it('does not wait for its own dependents, which are deleted when it is gone', () => {
    const set = jobOf('middle', {}, {}, { ownerReferences: [to(gone)] });
    expect(writesFor('Job/default/middle', [set, owned('p', [to(set)])])).toMatchObject([
      { op: 'delete', name: 'middle', propagationPolicy: 'Background' },
    ]);
  });

  it('is kept when the kind of its owner is unknown', () => {
    expect(writesFor('Pod/default/p', [owned('p', [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u' }])])).toEqual([]);
  });

  it('keeps the policy its own finalizers ask for', () => {
    expect(writesFor('Pod/default/p', [owned('p', [to(gone)], { finalizers: ['orphan'] })])).toMatchObject([
      { propagationPolicy: 'Orphan' },
    ]);
    expect(writesFor('Pod/default/p', [owned('p', [to(gone)], { finalizers: ['foregroundDeletion'] })])).toMatchObject([
      { propagationPolicy: 'Foreground' },
    ]);
  });
});

describe('owners in the wrong place', () => {
  const elsewhere = jobOf('owner', {}, {}, { namespace: 'other' });
  const text = 'ownerRef [batch/v1/Job, namespace: default, name: owner, uid: uid-owner] does not exist in namespace "default"';

  it('in another namespace do not count, with an event', () => {
    expect(writesFor('Pod/default/p', [elsewhere, owned('p', [to(elsewhere)])])).toMatchObject([
      { op: 'event', event: { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message: text } },
      { op: 'delete' },
    ]);
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
    expect(writesFor('Job/default/a', [owner, owned('p', [to(owner)])])).toMatchObject([
      { op: 'patch', kind: 'Job', patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['foregroundDeletion'] } } },
    ]);
  });

  it('goes down to the dependents of dependents', () => {
    const dependent = owned('p', [to(owner, { blockOwnerDeletion: true })]);
    expect(writesFor('Pod/default/p', [owner, dependent, owned('q', [to(dependent)])])).toMatchObject([
      { op: 'delete', propagationPolicy: 'Foreground' },
    ]);
    expect(writesFor('Pod/default/p', [owner, dependent, owned('q', [to(dependent)], going('foregroundDeletion'))])).toMatchObject([
      { op: 'patch', patch: { metadata: { ownerReferences: [{ uid: 'uid-a', blockOwnerDeletion: false }] } } },
      { op: 'delete', name: 'p', propagationPolicy: 'Foreground' },
    ]);
  });

  it('enqueues owner and dependents, and the owner again when one is gone', () => {
    const before = jobOf('a');
    const dependent = owned('p', [to(owner)]);
    expect(enqueued(collector, { objects: [owner, dependent] }, { type: 'MODIFIED', object: owner, old: before })).toEqual([
      'Pod/default/p',
      'Job/default/a',
    ]);
    expect(enqueued(collector, { objects: [owner] }, { type: 'DELETED', object: dependent })).toEqual(['Job/default/a']);
    const blocking = owned('b', [to(owner, { blockOwnerDeletion: true })]);
    expect(enqueued(collector, { objects: [owner, blocking] }, { type: 'MODIFIED', object: owner, old: before })).toEqual([
      'Job/default/a',
    ]);
    expect(
      decide(collector, {
        objects: [owner, blocking, owned('c', [to(owner, { blockOwnerDeletion: true })], going('hold'))],
        key: 'Job/default/a',
      }),
    ).toMatchObject({ writes: [], enqueue: ['Pod/default/b'] });
    expect(enqueued(collector, { objects: [owner, blocking] }, { type: 'ADDED', object: blocking })).toEqual([]);
    expect(
      enqueued(
        collector,
        { objects: [owner, dependent] },
        { type: 'MODIFIED', object: { ...dependent, spec: { ...dependent.spec, nodeName: 'n' } }, old: dependent },
      ),
    ).toEqual([]);
  });
});

describe('orphaning', () => {
  it('removes all owner references before the owner is deleted', () => {
    const owner = jobOf('a', {}, {}, going('orphan'));
    expect(writesFor('Job/default/a', [owner, owned('p', [to(owner)]), owned('q', [to(owner)])]).map(phrase)).toEqual([
      'patch Pod p',
      'patch Pod q',
      'patch Job a',
    ]);
  });
});

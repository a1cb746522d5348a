/** Which nodes of the graph a change concerns, and what is written about owners that wait for their dependents. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor, type OwnerReference } from '../../../../src/apiserver/machinery/index.ts';
import { garbageCollector } from '../../../../src/controlplane/controllers/garbage-collector/controller.ts';
import { rememberGone } from '../../../../src/controlplane/controllers/garbage-collector/graph.ts';
import { AT, barePod, jobOf, nodeOf } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, observingWith } from '../../../support/reconcile.ts';

const collector = () => garbageCollector(kindsFor(namesFor('k8s.io')));
const to = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  name,
  uid: `uid-${name}`,
  ...more,
});
const dying = (...finalizers: readonly string[]) => ({ deletionTimestamp: AT, finalizers });
const FOREGROUND = dying('foregroundDeletion');
const BLOCKS = { blockOwnerDeletion: true };
const pod = (name: string, ownerReferences?: readonly OwnerReference[], meta: object = {}) =>
  barePod(name, 'Running', { meta: { ...(ownerReferences === undefined ? {} : { ownerReferences }), ...meta } });

describe('a change concerns', () => {
  const waits = jobOf('waits', {}, {}, FOREGROUND);
  const dependents = [pod('blocking', [to('j', BLOCKS)]), pod('loose', [to('j')]), pod('other', [to('k')])];
  const objects = [jobOf('j'), waits, ...dependents];
  const keys = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject, old?: ApiObject) =>
    enqueued(collector(), { objects }, { type, object, ...(old === undefined ? {} : { old }) });
  const job = (meta: Readonly<Record<string, unknown>> = {}) => jobOf('j', {}, {}, meta);
  const p = (...owners: readonly OwnerReference[]) => pod('p', owners);

  it.each<[string, () => readonly unknown[], readonly string[]]>([
    ['the dependents of what is gone', () => keys('DELETED', job()), ['Pod/default/blocking', 'Pod/default/loose']],
    ['the owner that waited for what is gone', () => keys('DELETED', p(to('waits'), to('j'))), ['Job/default/waits']],
    ['no owner of another uid', () => keys('DELETED', p(to('waits', { uid: 'former' }))), []],
    ['nothing of a new object without owners', () => keys('ADDED', pod('p')), []],
    ['nothing of a new object whose owners exist', () => keys('ADDED', p(to('j'))), []],
    ['a new object whose owner is missing', () => keys('ADDED', p(to('j'), to('gone'))), ['Pod/default/p']],
    ['a new object whose owner has another uid', () => keys('ADDED', p(to('j', { uid: 'former' }))), ['Pod/default/p']],
    ['an object that got a missing owner', () => keys('MODIFIED', p(to('gone')), pod('p')), ['Pod/default/p']],
    ['nothing of an object that keeps its missing owner', () => keys('MODIFIED', p(to('gone')), p(to('gone'))), []],
    ['an object whose missing owner has changed', () => keys('MODIFIED', p(to('gone', BLOCKS)), p(to('gone'))), ['Pod/default/p']],
    [
      'the owner that an object does not block any more',
      () => keys('MODIFIED', p(to('waits')), p(to('waits', BLOCKS))),
      ['Job/default/waits'],
    ],
    ['the owner that an object has lost', () => keys('MODIFIED', pod('p'), p(to('waits', BLOCKS))), ['Job/default/waits']],
    ['no owner that never waited for it', () => keys('MODIFIED', pod('p'), p(to('waits'))), []],
    ['no owner that still waits for it', () => keys('MODIFIED', p(to('waits', BLOCKS), to('j')), p(to('waits', BLOCKS))), []],
    ['no lost owner that does not wait', () => keys('MODIFIED', pod('p'), p(to('j', BLOCKS))), []],
    [
      'the lost owner and the missing one',
      () => keys('MODIFIED', p(to('gone')), p(to('waits', BLOCKS))),
      ['Pod/default/p', 'Job/default/waits'],
    ],
    [
      'an owner whose foreground deletion begins, and what does not block it',
      () => keys('MODIFIED', job(FOREGROUND), job()),
      ['Pod/default/loose', 'Job/default/j'],
    ],
    ['an owner whose foreground deletion began unseen', () => keys('ADDED', job(FOREGROUND)), ['Pod/default/loose', 'Job/default/j']],
    ['nothing of one whose foreground deletion goes on', () => keys('MODIFIED', job({ ...FOREGROUND, labels: {} }), job(FOREGROUND)), []],
    ['an owner whose orphaning begins', () => keys('MODIFIED', job(dying('orphan')), job()), ['Job/default/j']],
    ['nothing of an owner that is deleted at once', () => keys('MODIFIED', job(dying('other')), job()), []],
    [
      'a dying object that lost the owner that waits',
      () => keys('MODIFIED', pod('p', [], dying('x')), pod('p', [to('waits', BLOCKS)], dying('x'))),
      ['Job/default/waits'],
    ],
  ])('%s', (_, found, expected) => {
    expect(found()).toEqual(expected);
  });
});

describe('an owner in deletion', () => {
  const lines = (key: string, ...objects: readonly ApiObject[]) => linesOf(decide(collector(), { objects, key }));
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'orphans its dependents first',
      () => lines('Job/default/j', jobOf('j', {}, {}, dying('orphan')), pod('a', [to('j')]), pod('b', [to('j')])),
      [
        'orphan its 2 dependents, then delete it',
        'patch Pod a {metadata:{uid:uid-a,ownerReferences:[{$patch:delete,uid:uid-j}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'patch Pod b {metadata:{uid:uid-b,ownerReferences:[{$patch:delete,uid:uid-j}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'patch Job j {metadata:{uid:uid-j,$deleteFromPrimitiveList/finalizers:[orphan]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
      ],
    ],
    [
      'waits for the dependents that block it, and deletes those that it has not',
      () =>
        lines(
          'Job/default/j',
          jobOf('j', {}, {}, FOREGROUND),
          pod('a', [to('j', BLOCKS)]),
          pod('b', [to('j', BLOCKS)], dying('x')),
          pod('c', [to('j')]),
        ),
      ['waiting for 2 dependents to be deleted', 'enqueue: [Pod/default/a]'],
    ],
    [
      'waits for dependents that go',
      () => lines('Job/default/j', jobOf('j', {}, {}, FOREGROUND), pod('b', [to('j', BLOCKS)], dying('x'))),
      ['waiting for 1 dependents to be deleted'],
    ],
    [
      'is done once none blocks it',
      () => lines('Job/default/j', jobOf('j', {}, {}, FOREGROUND), pod('c', [to('j')])),
      [
        'no dependent blocks its deletion any more',
        'patch Job j {metadata:{uid:uid-j,$deleteFromPrimitiveList/finalizers:[foregroundDeletion]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
      ],
    ],
    ['is left where it is deleted at once', () => lines('Job/default/j', jobOf('j', {}, {}, dying('x'))), ['it is being deleted already']],
    ['that is gone is left', () => lines('Job/default/j'), ['it is gone', 'memory: null']],
    [
      'is left where it has all its owners',
      () => lines('Pod/default/p', jobOf('j'), pod('p', [to('j')])),
      ['its owners exist', 'memory: null'],
    ],
    [
      'of a node, has no namespace',
      () => lines('Node/n', { ...nodeOf('n'), metadata: { ...nodeOf('n').metadata, ...FOREGROUND } }),
      [
        'no dependent blocks its deletion any more',
        'patch Node n {metadata:{uid:uid-n,$deleteFromPrimitiveList/finalizers:[foregroundDeletion]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

it('the last five hundred deletions are remembered', () => {
  const context = observingWith({ gone: new Set<string>() });
  const see = (type: 'ADDED' | 'DELETED', name: string) =>
    rememberGone({ type, kind: 'Pod', key: name, object: pod(name), old: undefined }, context);
  see('ADDED', 'added');
  for (let at = 0; at < 500; at++) see('DELETED', `p${at}`);
  expect([context.state.gone.size, context.state.gone.has('uid-p0')]).toEqual([500, true]);
  see('DELETED', 'last');
  expect([
    context.state.gone.size,
    context.state.gone.has('uid-p0'),
    context.state.gone.has('uid-p1'),
    context.state.gone.has('uid-last'),
  ]).toEqual([500, false, true, true]);
});

/** What an owner controls: references, adoption and release, and the owners that a change concerns. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import type { ApiObject, OwnerReference } from '../../../src/apiserver/machinery/index.ts';
import type { createCache } from '../../../src/controlplane/runtime/index.ts';
import {
  adopt,
  byController,
  claim,
  concernedKeys,
  concernedOwners,
  controllerReference,
  createPodOf,
  deletePodOf,
  dropFinalizers,
  keptOwner,
  objectsToAdopt,
  podMetadata,
  podsToAdopt,
  referenced,
  removeOwners,
  setsOfPod,
  unmanagedPods,
} from '../../../src/controlplane/shared/index.ts';
import { AT, barePod, nodeOf } from '../../support/objects.ts';
import { observingWith } from '../../support/reconcile.ts';

const APPS = { apiVersion: 'apps/v1', kind: 'ReplicaSet' } as const;
const dying = { deletionTimestamp: AT } as const;
const setOf = (name: string, meta: object = {}, app = 'web'): ApiObject => ({
  ...APPS,
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: AT, ...meta },
  spec: { selector: { matchLabels: { app } } },
});
const referenceTo = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  ...APPS,
  name,
  uid: `uid-${name}`,
  controller: true,
  blockOwnerDeletion: true,
  ...more,
});
const podOf = (name: string, owner?: OwnerReference, meta: object = {}): Pod =>
  barePod(name, 'Running', { meta: { labels: { app: 'web' }, ...(owner === undefined ? {} : { ownerReferences: [owner] }), ...meta } });
/** A context whose cache holds these objects. */
function knowing(...objects: readonly ApiObject[]) {
  const context = observingWith(undefined);
  for (const kind of ['ReplicaSet', 'Pod'] as const) createCacheOf(context).open(kind);
  createCacheOf(context).addAggregate(unmanagedPods);
  for (const object of objects)
    createCacheOf(context).set(object.kind, `${object.metadata.namespace ?? ''}/${object.metadata.name}`, object);
  return context;
}
const createCacheOf = ({ cache }: { readonly cache: unknown }) => cache as ReturnType<typeof createCache>;

describe('a reference', () => {
  it('finds the object of its kind, name and uid', () => {
    const context = knowing(setOf('a'));
    const find = (owner: OwnerReference | undefined, namespace = 'default') =>
      referenced('ReplicaSet', namespace, owner, context)?.metadata.name;
    expect([find(referenceTo('a')), find(undefined), find(referenceTo('b')), find(referenceTo('a'), 'other')]).toEqual([
      'a',
      undefined,
      undefined,
      undefined,
    ]);
    expect([find(referenceTo('a', { uid: 'former' })), find(referenceTo('a', { kind: 'Deployment' }))]).toEqual([undefined, undefined]);
  });

  it('to a controller blocks its deletion', () => {
    expect(controllerReference(setOf('a'))).toEqual(referenceTo('a'));
  });

  it('groups objects by the uid of their controller of a kind', () => {
    const { owner, groupOf } = byController('ReplicaSet');
    expect(owner).toBe('ReplicaSet');
    expect(groupOf(podOf('p', referenceTo('a')))).toBe('uid-a');
    expect([groupOf(podOf('p', referenceTo('a', { kind: 'Job' }))), groupOf(podOf('p'))]).toEqual([undefined, undefined]);
    expect(groupOf(podOf('p', referenceTo('a', { controller: false })))).toBeUndefined();
  });
});

describe('the metadata of a pod', () => {
  it('is that of its template, with its owner and a generated name', () => {
    const template = { metadata: { labels: { app: 'web' }, annotations: { x: '1' }, finalizers: ['f'], name: 'unused' }, spec: {} };
    const made = podMetadata(setOf('a'), template as never, { finalizers: ['g'] });
    expect(made).toEqual({
      generateName: 'a-',
      namespace: 'default',
      labels: { app: 'web' },
      annotations: { x: '1' },
      ownerReferences: [referenceTo('a')],
      finalizers: ['g'],
    });
    expect([made, made.ownerReferences, made.ownerReferences?.[0]].every(Object.isFrozen)).toBe(true);
    expect(podMetadata(setOf('a'), { metadata: {}, spec: {} } as never)).toEqual({
      generateName: 'a-',
      namespace: 'default',
      ownerReferences: [referenceTo('a')],
    });
  });

  it('is created and deleted with an event of the owner', () => {
    const pod = podOf('p');
    const owner = setOf('a');
    expect(createPodOf(owner, pod)).toEqual({
      op: 'create',
      object: pod,
      then: { about: owner, type: 'Normal', reason: 'SuccessfulCreate', message: 'Created pod: {name}' },
    });
    expect(deletePodOf(owner, pod)).toEqual({
      op: 'delete',
      kind: 'Pod',
      namespace: 'default',
      name: 'p',
      uid: 'uid-p',
      tolerate: ['NotFound'],
      then: { about: owner, type: 'Normal', reason: 'SuccessfulDelete', message: 'Deleted pod: p' },
    });
  });
});

describe('a patch of an owned object', () => {
  const patched = (metadata: object) => ({
    op: 'patch',
    kind: 'Pod',
    namespace: 'default',
    name: 'p',
    patchType: 'strategic',
    patch: { metadata: { uid: 'uid-p', ...metadata } },
    tolerate: ['NotFound'],
    awaited: true,
  });

  it('adopts it, and adds finalizers', () => {
    expect(adopt(podOf('p'), setOf('a'))).toEqual(patched({ ownerReferences: [referenceTo('a')] }));
    expect(adopt(podOf('p'), setOf('a'), ['f'])).toEqual(patched({ ownerReferences: [referenceTo('a')], finalizers: ['f'] }));
  });

  it('removes owners, and finalizers', () => {
    const gone = [
      { $patch: 'delete', uid: 'u' },
      { $patch: 'delete', uid: 'v' },
    ];
    expect(removeOwners(podOf('p'), ['u', 'v'])).toEqual(patched({ ownerReferences: gone }));
    expect(removeOwners(podOf('p'), ['u', 'v'], ['f'])).toEqual(
      patched({ ownerReferences: gone, '$deleteFromPrimitiveList/finalizers': ['f'] }),
    );
    expect(dropFinalizers(podOf('p'), ['f'])).toEqual(patched({ '$deleteFromPrimitiveList/finalizers': ['f'] }));
  });

  it('of one without a namespace names none', () => {
    expect(dropFinalizers(nodeOf('n'), ['f'])).toEqual({
      op: 'patch',
      kind: 'Node',
      name: 'n',
      patchType: 'strategic',
      patch: { metadata: { uid: 'uid-n', '$deleteFromPrimitiveList/finalizers': ['f'] } },
      tolerate: ['NotFound'],
      awaited: true,
    });
  });
});

describe('an owner', () => {
  const web = ({ app }: Readonly<Record<string, string>> = {}): boolean => app === 'web';
  const cacheOf = (...objects: readonly ApiObject[]) => knowing(...objects).cache;
  const names = (objects: readonly ApiObject[]): readonly string[] => objects.map(({ metadata }) => metadata.name);

  it('adopts what it selects, has no controller, and is not being deleted', () => {
    const pods = [
      podOf('free'),
      podOf('owned', referenceTo('b')),
      podOf('dying', undefined, dying),
      podOf('other', undefined, { labels: { app: 'db' } }),
      podOf('far', undefined, { namespace: 'far' }),
    ];
    const matches = web as never;
    expect(names(podsToAdopt(setOf('a'), cacheOf(...pods), matches))).toEqual(['free']);
    expect(podsToAdopt(setOf('a', dying), cacheOf(...pods), matches)).toEqual([]);
    const sets = [
      setOf('free', { labels: { app: 'web' } }),
      setOf('owned', { labels: { app: 'web' }, ownerReferences: [referenceTo('b')] }),
      setOf('dying', { labels: { app: 'web' }, ...dying }),
      setOf('other', { labels: { app: 'db' } }),
      setOf('far', { labels: { app: 'web' }, namespace: 'far' }),
    ];
    expect(names(objectsToAdopt('ReplicaSet', setOf('a'), cacheOf(...sets), matches))).toEqual(['free']);
    expect(objectsToAdopt('ReplicaSet', setOf('a', dying), cacheOf(...sets), matches)).toEqual([]);
  });

  it('keeps what belongs to it, releases the rest, and adopts after a live check', () => {
    const [kept, left, free] = [podOf('kept'), podOf('left'), podOf('free')];
    const isKept = (pod: Pod): boolean => pod === kept;
    const owner = setOf('a');
    const check = { op: 'check', kind: 'ReplicaSet', namespace: 'default', name: 'a', uid: 'uid-a' };
    expect(claim(owner, [kept, left], isKept, [free])).toEqual({
      kept: [kept],
      writes: [removeOwners(left, ['uid-a']), check, adopt(free, owner)],
    });
    expect(claim(owner, [kept], isKept, [])).toEqual({ kept: [kept], writes: [] });
    expect(claim(owner, [left], isKept, [free], { finalizers: ['f'], checked: false })).toEqual({
      kept: [],
      writes: [removeOwners(left, ['uid-a'], ['f']), adopt(free, owner, ['f'])],
    });
    expect(claim(setOf('a', dying), [kept, left], isKept, [])).toEqual({ kept: [kept], writes: [] });
  });
});

describe('a change concerns', () => {
  const [a, b] = [referenceTo('a'), referenceTo('b')];
  const context = knowing(setOf('a'), setOf('b'), setOf('selects'), setOf('far', { namespace: 'far' }), setOf('db', {}, 'db'));
  const concerned = (object: Pod, old?: Pod, type: 'ADDED' | 'MODIFIED' | 'DELETED' = old === undefined ? 'ADDED' : 'MODIFIED') =>
    concernedKeys('ReplicaSet')({ type, kind: 'Pod', key: 'default/p', object, old }, context).map((key) => key.split('/')[1]);
  const labels = { app: 'web' };
  const free = podOf('p', undefined, { labels });

  it.each<[string, Parameters<typeof concerned>, readonly string[]]>([
    ['the controller', [podOf('p', a)], ['a']],
    ['no controller of another uid', [podOf('p', referenceTo('a', { uid: 'former' }))], []],
    ['the controller of one that is changed', [podOf('p', a), podOf('p', a)], ['a']],
    ['the former controller and the present one', [podOf('p', b), podOf('p', a)], ['a', 'b']],
    ['the former controller alone, where the present one is unknown', [podOf('p', referenceTo('z')), podOf('p', a)], ['a']],
    ['the former controller and those that may adopt it', [podOf('p'), podOf('p', a)], ['a', 'a', 'b', 'selects']],
    ['those that may adopt a new one', [free], ['a', 'b', 'selects']],
    ['none for an unrelated change of one without a controller', [{ ...free, status: {} } as Pod, free], []],
    ['those that may adopt one with other labels', [podOf('p', undefined, { labels: { app: 'db' } }), free], ['db']],
    ['none where one without a controller is gone', [free, undefined, 'DELETED'], []],
    ['the controller of one that is gone', [podOf('p', a), podOf('p', b), 'DELETED'], ['a']],
  ])('%s', (_, change, keys) => {
    expect(concerned(...change)).toEqual(keys);
  });

  it('the owners that the caller names', () => {
    const adopters = () => [setOf('named')] as never;
    const delta = { type: 'ADDED', kind: 'Pod', key: 'default/p', object: free, old: undefined } as never;
    expect(concernedOwners('ReplicaSet', delta, context, adopters).map(({ metadata }) => metadata.name)).toEqual(['named']);
  });

  it('the owner of an object that has kept its controller', () => {
    const kept = (object: Pod, old?: Pod) =>
      keptOwner('ReplicaSet', { type: 'MODIFIED', kind: 'Pod', key: 'default/p', object, old }, context)?.metadata.name;
    const pod = podOf('p', a);
    expect([kept(pod), kept({ ...pod, status: {} } as Pod, pod), kept(podOf('p', b), pod), kept(free, free)]).toEqual([
      'a',
      'a',
      undefined,
      undefined,
    ]);
  });
});

describe('a pod that becomes ready', () => {
  const pod = (status: string, name = 'a') => ({
    ...podOf('p', referenceTo(name)),
    status: { phase: 'Running', conditions: [{ type: 'Ready', status }] },
  });
  const set = (minReadySeconds: number): ApiObject => ({ ...setOf('a'), spec: { ...(setOf('a')['spec'] as object), minReadySeconds } });
  const keys = (
    seconds: number,
    before: string | undefined,
    after: string,
    type: 'ADDED' | 'MODIFIED' | 'DELETED' = 'MODIFIED',
    name = 'a',
  ) =>
    setsOfPod('ReplicaSet')(
      {
        type,
        kind: 'Pod',
        key: 'default/p',
        object: pod(after, name) as never,
        old: before === undefined ? undefined : (pod(before, name) as never),
      },
      knowing(set(seconds)),
    );

  it('enqueues its set again when it is available, a second later than that asks', () => {
    const again = ['default/a', { key: 'default/a', afterMs: 6_000 }];
    expect([
      keys(5, 'False', 'True'),
      keys(0, 'False', 'True'),
      keys(5, 'True', 'True'),
      keys(5, 'False', 'False'),
      keys(5, undefined, 'True', 'ADDED'),
      keys(5, 'False', 'True', 'DELETED'),
      keys(5, 'False', 'True', 'MODIFIED', 'b'),
    ]).toEqual([again, ['default/a'], ['default/a'], ['default/a'], ['default/a'], ['default/a'], []]);
  });
});

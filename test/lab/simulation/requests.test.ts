/** The requests of a step: complete, in order, and what there is to say where there is none to make. */
import { describe, expect, it } from 'vitest';
import type { WritingAction } from '../../../src/lab/scenario/index.ts';
import { mayBeRefused, requestsFor } from '../../../src/lab/simulation/requests.ts';
import { clusterWith, map, node, pod } from './world.ts';

const cluster = clusterWith([
  map('a', ', labels: { app: x }'),
  map('b', ', labels: { app: x }'),
  map('c', ', namespace: other'),
  ...['d', 'e', 'f', 'g'].map((name) => map(name, ', namespace: other')),
  node('n1'),
  pod('p'),
  '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 0, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: i }] } } } }',
]);
const user = { name: 'user', groups: ['system:masters'] };
const uidOf = (kind: string, key: string) => cluster.store.get(kind, key)?.metadata.uid;
const requestsOf = (action: object): unknown => {
  const found = requestsFor(cluster, action as WritingAction);
  return 'message' in found ? found : [...found];
};
const objects = (verb: string, ...all: readonly object[]) => requestsOf({ verb, objects: all.map((object) => ({ object })) });
const target = (kind: string, name: string) => ({ kind, name });
const A = { kind: 'ConfigMap', namespace: 'default', name: 'a', user };
const NODE = { kind: 'Node', name: 'n1', user };
const POD = { kind: 'Pod', namespace: 'default', name: 'p', user };

describe('whole objects', () => {
  const body = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name } });

  it('are created, or applied as a patch where they are there', () => {
    expect(objects('apply', { kind: 'ConfigMap', metadata: { name: 'a' } }, { kind: 'ConfigMap', metadata: { name: 'new' } })).toEqual([
      { verb: 'patch', ...A, body: body('a'), patchType: 'apply', force: true, fieldManager: 'user' },
      { verb: 'create', kind: 'ConfigMap', namespace: 'default', body: body('new'), user },
    ]);
    expect(objects('create', { kind: 'ConfigMap', metadata: { name: 'a' } })).toEqual([
      { verb: 'create', kind: 'ConfigMap', namespace: 'default', body: body('a'), user },
    ]);
    expect(objects('replace', { kind: 'ConfigMap', metadata: { name: 'a' } })).toEqual([{ verb: 'update', ...A, body: body('a') }]);
    expect(objects('apply')).toEqual([]);
  });

  it('keep their version and namespace; those of the cluster have none, those of unknown kinds neither', () => {
    expect(objects('apply', { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'other' } })).toEqual([
      {
        verb: 'patch',
        kind: 'ConfigMap',
        namespace: 'other',
        name: 'c',
        body: { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'other' } },
        patchType: 'apply',
        force: true,
        fieldManager: 'user',
        user,
      },
    ]);
    expect(objects('apply', { kind: 'Node', metadata: { name: 'n1' } })).toEqual([
      {
        verb: 'patch',
        ...NODE,
        body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
        patchType: 'apply',
        force: true,
        fieldManager: 'user',
      },
    ]);
    expect(objects('create', { kind: 'Policy', metadata: { name: 'x' } }, {})).toEqual([
      { verb: 'create', kind: 'Policy', body: { apiVersion: '', kind: 'Policy', metadata: { name: 'x' } }, user },
      { verb: 'create', kind: '', body: { apiVersion: '', kind: '', metadata: {} }, user },
    ]);
    expect(objects('replace', { kind: 'Job', metadata: { generateName: 'x-' } })).toEqual([
      {
        verb: 'update',
        kind: 'Job',
        namespace: 'default',
        name: '',
        body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace: 'default', generateName: 'x-' } },
        user,
      },
    ]);
  });

  it('name their owners: the uid is that of the object with this name', () => {
    const owned = (metadata: object) =>
      (objects('create', { kind: 'ConfigMap', metadata }) as { body: { metadata: { ownerReferences: unknown } } }[]).map(
        ({ body: { metadata: made } }) => made.ownerReferences,
      )[0];
    const of = (kind: unknown, name: unknown, more: object = {}) => ({ ownerReferences: [{ kind, name, ...more }] });
    expect(owned(of('ConfigMap', 'a'))).toEqual([{ kind: 'ConfigMap', name: 'a', uid: uidOf('ConfigMap', 'default/a') }]);
    expect(owned({ ...of('ConfigMap', 'c'), namespace: 'other' })).toEqual([
      { kind: 'ConfigMap', name: 'c', uid: uidOf('ConfigMap', 'other/c') },
    ]);
    // An owner elsewhere is no owner, which a test of the collector wants.
    expect(owned(of('ConfigMap', 'd'))).toEqual([{ kind: 'ConfigMap', name: 'd', uid: uidOf('ConfigMap', 'other/d') }]);
    expect(owned(of('Node', 'n1'))).toEqual([{ kind: 'Node', name: 'n1', uid: uidOf('Node', 'n1') }]);
    for (const given of [
      of('ConfigMap', 'a', { uid: 'x' }),
      of('ConfigMap', 'none'),
      of(1, 'a'),
      of('ConfigMap', 1),
      { ownerReferences: 'none' },
    ])
      expect(owned(given)).toEqual(given.ownerReferences);
  });
});

describe('a patch', () => {
  const patch = (more: object) => requestsOf({ verb: 'patch', target: target('ConfigMap', 'a'), type: 'merge', ...more });

  it('has its type and its subresource; one of type apply is forced', () => {
    expect(patch({ patch: { data: {} } })).toEqual([{ ...A, verb: 'patch', body: { data: {} }, patchType: 'merge', fieldManager: 'user' }]);
    expect(patch({ type: 'apply', patch: null, subresource: 'status' })).toEqual([
      { ...A, verb: 'patch', body: null, patchType: 'apply', fieldManager: 'user', subresource: 'status', force: true },
    ]);
  });

  it('names owners as whole objects do, with the namespace of what is patched', () => {
    const bodyOf = (body: unknown, of = 'a') =>
      (
        requestsOf({
          verb: 'patch',
          target: { kind: 'ConfigMap', name: of, namespace: of === 'a' ? 'default' : 'other' },
          type: 'merge',
          patch: body,
        }) as { body: unknown }[]
      )[0]?.body;
    const references = (name: string, more: object = {}) => ({
      metadata: { labels: { x: 'y' }, ownerReferences: [{ kind: 'ConfigMap', name, ...more }] },
      data: {},
    });
    expect(bodyOf(references('b'))).toEqual(references('b', { uid: uidOf('ConfigMap', 'default/b') }));
    expect(bodyOf(references('d'), 'c')).toEqual(references('d', { uid: uidOf('ConfigMap', 'other/d') }));
    for (const body of ['text', null, [{ op: 'test' }], { metadata: null }, { metadata: 'x' }, { metadata: { labels: {} } }, {}])
      expect(bodyOf(body)).toBe(body);
  });
});

describe('an action on a target', () => {
  it('is a request for each object that it selects', () => {
    const selected = { kind: 'ConfigMap', labels: { app: 'x' } };
    expect(requestsOf({ verb: 'delete', target: selected })).toEqual([
      { ...A, verb: 'delete' },
      { ...A, name: 'b', verb: 'delete' },
    ]);
    expect(
      requestsOf({
        verb: 'delete',
        target: target('ConfigMap', 'a'),
        gracePeriodSeconds: 0,
        propagationPolicy: 'Orphan',
        preconditions: { uid: 'x' },
      }),
    ).toEqual([{ ...A, verb: 'delete', gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions: { uid: 'x' } }]);
  });

  it('evicts, binds, cordons and scales as kubectl does', () => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: 'default' } };
    expect(requestsOf({ verb: 'evict', target: target('Pod', 'p') })).toEqual([
      { ...POD, verb: 'create', subresource: 'eviction', body: eviction },
    ]);
    expect(requestsOf({ verb: 'evict', target: target('Pod', 'p'), gracePeriodSeconds: 0 })).toEqual([
      { ...POD, verb: 'create', subresource: 'eviction', body: { ...eviction, deleteOptions: { gracePeriodSeconds: 0 } } },
    ]);
    expect(requestsOf({ verb: 'bind', target: target('Pod', 'p'), node: 'n1' })).toEqual([
      {
        ...POD,
        verb: 'create',
        subresource: 'binding',
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'p', namespace: 'default' },
          target: { apiVersion: 'v1', kind: 'Node', name: 'n1' },
        },
      },
    ]);
    const cordoned = (unschedulable: true | null) => [
      { ...NODE, verb: 'patch', patchType: 'strategic', body: { spec: { unschedulable } } },
    ];
    expect(requestsOf({ verb: 'cordon', target: target('Node', 'n1') })).toEqual(cordoned(true));
    expect(requestsOf({ verb: 'uncordon', target: target('Node', 'n1') })).toEqual(cordoned(null));
    expect(requestsOf({ verb: 'scale', target: target('Deployment', 'web'), replicas: 3 })).toEqual([
      {
        kind: 'Deployment',
        namespace: 'default',
        name: 'web',
        user,
        verb: 'patch',
        subresource: 'scale',
        patchType: 'merge',
        body: { spec: { replicas: 3 } },
      },
    ]);
  });

  it('on a name that is missing is a request still, which the server refuses', () => {
    expect(requestsOf({ verb: 'delete', target: target('ConfigMap', 'none') })).toEqual([{ ...A, name: 'none', verb: 'delete' }]);
    expect(requestsOf({ verb: 'delete', target: { ...target('ConfigMap', 'a'), namespace: 'other' } })).toEqual([
      { ...A, namespace: 'other', verb: 'delete' },
    ]);
    expect(requestsOf({ verb: 'cordon', target: target('Node', 'none') })).toMatchObject([{ kind: 'Node', name: 'none' }]);
    expect(requestsOf({ verb: 'cordon', target: target('Node', 'none') })).not.toHaveProperty('0.namespace');
    expect(requestsOf({ verb: 'delete', target: target('ConfigMap', 'none'), ignoreNotFound: true })).toEqual([]);
    expect(requestsOf({ verb: 'delete', target: target('ConfigMap', 'none'), ignoreNotFound: false })).toHaveLength(1);
  });

  it('that selects nothing, or several where it means one, says so', () => {
    expect(requestsOf({ verb: 'delete', target: { kind: 'ConfigMap', labels: { app: 'z' } } })).toEqual({
      message: 'nothing matches ConfigMap with app=z',
      detail: [],
    });
    expect(requestsOf({ verb: 'delete', target: { kind: 'Job', only: true } })).toEqual({ message: 'nothing matches Job', detail: [] });
    expect(requestsOf({ verb: 'delete', target: { kind: 'Node', only: true } })).toEqual([{ ...NODE, verb: 'delete' }]);
    expect(requestsOf({ verb: 'delete', target: { kind: 'ConfigMap', labels: { app: 'x' }, only: true } })).toEqual({
      message: 'ConfigMap with app=x selects one object, and there are 2',
      detail: ['  name one: ConfigMap/a, ConfigMap/b', '  or select all of them: { kind: ConfigMap }'],
    });
    // Each namespace has the map of the root certificate beside these.
    expect(requestsOf({ verb: 'delete', target: { kind: 'ConfigMap', namespace: 'other', only: true } })).toEqual({
      message: 'ConfigMap/other selects one object, and there are 6',
      detail: [
        expect.stringMatching(/^ {2}name one: (?:ConfigMap\/[\w.-]+, ){4}ConfigMap\/[\w.-]+ and 1 more$/),
        '  or select all of them: { kind: ConfigMap }',
      ],
    });
  });
});

it('a refusal is expected of what may be missing, and of an eviction that may wait', () => {
  const actions: readonly object[] = [
    { verb: 'delete', ignoreNotFound: true },
    { verb: 'delete', ignoreNotFound: false },
    { verb: 'apply' },
    { verb: 'evict', ifAllowed: true },
    { verb: 'evict', ifAllowed: false },
    { verb: 'delete', ifAllowed: true },
  ];
  expect(actions.map((action) => [404, 429, 409].filter((code) => mayBeRefused(action as WritingAction, code)))).toEqual([
    [404],
    [],
    [],
    [429],
    [],
    [],
  ]);
});

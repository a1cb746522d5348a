/** Sub-resources with a form of their own: bindings and scales, as whole answers. */
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import type { ApiObject, ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from './setup.ts';

const AT = '2024-03-01T00:00:00Z';
const PODS = { kind: 'Pod', namespace: 'default', name: 'p' } as const;
const SETS = { kind: 'ReplicaSet', namespace: 'default', name: 'r' } as const;
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const SET = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'r' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] },
    template: { metadata: { labels: { a: 'b', c: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const made = (world: Setup, where: typeof PODS | typeof SETS, body: object): ApiObject =>
  world.ok({ ...where, verb: 'create', body: body as ObjectInput });
/** The code and message of an answer, or what it answers. */
const answered = ({ server }: Setup, request: ApiRequest): unknown => {
  const response = server.handle(envelopeOf('client', request));
  if (!response.ok) return `${response.code} ${response.status.message ?? ''}`;
  return 'object' in response ? response.object : 'success' in response ? response.success : response.list;
};

describe('a binding', () => {
  const bind = (body: object, more: object = {}): ApiRequest => ({
    ...PODS,
    verb: 'create',
    subresource: 'binding',
    body: body as ObjectInput,
    ...more,
  });
  const to = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'p' },
    target: { kind: 'Node', name },
    ...more,
  });
  const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

  it('gives a pod its node, a condition, and the annotations of the binding', () => {
    const world = setup();
    const before = made(world, PODS, { ...POD, metadata: { name: 'p', annotations: { a: 'b', c: 'd' } } });
    world.advance(5000);
    expect(answered(world, bind(to('n', { metadata: { name: 'p', uid: before.metadata.uid, annotations: { c: 'e' } } })))).toEqual(SUCCESS);
    const after = world.store.get('Pod', 'default/p');
    expect(after).toEqual({
      ...before,
      metadata: { ...before.metadata, annotations: { a: 'b', c: 'e' }, resourceVersion: String(world.store.revision) },
      spec: { ...(before['spec'] as object), nodeName: 'n' },
      status: {
        ...(before['status'] as object),
        conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '2024-03-01T00:00:05Z' }],
      },
    });
    // Members are in published order, whatever was added.
    expect(Object.keys(after?.['status'] as object)).toEqual(['phase', 'conditions', 'qosClass']);
  });

  it('keeps other conditions, and the time of one that is the same', () => {
    const scheduled = (status: string, lastTransitionTime?: string) => ({
      type: 'PodScheduled',
      status,
      ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
    });
    const after = (conditions: readonly object[]): unknown => {
      const world = setup();
      const { metadata } = made(world, PODS, POD);
      world.ok({
        ...PODS,
        verb: 'update',
        subresource: 'status',
        body: { ...POD, metadata, status: { phase: 'Pending', conditions } },
      });
      answered(world, bind(to('n')));
      return (world.store.get('Pod', 'default/p') as ApiObject & { readonly status: { readonly conditions: unknown } }).status.conditions;
    };
    const OLD = '2024-01-01T00:00:00Z';
    const now = (lastTransitionTime: string) => ({ type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime });
    const other = { type: 'X', status: 'True', lastProbeTime: null, lastTransitionTime: OLD };
    expect([after([other]), after([scheduled('False', OLD), other]), after([other, scheduled('True', OLD)])]).toEqual([
      [other, now(AT)],
      [now(AT), other],
      [other, now(OLD)],
    ]);
  });

  it('of pods of one template on one node share their parts', () => {
    const world = setup();
    for (const name of ['a', 'b', 'c']) made(world, { ...PODS, name } as never, { ...POD, metadata: { name } });
    for (const [name, node] of [
      ['a', 'n'],
      ['b', 'n'],
      ['c', 'm'],
    ] as const)
      answered(world, bind(to(node), { name }));
    const nodes = ['a', 'b', 'c'].map(
      (name) => (world.store.get('Pod', `default/${name}`) as ApiObject & { readonly spec: { readonly nodeName: string } }).spec.nodeName,
    );
    expect(nodes).toEqual(['n', 'n', 'm']);
  });

  it.each<[object, string]>([
    [
      { target: { kind: 'Pod', name: 'n' } },
      '422 Binding "p" is invalid: target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ],
    [{ target: { kind: 'Node', name: '' } }, '422 Binding "p" is invalid: target.name: Required value'],
    [{ target: undefined }, '422 Binding "p" is invalid: target.name: Required value'],
    [
      { metadata: { name: 'p', uid: 'x' } },
      '409 Operation cannot be fulfilled on pods/binding "p": Precondition failed: UID in precondition: x, UID in object meta: UID',
    ],
  ])('with %j is refused', (more, expected) => {
    const world = setup();
    const { uid } = made(world, PODS, POD).metadata;
    expect(String(answered(world, bind(to('n', more)))).replace(uid, 'UID')).toBe(expected);
  });

  it('is refused for a pod that has a node, is going, or is not there', () => {
    const world = setup();
    made(world, PODS, { ...POD, metadata: { name: 'p', finalizers: ['example.com/f'] } });
    const conflict = 'Operation cannot be fulfilled on pods/binding "p": pod p is';
    expect(answered(world, bind(to('n', { target: { name: 'n' }, metadata: { uid: '' } })))).toEqual(SUCCESS);
    expect(answered(world, bind(to('m')))).toBe(`409 ${conflict} already assigned to node "n"`);
    world.ok({ ...PODS, verb: 'delete' });
    expect(answered(world, bind(to('m')))).toBe(`409 ${conflict} being deleted, cannot be assigned to a host`);
    expect(answered(world, bind(to('m'), { name: 'q' }))).toBe('404 pods "q" not found');
    expect(world.refused(bind(to('m'))).details).toEqual({ name: 'p', kind: 'pods/binding' });
  });

  it('of a dry run changes nothing', () => {
    const world = setup();
    const before = made(world, PODS, POD);
    expect(answered(world, bind(to('n'), { dryRun: true }))).toEqual(SUCCESS);
    expect(world.store.get('Pod', 'default/p')).toBe(before);
  });
});

describe('a scale', () => {
  const scaled = (body: unknown, more: object = {}): ApiRequest => ({
    ...SETS,
    verb: 'update',
    subresource: 'scale',
    body: body as ObjectInput,
    ...more,
  });
  const shown = ({ metadata }: ApiObject, replicas: number, more: object = {}) => ({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: 'r',
      namespace: 'default',
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      creationTimestamp: AT,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: 0, selector: 'a=b,c' },
    ...more,
  });

  it('is read, updated and patched, and changes the number alone', () => {
    const world = setup();
    const before = made(world, SETS, SET);
    expect(answered(world, { ...SETS, verb: 'get', subresource: 'scale' })).toEqual(shown(before, 2));
    const first = answered(world, scaled({ spec: { replicas: 3 } }));
    const after = world.store.get('ReplicaSet', 'default/r') as ApiObject & { readonly spec: object };
    expect(first).toEqual(shown(after, 3));
    expect(after).toEqual({
      ...before,
      metadata: { ...before.metadata, generation: 2, resourceVersion: String(world.store.revision) },
      spec: { ...(before['spec'] as object), replicas: 3 },
    });
    expect(Object.keys(after.spec)).toEqual(['replicas', 'selector', 'template']);
    const patched = answered(world, { ...SETS, verb: 'patch', subresource: 'scale', patchType: 'merge', body: { spec: { replicas: 0 } } });
    expect(patched).toEqual(shown(world.store.get('ReplicaSet', 'default/r') as ApiObject, 0));
    // The same number changes nothing.
    const { revision } = world.store;
    answered(world, scaled({ spec: {} }));
    expect(world.store.revision).toBe(revision);
  });

  it.each<[unknown, string]>([
    [
      { kind: 'Job', apiVersion: 'batch/v1' },
      '400 Job in version "v1" cannot be handled as a Scale: no kind "Job" is registered for version "batch/v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      { kind: 'Job' },
      '400 Job in version "v1" cannot be handled as a Scale: no kind "Job" is registered for version "autoscaling/v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [{ metadata: { name: 'x' } }, '400 the name of the object (x) does not match the name on the URL (r)'],
    [
      { spec: { replicas: '3' } },
      '400 Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32',
    ],
    [
      { spec: { replicas: 1.5 } },
      '400 Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal number into Go struct field ScaleSpec.spec.replicas of type int32',
    ],
    [
      { spec: { replicas: -1 } },
      '422 Scale.autoscaling "r" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      { metadata: { uid: 'x' } },
      '409 Operation cannot be fulfilled on replicasets.apps "r": StorageError: invalid object, Code: 4, Key: /registry/replicasets/default/r, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: UID',
    ],
    [
      { metadata: { resourceVersion: '1' } },
      '409 Operation cannot be fulfilled on replicasets.apps "r": the object has been modified; please apply your changes to the latest version and try again',
    ],
  ])('%j is refused', (body, expected) => {
    const world = setup();
    const { uid } = made(world, SETS, SET).metadata;
    expect(String(answered(world, scaled(body))).replace(uid, 'UID')).toBe(expected);
  });

  it('accepts its own name, uid, revision and kind', () => {
    const world = setup();
    const { metadata } = made(world, SETS, SET);
    const { name, uid, resourceVersion } = metadata;
    const body = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name, uid, resourceVersion }, spec: { replicas: 2 } };
    expect(answered(world, scaled(body))).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
    expect(answered(world, scaled({ kind: '', metadata: { uid: '', resourceVersion: '' }, spec: { replicas: 2 } }))).toMatchObject({
      kind: 'Scale',
    });
    expect(answered(world, scaled({ spec: { replicas: 1 } }, { name: 'q' }))).toBe('404 replicasets.apps "q" not found');
    expect(answered(world, { ...SETS, verb: 'patch', subresource: 'scale', name: 'q', patchType: 'merge', body: {} })).toBe(
      '404 replicasets.apps "q" not found',
    );
    expect(answered(world, { ...SETS, verb: 'patch', subresource: 'scale', patchType: 'apply', fieldManager: 'm', body: {} })).toBe(
      '415 415: Unsupported Media Type',
    );
    expect(answered(world, { ...SETS, verb: 'create', subresource: 'scale', body: {} as never })).toBe(
      '405 the server does not allow this method on the requested resource',
    );
    expect(answered(world, { ...PODS, verb: 'get', subresource: 'scale' })).toBe('404 the server could not find the requested resource');
  });
});

/** Applied configurations: names, force, and what does not decode; and patches of a scale. */
import { describe, expect, it } from 'vitest';
import { body, create } from './made.ts';
import { answer, type Patch, type PatchType } from './patched.ts';
import { setup } from './setup.ts';

describe('an applied configuration', () => {
  const fresh = () => {
    const world = setup();
    create(world, body('ConfigMap', 'c', { data: { a: '1' } }));
    return world;
  };
  const applying = (name: string, members: object, more: object = {}): Patch => ({
    kind: 'ConfigMap',
    name,
    patchType: 'apply',
    fieldManager: 'm',
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...members },
    ...more,
  });
  const NAME = (given: string, name: string) => `400 the name of the object (${given}) does not match the name on the URL (${name})`;
  const NAMESPACE = '400 the namespace of the provided object does not match the namespace sent on the request';
  const C = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } };
  const N = { apiVersion: 'v1', kind: 'ConfigMap' };

  it.each<readonly [object | null, unknown, unknown]>([
    [{ name: 'other' }, NAME('other', 'c'), NAME('other', 'n')],
    [{ name: 'c', namespace: 'x' }, NAMESPACE, NAME('c', 'n')],
    [{ namespace: 'default' }, C, N],
    [{ namespace: '' }, C, N],
    [{ name: 'n', namespace: 'default' }, NAME('n', 'c'), N],
    [{}, C, N],
    [null, C, N],
    [{ name: '' }, C, '422 ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'],
  ])('with metadata %j', (metadata, stored, made) => {
    expect(answer(fresh(), applying('c', { metadata }))).toEqual(stored);
    const world = fresh();
    expect(answer(world, applying('n', { metadata }))).toEqual(made);
    const created = world.store.get('ConfigMap', 'default/n');
    expect(created?.metadata).toEqual(typeof made === 'string' ? undefined : expect.objectContaining({ name: 'n', namespace: 'default' }));
  });

  it('may be of the whole cluster', () => {
    const world = setup();
    const namespace = {
      kind: 'Namespace',
      name: 'n',
      patchType: 'apply',
      fieldManager: 'm',
      body: { apiVersion: 'v1', kind: 'Namespace' },
    } as const;
    expect(answer(world, namespace)).toMatchObject({ kind: 'Namespace', status: { phase: 'Active' } });
    expect(world.store.get('Namespace', 'n')?.metadata).toEqual(expect.not.objectContaining({ namespace: expect.anything() as unknown }));
  });

  it('takes fields of others only by force', () => {
    const world = setup('k8s.io', {}, { trackFields: () => true });
    const data = (a: string) => ({ data: { a } });
    const stored = (a: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', data: { a } });
    expect(answer(world, applying('c', data('1')))).toEqual(stored('1'));
    expect(answer(world, applying('c', data('2'), { fieldManager: 'other' }))).toBe(
      '409 Apply failed with 1 conflict: conflict with "m": .data.a',
    );
    expect(answer(world, applying('c', data('2'), { fieldManager: 'other', force: true }))).toEqual(stored('2'));
  });

  it('that does not decode is shown', () => {
    expect(answer(fresh(), applying('c', { binaryData: { b: '!' } }))).toBe(
      '422 document of kind apiVersion metadata data binaryData: illegal base64 data at input byte 0',
    );
    expect(answer(fresh(), applying('n', { binaryData: { b: '!' } }))).toBe(
      '422 document of apiVersion kind binaryData metadata: illegal base64 data at input byte 0',
    );
  });
});

describe('a patch of a scale', () => {
  const world = setup();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  create(world, body('ReplicaSet', 'r', { spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template } }, {}, 'apps/v1'));
  const scaled = (spec: object) => ({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec, status: { replicas: 0, selector: 'a=b' } });
  const fit = (word: string) =>
    `422 document of apiVersion kind metadata spec status: json: cannot unmarshal ${word} into Go struct field ScaleSpec.spec.replicas of type int32`;

  it.each<readonly [PatchType, unknown, unknown]>([
    ['merge', { spec: { replicas: 'x' } }, fit('string')],
    ['json', [{ op: 'replace', path: '/spec/replicas', value: 1.5 }], fit('number')],
    [
      'strategic',
      { spec: { replicas: 'x' } },
      '422  "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
    ],
    [
      'merge',
      { kind: 'X', apiVersion: 'a/v2' },
      '400 X in version "v2" cannot be handled as a Scale: no kind "X" is registered for version "a/v2" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'merge',
      { spec: { replicas: -1 } },
      '422 Scale.autoscaling "r" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['merge', { metadata: { name: 'o' } }, '400 the name of the object (o) does not match the name on the URL (r)'],
    [
      'merge',
      { metadata: { uid: 'u' } },
      '409 Operation cannot be fulfilled on replicasets.apps "r": StorageError: invalid object, Code: 4, Key: /registry/replicasets/default/r, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: UID',
    ],
    [
      'merge',
      { metadata: { resourceVersion: '1' } },
      '409 Operation cannot be fulfilled on replicasets.apps "r": the object has been modified; please apply your changes to the latest version and try again',
    ],
    ['merge', { spec: { replicas: 3 } }, scaled({ replicas: 3 })],
    ['strategic', { spec: { replicas: 4 } }, scaled({ replicas: 4 })],
    ['merge', { spec: null, kind: '' }, scaled({})],
  ])('%s %j', (patchType, patch, expected) => {
    expect(answer(world, { kind: 'ReplicaSet', name: 'r', patchType, body: patch, fieldManager: 'm', subresource: 'scale' })).toEqual(
      expected,
    );
  });
});

it('a scale is not applied', () => {
  const world = setup();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  create(world, body('ReplicaSet', 'r', { spec: { selector: { matchLabels: { a: 'b' } }, template } }, {}, 'apps/v1'));
  const at = { kind: 'ReplicaSet', namespace: 'default', name: 'r', subresource: 'scale' } as const;
  expect(world.refused({ verb: 'patch', ...at, patchType: 'apply', fieldManager: 'm', body: {} })).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
});

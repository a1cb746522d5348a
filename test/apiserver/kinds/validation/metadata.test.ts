/** What is valid of the metadata of every kind. */
import { describe, expect, it } from 'vitest';
import { setup } from '../../handlers/setup.ts';
import { causesOfUpdate, check, LABEL, type Manifest, NAME_PART, SUBDOMAIN } from './causes.ts';

const config = (metadata: object, rest: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...metadata },
  ...rest,
});
const owner = (more: object): object => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', ...more });
const BYTES = 256 * 1024;

describe('names', () => {
  check([
    ['are needed', config({ name: '' }), ['metadata.name: Required value: name or generateName is required']],
    ['may be long', config({ name: 'a'.repeat(253) }), []],
    [
      'are not too long',
      config({ name: 'a'.repeat(254) }),
      [
        'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
      ],
    ],
    ['may be made of a beginning', config({ name: undefined, generateName: 'a.b-' }), []],
    [
      'are not made of a wrong beginning',
      config({ name: undefined, generateName: 'A-' }),
      [`metadata.name: Invalid value: "A-dslhw": ${SUBDOMAIN}`],
    ],
    [
      'have a beginning that is right, even where it is not used',
      config({ generateName: '-' }),
      [`metadata.generateName: Invalid value: "-": ${SUBDOMAIN}`],
    ],
    [
      'of roles are parts of a path',
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a/b%', generateName: '..' } },
      ['metadata.name: Invalid value: "a/b%": may not contain \'/\'', 'metadata.name: Invalid value: "a/b%": may not contain \'%\''],
    ],
    [
      'of services are labels that begin with a letter',
      { apiVersion: 'v1', kind: 'Service', metadata: { name: '1a', generateName: 'a.' }, spec: { ports: [{ port: 1 }] } },
      [
        "metadata.generateName: Invalid value: \"a.\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        "metadata.name: Invalid value: \"1a\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'of namespaces are labels',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } },
      [`metadata.name: Invalid value: "a.b": ${LABEL}`],
    ],
  ]);
});

describe('labels, annotations and finalizers', () => {
  check([
    [
      'may be qualified names',
      config({
        labels: { a: '', 'a.b/C_d': 'E.f' },
        annotations: { 'A.b/c': 'any text', D: '' },
        finalizers: ['a.b/c', 'kubernetes', 'orphan'],
        generation: 0,
      }),
      [],
    ],
    [
      'are qualified names',
      config({
        labels: { 'a b': 'c d', '': '' },
        annotations: { 'a b': '', 'C D': '' },
        finalizers: ['a b/', 'other', 'orphan', 'foregroundDeletion'],
        generation: -1,
      }),
      [
        'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
        'metadata.labels: Invalid value: "": name part must be non-empty',
        `metadata.labels: Invalid value: "": ${NAME_PART}`,
        `metadata.labels: Invalid value: "a b": ${NAME_PART}`,
        "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        `metadata.annotations: Invalid value: "C D": ${NAME_PART}`,
        `metadata.annotations: Invalid value: "a b": ${NAME_PART}`,
        `metadata.finalizers: Invalid value: "a b/": prefix part ${SUBDOMAIN}`,
        'metadata.finalizers: Invalid value: "a b/": name part must be non-empty',
        `metadata.finalizers: Invalid value: "a b/": ${NAME_PART}`,
        'metadata.finalizers: Invalid value: []string{"a b/", "other", "orphan", "foregroundDeletion"}: finalizer orphan and foregroundDeletion cannot be both set',
        'metadata.finalizers[1]: Invalid value: "other": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    ['may have 256 KiB', config({ annotations: { a: 'b'.repeat(BYTES - 1) } }), []],
    [
      'have 256 KiB at most',
      config({ annotations: { a: 'b'.repeat(BYTES - 2), c: 'd' } }),
      ['metadata.annotations: Too long: must have at most 262144 bytes'],
    ],
    [
      'have 256 KiB at most, with their names',
      config({ annotations: { ab: 'b'.repeat(BYTES - 1) } }),
      ['metadata.annotations: Too long: must have at most 262144 bytes'],
    ],
    ['may have foreground deletion alone', config({ finalizers: ['foregroundDeletion'] }), []],
  ]);
});

describe('owners', () => {
  check([
    [
      'may be several, one of them the controller',
      config({
        ownerReferences: [
          owner({ controller: true }),
          owner({ controller: false }),
          owner({ apiVersion: 'a/v1', kind: 'Event' }),
          owner({ apiVersion: 'v2', kind: 'Event' }),
        ],
      }),
      [],
    ],
    [
      'are complete, and are no events',
      config({
        ownerReferences: [
          owner({ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }),
          owner({ apiVersion: 'a/' }),
          owner({ kind: 'Event', blockOwnerDeletion: true }),
        ],
      }),
      [
        'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
        'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
        'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
        'metadata.ownerReferences.apiVersion: Invalid value: "a/": version must not be empty',
        'metadata.ownerReferences: Invalid value: v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"p", UID:"u", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(0xc000000000)}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ],
    [
      'have one controller',
      config({ ownerReferences: [owner({ controller: true }), owner({ controller: true, name: 'q' })] }),
      [
        'metadata.ownerReferences: Invalid value: []v1.OwnerReference{v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"p", UID:"u", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}, v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"q", UID:"u", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}}: Only one reference can have Controller set to true. Found "true" in references for p and q',
      ],
    ],
  ]);
});

describe('updates', () => {
  const update = (metadata: object, of: object = config({}), more: object = {}): readonly string[] =>
    causesOfUpdate(of, (made) => ({ ...made, ...more, metadata: { ...made.metadata, ...metadata } }));

  it('keep what identifies an object', () => {
    expect(
      update({ generation: 5, labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a/b'], ownerReferences: [owner({})] }),
    ).toEqual([]);
    expect(
      update({ deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 1, creationTimestamp: '2024-01-01T00:00:00.5Z' }),
    ).toEqual([
      'metadata.deletionTimestamp: Invalid value: 2024-01-01 00:00:00 +0000 UTC: field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable',
      'metadata.deletionTimestamp: Invalid value: 2024-01-01 00:00:00 +0000 UTC: field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable',
    ]);
  });

  it('may not have wrong metadata', () => {
    expect(
      update({ labels: { 'a b': '' }, annotations: { 'a b': '' }, finalizers: ['other'], ownerReferences: [owner({ name: '' })] }),
    ).toEqual([
      `metadata.labels: Invalid value: "a b": ${NAME_PART}`,
      `metadata.annotations: Invalid value: "a b": ${NAME_PART}`,
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      `metadata.labels: Invalid value: "a b": ${NAME_PART}`,
      `metadata.annotations: Invalid value: "a b": ${NAME_PART}`,
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      `metadata.labels: Invalid value: "a b": ${NAME_PART}`,
      `metadata.annotations: Invalid value: "a b": ${NAME_PART}`,
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.finalizers[0]: Invalid value: "other": name is neither a standard finalizer name nor is it fully qualified',
      `metadata.labels: Invalid value: "a b": ${NAME_PART}`,
      `metadata.annotations: Invalid value: "a b": ${NAME_PART}`,
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
      'metadata.finalizers[0]: Invalid value: "other": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    expect(
      update(
        { labels: undefined, annotations: undefined, finalizers: undefined, ownerReferences: undefined },
        config({ labels: { a: 'b' }, annotations: { a: 'b' }, ownerReferences: [owner({})] }),
      ),
    ).toEqual([]);
  });

  it('add no finalizers to what is being deleted', () => {
    const { ok, refused } = setup();
    const at = { kind: 'ConfigMap', namespace: 'default', name: 'x' };
    ok({ verb: 'create', kind: 'ConfigMap', namespace: 'default', body: config({ finalizers: ['a/b', 'c/d'] }) as Manifest });
    const dying = ok({ verb: 'delete', ...at });
    const withFinalizers = (finalizers: readonly string[]) => ({ ...dying, metadata: { ...dying.metadata, finalizers } });
    expect(refused({ verb: 'update', ...at, body: withFinalizers(['z/y', 'a/b', 'e/f', 'c/d']) }).message).toEqual(
      'ConfigMap "x" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"e/f", "z/y"}',
    );
    expect(ok({ verb: 'update', ...at, body: withFinalizers(['c/d']) }).metadata.finalizers).toEqual(['c/d']);
  });

  it('keep data that was declared immutable', () => {
    const fixed = config({}, { immutable: true, data: { a: 'b' } });
    expect(update({}, fixed)).toEqual([]);
    expect(update({}, fixed, { data: { a: 'c' }, binaryData: { d: 'AA==' } })).toEqual([
      'data: Forbidden: field is immutable when `immutable` is set',
      'binaryData: Forbidden: field is immutable when `immutable` is set',
    ]);
    expect(update({}, fixed, { immutable: false })).toEqual(['immutable: Forbidden: field is immutable when `immutable` is set']);
    expect(update({}, fixed, { immutable: undefined, data: undefined })).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
    expect(update({}, config({}, { immutable: false, data: { a: 'b' } }), { immutable: true, data: {} })).toEqual([]);
  });
});

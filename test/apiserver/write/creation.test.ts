/** What the server adds to a new object, and which new objects it refuses. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/engine/index.ts';
import { newUid } from '../../../src/apiserver/write/create.ts';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import { setup } from '../handlers/setup.ts';

const AT = '2024-03-01T00:00:00Z';
const MAPS = { kind: 'ConfigMap', namespace: 'default' } as const;
const map = (metadata: object, more: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...more }) as never;
const creating = (metadata: object, more: object = {}): ApiRequest => ({ ...MAPS, verb: 'create', body: map(metadata), ...more });

/** A stream whose numbers are the bound less one, and whose texts come one after the other. */
const scripted = (...texts: readonly string[]) => {
  const asked: unknown[] = [];
  const stream = {
    ...createRandom(1).stream('server'),
    below: (bound: number) => bound - 1,
    text(length: number, alphabet: string) {
      asked.push([length, alphabet]);
      return texts[asked.length - 1] ?? 'xxxxx';
    },
  };
  return { stream, asked };
};

describe('a uid', () => {
  it('has the digits of four numbers, a version and a variant', () => {
    const numbers = [0xfedcba98, 0x76543210, 0x00000001, 0xf0000000, 2];
    const random = { ...createRandom(1).stream('server'), below: () => numbers.shift() ?? 0 };
    expect(newUid({ random })).toBe('89abcdef-0123-4567-a000-00000000000f');
    expect(numbers).toEqual([]);
  });

  it('is not one of a dump', () => {
    const two = (taken?: ReadonlySet<string>) => {
      const random = createRandom(7).stream('server');
      const scope = { random, ...(taken === undefined ? {} : { takenUids: taken }) };
      return [newUid(scope), newUid(scope)];
    };
    const [first = '', second = ''] = two();
    expect(two(new Set([first]))[0]).toBe(second);
    expect(two(new Set([second]))[0]).toBe(first);
  });
});

describe('a new object', () => {
  it('has the metadata that the server owns, whatever its author says of it', () => {
    const { ok } = setup();
    const sent = {
      name: 'm',
      generateName: 'g-',
      labels: { a: 'b' },
      annotations: { c: 'd' },
      finalizers: ['example.com/f'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
      uid: 'mine',
      generation: 7,
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 3,
      selfLink: '/x',
      resourceVersion: '',
    };
    const { metadata } = ok(creating(sent));
    const { uid, resourceVersion } = metadata;
    expect(metadata).toEqual({
      name: 'm',
      generateName: 'g-',
      namespace: 'default',
      uid,
      resourceVersion,
      generation: 7,
      creationTimestamp: AT,
      labels: sent.labels,
      annotations: sent.annotations,
      ownerReferences: sent.ownerReferences,
      finalizers: sent.finalizers,
    });
    expect(Object.keys(metadata)).toEqual([
      'name',
      'generateName',
      'namespace',
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'labels',
      'annotations',
      'ownerReferences',
      'finalizers',
    ]);
    expect(uid).not.toBe('mine');
  });

  it('of a kind that counts changes has the generation 1', () => {
    const { ok } = setup();
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b', generation: 7 }, spec: {} } as never;
    expect(ok({ verb: 'create', kind: 'PodDisruptionBudget', namespace: 'default', body: budget }).metadata.generation).toBe(1);
  });

  it('is stored with the next revision', () => {
    const { ok, store } = setup();
    const before = store.revision;
    const made = ok(creating({ name: 'm' }));
    expect([store.revision, made.metadata.resourceVersion, store.get('ConfigMap', 'default/m')]).toEqual([
      before + 1,
      String(before + 1),
      made,
    ]);
  });

  it('of a dry run is answered and not stored; of the revision it says what the author said', () => {
    const { ok, server, store } = setup();
    const before = store.revision;
    expect(ok(creating({ name: 'm' }, { dryRun: true })).metadata.resourceVersion).toBeUndefined();
    expect(ok(creating({ name: 'm', resourceVersion: '5' }, { dryRun: true })).metadata.resourceVersion).toBe('5');
    expect(server.handle(envelopeOf('client', creating({ name: 'm' }, { dryRun: true })))).toMatchObject({ ok: true, code: 201 });
    expect([store.revision, store.get('ConfigMap', 'default/m')]).toEqual([before, undefined]);
  });

  it.each<[unknown, number | undefined]>([
    ['', undefined],
    ['0', undefined],
    ['00', undefined],
    ['x', undefined],
    ['1x', undefined],
    ['x1', undefined],
    ['1', 500],
    ['01', 500],
  ])('with the revision %j is refused with %s', (resourceVersion, code) => {
    const { ok, refused } = setup();
    if (code === undefined) expect(ok(creating({ name: 'm', resourceVersion })).metadata.name).toBe('m');
    else
      expect(refused(creating({ name: 'm', resourceVersion }))).toMatchObject({
        code,
        message: 'resourceVersion should not be set on objects to be created',
      });
  });

  it('of a name that is taken is refused, also while the other is deleted', () => {
    const { ok, refused } = setup();
    ok(creating({ name: 'm', finalizers: ['example.com/f'] }));
    expect(refused(creating({ name: 'm' }))).toMatchObject({ code: 409, message: 'configmaps "m" already exists' });
    expect(refused(creating({ name: 'm' }, { dryRun: true }))).toMatchObject({ code: 409 });
    ok({ ...MAPS, verb: 'delete', name: 'm' });
    expect(refused(creating({ name: 'm' }))).toMatchObject({
      code: 409,
      message: 'object is being deleted: configmaps "m" already exists',
    });
  });
});

describe('a generated name', () => {
  it('is its beginning, cut to a label of DNS, and five letters and digits that are hard to confuse', () => {
    const { stream, asked } = scripted('aaaaa', 'bbbbb', 'ccccc');
    const { ok } = setup('k8s.io', {}, { random: stream });
    const named = (generateName: string, more = {}) => ok(creating({ generateName, ...more })).metadata.name;
    expect([named('x-'), named('y'.repeat(58)), named('z'.repeat(59))]).toEqual([
      'x-aaaaa',
      `${'y'.repeat(58)}bbbbb`,
      `${'z'.repeat(58)}ccccc`,
    ]);
    expect(new Set(asked.map((each) => JSON.stringify(each)))).toEqual(new Set(['[5,"bcdfghjklmnpqrstvwxz2456789"]']));
    // A name that is given is kept.
    expect([named('x-', { name: 'given' }), asked.length]).toEqual(['given', 3]);
  });

  it('is one that is free in its namespace, at the eighth attempt or not at all', () => {
    const { stream, asked } = scripted('aaaaa', ...Array.from({ length: 7 }, () => 'aaaaa'), 'bbbbb');
    const { ok, refused } = setup('k8s.io', {}, { random: stream });
    expect(ok(creating({ generateName: 'x-' })).metadata.name).toBe('x-aaaaa');
    expect(ok(creating({ generateName: 'x-' })).metadata.name).toBe('x-bbbbb');
    expect(asked).toHaveLength(9);
    const always = setup('k8s.io', {}, { random: scripted().stream });
    always.ok(creating({ generateName: 'x-' }));
    expect(always.refused(creating({ generateName: 'x-' }))).toMatchObject({ code: 409, message: 'configmaps "x-xxxxx" already exists' });
    const elsewhere = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } } as never;
    always.ok({ verb: 'create', kind: 'Namespace', body: elsewhere });
    expect(always.ok({ ...creating({ generateName: 'x-' }), namespace: 'other' }).metadata.name).toBe('x-xxxxx');
    expect(refused(creating({ generateName: '' }))).toMatchObject({ code: 422 });
  });
});

describe('the author of a new object is warned', () => {
  const warningsOf = (metadata: object): unknown => {
    const response = setup().server.handle(envelopeOf('client', creating({ name: 'm', ...metadata })));
    if (!response.ok || !('object' in response)) throw new Error(JSON.stringify(response));
    return [response.warnings, response.object.metadata.ownerReferences?.map(({ uid, name }) => `${uid} ${name}`)];
  };
  const owner = (uid: string, name = 'n') => ({ apiVersion: 'v1', kind: 'Pod', name, uid });
  const REPEATED = (uid: string) =>
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uid}`;

  it('of owners that are named twice, which are stored once', () => {
    expect([
      warningsOf({ ownerReferences: [owner('a')] }),
      warningsOf({ ownerReferences: [owner('a'), owner('b')] }),
      warningsOf({ ownerReferences: [owner('a'), owner('b'), owner('b'), owner('a')] }),
      warningsOf({ ownerReferences: [owner('a'), owner('a', 'other'), owner('a')] }),
    ]).toEqual([
      [undefined, ['a n']],
      [undefined, ['a n', 'b n']],
      [[REPEATED('b')], ['a n', 'b n']],
      [[REPEATED('a')], ['a n', 'a other']],
    ]);
  });

  it('of the name of a cluster, which is not stored', () => {
    const text = 'metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25';
    expect([warningsOf({ clusterName: 'c' }), warningsOf({ clusterName: '' }), warningsOf({})]).toEqual([
      [[text], undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const { ok } = setup();
    expect(ok(creating({ name: 'm', clusterName: 'c' })).metadata).not.toHaveProperty('clusterName');
  });
});

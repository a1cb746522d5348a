/** Gets, lists and watches: the revision that each is at, its pages, and what is refused, in upstream's words. */
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest, type ObjectList } from '../../../src/apiserver/request/index.ts';
import { writeToken } from '../../../src/apiserver/handlers/continue-token.ts';
import { setup, type Setup } from './setup.ts';

const lease = (name: string) => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec: {} });
const IN_DEFAULT = { kind: 'Lease', namespace: 'default' } as const;
type ListOptions = Partial<Extract<ApiRequest, { verb: 'list' }>>;

function filled(names = 'abc', gates = {}): Setup {
  const world = setup('k8s.io', gates);
  for (const name of names) world.ok({ verb: 'create', ...IN_DEFAULT, body: lease(name) });
  return world;
}
const answer = ({ server }: Setup, options: ListOptions = {}) =>
  server.handle(envelopeOf('client', { verb: 'list', ...IN_DEFAULT, ...options }));
const listed = (world: Setup, options: ListOptions = {}): ObjectList => {
  const response = answer(world, options);
  if (!response.ok || !('list' in response)) throw new Error(JSON.stringify(response));
  return response.list;
};
const refusal = (world: Setup, options: ListOptions) => {
  const response = answer(world, options);
  return response.ok ? undefined : `${response.code} ${response.status.reason ?? ''} ${response.status.message ?? ''}`;
};
const namesIn = (list: ObjectList): string => list.items.map(({ metadata }) => metadata.name).join('');
const unreadable = (text: string) => `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
const FUTURE = '500  etcdserver: mvcc: required revision is a future revision';

describe('a list', () => {
  it('says what it is, at which revision, and what is left', () => {
    const world = filled();
    const { revision } = world.store;
    expect(listed(world, { namespace: '' })).toMatchObject({ kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1' });
    expect(listed(world).metadata).toEqual({ resourceVersion: String(revision) });
    expect(listed(world, { limit: 2 }).metadata).toEqual({
      resourceVersion: String(revision),
      continue: writeToken({ revision, start: 'b\0' }),
      remainingItemCount: 1,
    });
    // A selection does not know what is left; a full page that ends the list has no next one.
    expect(listed(world, { limit: 1, labelSelector: 'a!=b' }).metadata).toEqual({
      resourceVersion: String(revision),
      continue: writeToken({ revision, start: 'a\0' }),
    });
    expect(listed(world, { limit: 3 }).metadata).toEqual({ resourceVersion: String(revision) });
    expect([listed(world, { limit: 0 }), listed(world, { limit: -1 })].map(namesIn)).toEqual(['abc', 'abc']);
  });

  it('of all namespaces goes on in the key of each', () => {
    const world = filled('b');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } } as const;
    world.ok({ verb: 'create', kind: 'Namespace', body: namespace });
    world.ok({ verb: 'create', kind: 'Lease', namespace: 'a', body: lease('z') });
    const everywhere: ListOptions = { namespace: '', limit: 1 };
    const first = listed(world, everywhere);
    expect([namesIn(first), first.metadata.continue]).toEqual(['z', writeToken({ revision: world.store.revision, start: 'a/z\0' })]);
    expect(namesIn(listed(world, { ...everywhere, continue: first.metadata.continue ?? '' }))).toBe('b');
  });

  it.each<[ListOptions, string | undefined]>([
    [{ resourceVersion: '' }, undefined],
    [{ resourceVersion: '0' }, undefined],
    [{ resourceVersion: '1' }, undefined],
    [{ resourceVersion: 'x' }, `500  ${unreadable('x')}`],
    [{ resourceVersion: '1x' }, `500  ${unreadable('1x')}`],
    [{ resourceVersion: '-1' }, `500  ${unreadable('-1')}`],
    [{ resourceVersion: 'x', resourceVersionMatch: 'Exact' }, `400 BadRequest invalid resource version: ${unreadable('x')}`],
    [{ resourceVersion: '9999' }, '504 Timeout Timeout: Too large resource version: 9999, current: 8'],
    [{ resourceVersion: '9999', limit: 1 }, FUTURE],
    [
      { resourceVersion: '9999', limit: 1, resourceVersionMatch: 'NotOlderThan' },
      '504 Timeout Timeout: Too large resource version: 9999, current: 8',
    ],
    [{ resourceVersion: '9999', resourceVersionMatch: 'Exact' }, FUTURE],
    [{ resourceVersion: '3', continue: 'x' }, '400 BadRequest invalid continue token: continue key is not valid: illegal base64 data'],
    [
      { resourceVersion: '3', continue: writeToken({ revision: 3, start: 'a\0' }) },
      '400 BadRequest specifying resource version is not allowed when using continue',
    ],
    [{ resourceVersion: '0', continue: writeToken({ revision: 5, start: 'a\0' }) }, undefined],
    [{ continue: writeToken({ revision: 9999, start: 'a\0' }) }, FUTURE],
    [{ continue: writeToken({ revision: -1, start: 'a\0' }) }, undefined],
  ])('with %j is refused with %s', (options, expected) => {
    const world = filled();
    const found = refusal(world, options);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found?.slice(0, expected.length)).toBe(expected);
  });

  const OPTIONS = 'ListOptions.meta.k8s.io "" is invalid: ';
  const SUPPORTED = 'supported values: "Exact", "NotOlderThan", ""';
  it.each<[ListOptions, string | undefined]>([
    [{ resourceVersionMatch: '' }, undefined],
    [{ resourceVersionMatch: 'Exact', resourceVersion: '1' }, undefined],
    [{ resourceVersionMatch: 'NotOlderThan', resourceVersion: '0' }, undefined],
    [
      { resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      { resourceVersionMatch: 'Exact', resourceVersion: '0' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [{ resourceVersionMatch: 'X', resourceVersion: '1' }, `resourceVersionMatch: Unsupported value: "X": ${SUPPORTED}`],
    [
      { resourceVersionMatch: 'X', continue: 'c' },
      `[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided, resourceVersionMatch: Unsupported value: "X": ${SUPPORTED}]`,
    ],
  ])('with the match %j is judged', (options, expected) => {
    expect(refusal(filled(), options)).toBe(expected === undefined ? undefined : `422 Invalid ${OPTIONS}${expected}`);
  });

  it('at an old revision shows what was there', () => {
    const world = filled('bd');
    const { revision } = world.store;
    world.ok({ verb: 'create', ...IN_DEFAULT, body: lease('c') });
    for (const name of ['b', 'd'] as const) world.server.handle(envelopeOf('client', { verb: 'delete', ...IN_DEFAULT, name }));
    world.ok({ verb: 'create', ...IN_DEFAULT, body: lease('d') });
    world.ok({ verb: 'create', ...IN_DEFAULT, body: lease('a') });
    const at = (rv: number, options: ListOptions = {}) => {
      const list = listed(world, { resourceVersion: String(rv), resourceVersionMatch: 'Exact', ...options });
      return [namesIn(list), list.metadata.resourceVersion];
    };
    expect([0, 1, 2, 3, 4, 5].map((step) => at(revision + step)[0])).toEqual(['bd', 'bcd', 'cd', 'c', 'cd', 'acd']);
    expect(at(revision)).toEqual(['bd', String(revision)]);
    expect(at(revision, { limit: 1 })).toEqual(['b', String(revision)]);
    // Without a match a limit makes the revision exact; without a limit it is the oldest that may be shown.
    expect(namesIn(listed(world, { resourceVersion: String(revision), limit: 9 }))).toBe('bd');
    expect(namesIn(listed(world, { resourceVersion: String(revision) }))).toBe('acd');
    expect(namesIn(listed(world, { resourceVersion: '0', limit: 1 }))).toBe('acd');
    expect(refusal(world, { resourceVersion: '1', resourceVersionMatch: 'Exact' })).toBeUndefined();
    world.store.compact(revision + 2);
    expect(refusal(world, { resourceVersion: String(revision + 1), resourceVersionMatch: 'Exact' })).toBe(
      '410 Expired The resourceVersion for the provided list is too old.',
    );
    expect(at(revision + 2)[0]).toBe('cd');
  });

  it('of pods on a node is in the order of their keys', () => {
    const world = setup();
    const other = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } } as const;
    world.ok({ verb: 'create', kind: 'Namespace', body: other });
    const pod = (name: string, nodeName: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
    });
    for (const [namespace, name, node] of [
      ['default', 'b', 'n'],
      ['default', 'a', 'n'],
      ['a', 'z', 'n'],
      ['default', 'c', 'm'],
    ] as const)
      world.ok({ verb: 'create', kind: 'Pod', namespace, body: pod(name, node) });
    const pods = (options: ListOptions) => namesIn(listed(world, { kind: 'Pod', namespace: '', ...options }));
    expect([
      pods({ fieldSelector: 'spec.nodeName=n' }),
      pods({ fieldSelector: 'spec.nodeName=n', namespace: 'default' }),
      pods({ fieldSelector: 'spec.nodeName=n', limit: 2 }),
      pods({ fieldSelector: 'spec.nodeName=n,metadata.name=a' }),
      pods({ fieldSelector: 'spec.nodeName=' }),
      pods({ fieldSelector: 'spec.nodeName!=n' }),
      pods({ fieldSelector: 'metadata.name=b', namespace: 'default' }),
      pods({ fieldSelector: 'metadata.name=b', namespace: 'a' }),
      pods({ fieldSelector: 'metadata.name=b' }),
      pods({ fieldSelector: 'metadata.namespace=a' }),
      pods({ namespace: 'default' }),
    ]).toEqual(['zab', 'ab', 'za', 'a', '', 'c', 'b', '', 'b', 'z', 'abc']);
  });

  it('by a field that there is not, or a selector that cannot be read, is refused', () => {
    const world = filled();
    expect([
      refusal(world, { fieldSelector: 'spec.x=1' }),
      refusal(world, { fieldSelector: 'a' }),
      refusal(world, { labelSelector: '=' }),
      refusal(world, { kind: 'Node', fieldSelector: 'metadata.namespace=a' }),
    ]).toEqual([
      '400 BadRequest "spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
      expect.stringMatching(/^400 BadRequest invalid selector/),
      expect.stringMatching(/^400 BadRequest /),
      expect.stringMatching(/^400 BadRequest /),
    ]);
  });
});

describe('a get', () => {
  it('is of the newest revision, unless a later one is asked for', () => {
    const world = filled('a');
    const get = (resourceVersion: string, name = 'a') => {
      const response = world.server.handle(envelopeOf('client', { verb: 'get', ...IN_DEFAULT, name, resourceVersion }));
      return response.ok
        ? response.code
        : `${response.code} ${response.status.message ?? ''} ${String(response.status.details?.retryAfterSeconds)}`;
    };
    expect([get(''), get('0'), get('1'), get('x'), get('9999'), get('', 'b')]).toEqual([
      200,
      200,
      200,
      `500 ${unreadable('x')} undefined`,
      '504 Timeout: Too large resource version: 9999, current: 6 1',
      '404 leases.coordination.k8s.io "b" not found undefined',
    ]);
  });
});

describe('a watch', () => {
  const opened = (world: Setup, options: object = {}) => {
    const watch = world.server.watch({ verb: 'watch', ...IN_DEFAULT, ...options });
    return watch.ok ? watch.watch : `${watch.code} ${watch.status.message ?? ''}`;
  };

  it('is refused where its options are wrong', () => {
    const world = filled();
    expect([
      opened(world, { resourceVersion: 'x' }),
      opened(world, { resourceVersionMatch: 'Exact' }),
      opened(world, { fieldSelector: 'x=y' }),
    ]).toEqual([
      `500 ${unreadable('x')}`,
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided]',
      '400 "x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ]);
    expect(opened(world, { resourceVersionMatch: 'X', resourceVersion: '1' })).toContain('[resourceVersionMatch: Forbidden'.slice(1));
  });

  it('begins with what there is, or what has changed since, and tells what leaves its selection', () => {
    const world = filled('a');
    const since = String(world.store.revision);
    world.ok({ verb: 'create', ...IN_DEFAULT, body: lease('b') });
    world.ok({ verb: 'patch', ...IN_DEFAULT, name: 'a', patchType: 'merge', body: { metadata: { labels: { x: 'y' } } } });
    const text = (watch: ReturnType<typeof opened>) =>
      typeof watch === 'string' ? watch : watch.initial.map(({ type, object }) => `${type} ${String(object.metadata['name'])}`);
    expect([
      text(opened(world)),
      text(opened(world, { resourceVersion: '0' })),
      text(opened(world, { resourceVersion: since })),
      text(opened(world, { resourceVersion: since, fieldSelector: 'metadata.name=a' })),
      text(opened(world, { resourceVersion: since, labelSelector: 'x=y' })),
      text(opened(world, { resourceVersion: String(world.store.revision) })),
      text(opened(world, { namespace: 'other' })),
      text(opened(world, { namespace: '' })),
    ]).toEqual([
      ['ADDED a', 'ADDED b'],
      ['ADDED a', 'ADDED b'],
      ['ADDED b', 'MODIFIED a'],
      ['MODIFIED a'],
      ['ADDED a'],
      [],
      [],
      ['ADDED a', 'ADDED b'],
    ]);
    world.store.compact(world.store.revision);
    const late = opened(world, { resourceVersion: since });
    expect(late).toMatchObject({
      over: true,
      initial: [
        {
          type: 'ERROR',
          object: { code: 410, reason: 'Expired', message: `too old resource version: ${since} (${world.store.compactedAt})` },
        },
      ],
    });
  });

  it('has bookmarks at the revision of the store', () => {
    const world = filled('a');
    const watch = opened(world);
    world.ok({ verb: 'create', ...IN_DEFAULT, body: lease('b') });
    expect(typeof watch === 'string' ? watch : watch.bookmark()).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Lease',
        apiVersion: 'coordination.k8s.io/v1',
        metadata: { creationTimestamp: null, resourceVersion: String(world.store.revision) },
        spec: {},
      },
    });
    const sets = opened(world, { kind: 'ReplicaSet' });
    expect(typeof sets === 'string' ? sets : sets.bookmark().object).toMatchObject({
      kind: 'ReplicaSet',
      spec: { replicas: 0 },
      status: { replicas: 0 },
    });
  });
});

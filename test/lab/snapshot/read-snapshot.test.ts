/** The state that texts describe: its kinds, order, names and notes, and all that is wrong with them. */
import { describe, expect, it } from 'vitest';
import { readSnapshot, type Snapshot } from '../../../src/lab/snapshot/index.ts';

type Options = Parameters<typeof readSnapshot>[1];
const list = (...items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const TIME = '2024-05-02T10:00:00Z';
const map = (name: string, metadata: object = {}, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, ...metadata },
  ...more,
});

function read(text: string, options?: Options): Snapshot {
  const result = readSnapshot([{ file: 'f', text }], options);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.snapshot;
}
const problemsOf = (text: string, options?: Options) => {
  const result = readSnapshot([{ file: 'f', text }], options);
  return 'problems' in result
    ? result.problems.map(({ line, col, path, expected, found }) => `${line}:${col} ${path}: expected ${expected}, found ${found}`)
    : [];
};
const of = ({ objects }: Snapshot, kind: string) => objects.filter((object) => object.kind === kind);
const names = (snapshot: Snapshot, kind: string) => of(snapshot, kind).map(({ metadata }) => metadata.name);

describe('objects', () => {
  it('are in the order of their revisions, those without one last; what is made comes behind', () => {
    const snapshot = read(list(map('none'), map('b', { resourceVersion: '20' }), map('a', { resourceVersion: '9' })));
    expect(names(snapshot, 'ConfigMap').filter((name) => !name.startsWith('kube'))).toEqual(['a', 'b', 'none']);
    expect(snapshot.objects.findIndex(({ kind }) => kind === 'Namespace')).toBeGreaterThan(2);
  });

  it('without a namespace or a time are of the default one and of the time of the dump', () => {
    const given = { ...map('a', { namespace: undefined, selfLink: '/x' }), data: { a: 'b' } };
    const snapshot = read(list(given, map('b', { creationTimestamp: TIME })));
    expect(snapshot.takenAt).toBe(Date.parse(TIME));
    expect(of(snapshot, 'ConfigMap')[0]).toMatchObject({
      metadata: { name: 'a', namespace: 'default', creationTimestamp: TIME },
      data: { a: 'b' },
    });
    expect(of(snapshot, 'ConfigMap')[0]?.metadata).not.toHaveProperty('selfLink');
    const timeless = read(list(map('a')));
    expect([timeless.takenAt, of(timeless, 'ConfigMap')[0]?.metadata.creationTimestamp]).toEqual([undefined, '1970-01-01T00:00:00Z']);
    const node = read(list({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n' } }));
    expect(of(node, 'Node')[0]?.metadata).not.toHaveProperty('namespace');
    expect(node.nodes).toEqual([{ name: 'n', restored: 'up', capacity: {} }]);
  });
});

describe('the names of the cluster', () => {
  it('are those that the dump speaks, or those that are given', () => {
    const own = { apiVersion: 'apps.orch.io/v1', kind: 'Thing', metadata: { name: 'x', uid: 'x' } };
    const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: name } });
    expect(read(list(map('a'))).domain).toBe('k8s.io');
    expect(read(list(map('a'), own)).domain).toBe('orch.io');
    expect(read(list({ ...own, apiVersion: 'orch.io/v1' })).domain).toBe('orch.io');
    expect(read(list({ ...own, apiVersion: 'my-orch.io/v1' })).domain).toBe('k8s.io');
    expect(read(list(namespace('orch-system'))).domain).toBe('orch.io');
    expect(read(list(map('orch-system'), namespace('kube-system'))).domain).toBe('k8s.io');
    expect(read(list(map('a')), { domain: 'orch.io' }).domain).toBe('orch.io');
  });
});

describe('kinds', () => {
  const policy = (name: string, apiVersion: string, more: object = {}, namespace = 'shop') => ({
    apiVersion,
    kind: 'Policy',
    metadata: { name, uid: `uid-${name}`, ...(namespace === '' ? {} : { namespace }) },
    ...more,
  });

  it('that nobody here has are kept as they are, with the members of all of their objects', () => {
    const snapshot = read(
      list(policy('a', 'x.io/v2', { spec: {}, data: 1 }), policy('b', 'x.io/v2', { status: {} }), {
        ...policy('z', 'v1', {}, ''),
        kind: 'Apple',
      }),
    );
    expect(snapshot.foreign).toEqual([
      { group: '', version: 'v1', kind: 'Apple', plural: 'apples', namespaced: false, shortNames: [], fields: [] },
      {
        group: 'x.io',
        version: 'v2',
        kind: 'Policy',
        plural: 'policies',
        namespaced: true,
        shortNames: [],
        fields: ['data', 'spec', 'status'],
      },
    ]);
    expect(snapshot.notes[0]).toBe(
      'kinds that nobody here knows are kept as they are, and no controller acts on them: 1 Apple (v1), 2 Policy (x.io/v2)',
    );
    expect(of(snapshot, 'Policy')).toHaveLength(2);
  });

  it('of two groups or versions clash: the first is kept', () => {
    const snapshot = read(
      list(policy('a', 'x.io/v2'), policy('b', 'y.io/v2'), policy('c', 'x.io/v1'), policy('d', 'y.io/v2'), {
        ...map('e'),
        apiVersion: 'z.io/v1',
      }),
    );
    expect(snapshot.notes.find((line) => line.startsWith('left out'))).toBe(
      'left out, because another kind has the same name: 2 Policy of y.io/v2, 1 Policy of x.io/v1, 1 ConfigMap of z.io',
    );
    expect(names(snapshot, 'Policy')).toEqual(['a']);
  });

  it('of versions without a conversion are refused, with the command that prints the present one', () => {
    const old = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'a', namespace: 'shop' }, spec: {} };
    expect(problemsOf(list(old))).toEqual([
      '1:43 apiVersion: expected apps/v1 (kubectl get deployments.v1.apps -o yaml), found apps/v1beta1',
    ]);
    expect(problemsOf(list({ ...map('a'), apiVersion: 'v0' }))).toEqual([
      '1:43 apiVersion: expected v1 (kubectl get configmaps.v1 -o yaml), found v0',
    ]);
    const converted = read(list({ ...map('a'), apiVersion: 'v0' }), { lenient: true });
    expect(converted.notes).toContain('read in the version that the server stores: 1 ConfigMap of v0');
    expect(of(converted, 'ConfigMap')[0]).toMatchObject({ apiVersion: 'v1', metadata: { name: 'a' } });
  });
});

describe('what is wrong', () => {
  it('is told in reading order, or left out and said', () => {
    const bad = { ...map('bad'), data: { a: 1 } };
    const text = list({ kind: 'Pod' }, map('a'), map('a', { uid: 'other' }), bad);
    expect(problemsOf(text).map((line) => line.replace(/^1:\d+ /, ''))).toEqual([
      'apiVersion: expected an apiVersion such as apps/v1, found nothing',
      'metadata.uid: expected the uid uid-a that ConfigMap shop/a has at f:1 (are these two clusters?), found other',
      expect.stringMatching(/^ConfigMap shop\/bad: expected values of its kind, found /),
    ]);
    const { notes, ...snapshot } = read(text, { lenient: true });
    expect(notes.filter((line) => line.startsWith('left out: f:1:'))).toHaveLength(3);
    expect(names(snapshot as Snapshot, 'ConfigMap').filter((name) => !name.startsWith('kube'))).toEqual(['a']);
  });

  it('is a dump of nothing', () => {
    expect([problemsOf('{"kind":"List","items":[]}'), problemsOf('')]).toEqual([
      ['1:1 : expected the objects of a cluster, found none'],
      ['1:1 : expected the objects of a cluster, found none'],
    ]);
    const none = readSnapshot([]);
    expect('problems' in none ? none.problems.map(({ file }) => file) : none).toEqual(['-']);
  });

  it('is not a Secret whose values are emptied', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop', uid: 's' }, data: { key: 'aGVsbG8=' } };
    const dataOf = (options?: Options) => of(read(list(secret), options), 'Secret')[0]?.['data'];
    expect([dataOf(), dataOf({ secrets: true }), dataOf({ secrets: false })]).toEqual([{ key: '' }, { key: 'aGVsbG8=' }, { key: '' }]);
    expect(read(list(secret)).notes).toContain('the values of 1 Secret are emptied (--with-secrets keeps them)');
  });
});

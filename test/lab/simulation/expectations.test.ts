/** Expectations about a cluster: whether they hold, and the whole trouble where they do not. */
import { describe, expect, it } from 'vitest';
import type { Expectation } from '../../../src/lab/scenario/index.ts';
import { evaluate, holdsNow, kindsOf } from '../../../src/lab/simulation/expectations.ts';
import { clusterWith, map, node, pod } from './world.ts';

const cluster = clusterWith([
  map('a', ', labels: { app: x }'),
  map('b', ', labels: { app: x }'),
  ...['c', 'd', 'e', 'f', 'g', 'h'].map((name) => map(name, ', labels: { many: z }, namespace: other')),
  node('n1'),
  pod('p'),
  '{ apiVersion: rbac.authorization.orch.io/v1, kind: ClusterRole, metadata: { name: reader }, rules: [{ apiGroups: [batch, ""], resources: [jobs, pods/log], resourceNames: [], verbs: [get] }, { nonResourceURLs: [/healthz], verbs: [get] }] }',
  '{ apiVersion: rbac.authorization.orch.io/v1, kind: ClusterRoleBinding, metadata: { name: reads }, roleRef: { apiGroup: rbac.authorization.orch.io, kind: ClusterRole, name: reader }, subjects: [{ kind: Group, name: readers, apiGroup: rbac.authorization.orch.io }, { kind: User, name: jane, apiGroup: rbac.authorization.orch.io }] }',
]);
/** The trouble with details as lines; undefined: it holds. */
const troubleWith = (expectation: object) => {
  const trouble = evaluate(cluster, expectation as Expectation);
  if (trouble === undefined) return undefined;
  const { message, detail, about } = trouble;
  return { message, detail: [...detail], ...(about === undefined ? {} : { about }) };
};
const APP = { kind: 'ConfigMap', labels: { app: 'x' } };

describe('match', () => {
  const match = (of: object) => troubleWith({ expect: 'match', match: of });

  it('holds where some object has the members', () => {
    expect([match({ kind: 'ConfigMap', metadata: { name: 'b' } }), match({ kind: 'Node' })]).toEqual([undefined, undefined]);
  });

  it('otherwise names the nearest object, its first difference and all of them', () => {
    expect(match({ kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'y', tier: 'z' } } })).toEqual({
      message: 'no ConfigMap matches; nearest is ConfigMap default/a',
      detail: ['  metadata.labels.app   expected "y"  found "x"', '  metadata.labels.tier  expected "z"  found nothing'],
      about: { kind: 'ConfigMap', namespace: 'default', name: 'a', field: 'metadata.labels.app' },
    });
    expect(match({ kind: 'Node', metadata: { name: 'n1' }, spec: { unschedulable: true } })).toMatchObject({
      about: { kind: 'Node', name: 'n1', field: 'spec.unschedulable' },
    });
  });

  it('says where there is none at all', () => {
    expect(match({ kind: 'Job' })).toEqual({ message: 'there is no Job at all', detail: [] });
    expect(match({ metadata: { name: 'a' } })).toMatchObject({ detail: [] });
  });
});

describe('absent', () => {
  const absent = (target: object) => troubleWith({ expect: 'absent', target });

  it('holds where nothing is selected', () => {
    expect([absent({ kind: 'ConfigMap', name: 'z' }), absent({ kind: 'Job' })]).toEqual([undefined, undefined]);
  });

  it('otherwise names what is there, five at most, and is about the first', () => {
    expect(absent(APP)).toEqual({
      message: 'expected no ConfigMap with app=x, found 2',
      detail: ['  found ConfigMap default/a', '  found ConfigMap default/b'],
      about: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
    });
    expect(absent({ kind: 'ConfigMap', namespace: 'other', labels: { many: 'z' } })).toEqual({
      message: 'expected no ConfigMap/other with many=z, found 6',
      detail: ['c', 'd', 'e', 'f', 'g'].map((name) => `  found ConfigMap other/${name}`),
      about: { kind: 'ConfigMap', namespace: 'other', name: 'c' },
    });
    expect(absent({ kind: 'Node', name: 'n1' })).toEqual({
      message: 'expected no Node/n1, found 1',
      detail: ['  found Node n1'],
      about: { kind: 'Node', name: 'n1' },
    });
  });
});

describe('count', () => {
  const count = (bounds: object) => troubleWith({ expect: 'count', of: APP, bounds })?.message;
  it.each<[object, string | undefined]>([
    [{ is: 2 }, undefined],
    [{ is: 1 }, 'expected 1 of ConfigMap with app=x, found 2'],
    [{ is: 0 }, 'expected 0 of ConfigMap with app=x, found 2'],
    [{ atLeast: 2 }, undefined],
    [{ atLeast: 3 }, 'expected at least 3 of ConfigMap with app=x, found 2'],
    [{ atMost: 2 }, undefined],
    [{ atMost: 1 }, 'expected at most 1 of ConfigMap with app=x, found 2'],
    [{ atLeast: 1, atMost: 2 }, undefined],
    [{ atLeast: 3, atMost: 4 }, 'expected at least 3 and at most 4 of ConfigMap with app=x, found 2'],
    [{ is: 2, atMost: 1 }, 'expected 2 and at most 1 of ConfigMap with app=x, found 2'],
  ])('%j', (bounds, message) => {
    expect(count(bounds)).toBe(message);
  });
});

describe('an expression', () => {
  const cel = (text: string) => troubleWith({ expect: 'cel', expression: { cel: text } });

  it('holds, is false with the values of its sides, fails, or is none', () => {
    expect(cel("objects('Node').size() == 1")).toBeUndefined();
    expect(cel("objects('Node').size() == 2")).toEqual({
      message: 'the expression is false',
      detail: ["  objects('Node').size() == 2", '    objects("Node").size() == 2: objects("Node").size() is 1'],
    });
    expect(cel("object('Node/n2').spec.podCIDR == ''")).toEqual({
      message: expect.stringMatching(/^the expression could not be evaluated: No such key: spec/) as unknown,
      detail: ["  object('Node/n2').spec.podCIDR == ''"],
    });
    expect(cel('1 +')).toEqual({ message: 'the expression is wrong: Unexpected token: EOF', detail: [] });
  });
});

describe('allowed', () => {
  const allowed = (question: object, is = true) => {
    const trouble = troubleWith({ expect: 'allowed', question, is });
    return trouble === undefined ? 'so it is' : [trouble.message, ...trouble.detail];
  };
  const BY = '  RBAC: allowed by ClusterRoleBinding "reads" of ClusterRole "reader" to ';

  it('by user, by group, and by the group of every authenticated user', () => {
    expect(allowed({ user: 'jane', verb: 'get', resource: 'jobs', namespace: 'default', name: 'pi' })).toBe('so it is');
    expect(allowed({ user: 'joe', groups: ['readers'], verb: 'get', resource: 'jobs' })).toBe('so it is');
    expect(allowed({ user: 'joe', verb: 'get', path: '/healthz' })).toEqual([
      'expected that joe may get /healthz',
      '  no binding allows it',
    ]);
    expect(allowed({ user: 'root', groups: ['system:masters'], verb: 'delete', resource: 'nodes' }, false)).toEqual([
      'expected that root may not delete nodes',
      '  it is a member of system:masters',
    ]);
  });

  it('by subresource and group of the resource', () => {
    expect(allowed({ user: 'jane', verb: 'get', resource: 'pods', subresource: 'log' })).toBe('so it is');
    expect(allowed({ user: 'jane', verb: 'get', resource: 'pods' })).toEqual(['expected that jane may get pods', '  no binding allows it']);
    expect(allowed({ user: 'jane', verb: 'get', resource: 'jobs', group: 'apps' })).toEqual([
      'expected that jane may get jobs',
      '  no binding allows it',
    ]);
    expect(allowed({ user: 'jane', verb: 'get', resource: 'jobs', group: 'batch' })).toBe('so it is');
    expect(allowed({ user: 'jane', verb: 'get', resource: 'unknown' })).toEqual([
      'expected that jane may get unknown',
      '  no binding allows it',
    ]);
  });

  it('says what was asked, and by what it is allowed', () => {
    expect(allowed({ user: 'jane', verb: 'get', resource: 'pods', subresource: 'log', name: 'p', namespace: 'default' }, false)).toEqual([
      'expected that jane may not get pods/log p in default',
      `${BY}User "jane"`,
    ]);
    expect(allowed({ user: 'joe', groups: ['readers'], verb: 'get', path: '/healthz' }, false)).toEqual([
      'expected that joe may not get /healthz',
      `${BY}Group "readers"`,
    ]);
    expect(allowed({ user: 'joe', verb: 'list', resource: 'jobs', name: 'x' })).toEqual([
      'expected that joe may list jobs x',
      '  no binding allows it',
    ]);
  });
});

describe('while an expectation is waited for', () => {
  it('only what has changed is looked at for a match', () => {
    const match = { expect: 'match', match: { kind: 'ConfigMap', metadata: { labels: { app: 'x' } } } } as Expectation;
    expect(
      [undefined, [], ['default/z'], ['other/c'], ['other/c', 'default/b']].map((changed) => holdsNow(cluster, match, changed)),
    ).toEqual([true, false, false, false, true]);
    const none = { expect: 'match', match: { kind: 'Job' } } as Expectation;
    expect([undefined, ['default/a']].map((changed) => holdsNow(cluster, none, changed))).toEqual([false, false]);
    const count = { expect: 'count', of: APP, bounds: { is: 2 } } as unknown as Expectation;
    expect([undefined, []].map((changed) => holdsNow(cluster, count, changed))).toEqual([true, true]);
  });

  it('it is judged again when objects of its kinds have changed', () => {
    const kinds = (expectation: object) => {
      const found = kindsOf(expectation as Expectation);
      return found && [...found];
    };
    expect(kinds({ expect: 'match', match: { kind: 'Job' } })).toEqual(['Job']);
    expect(kinds({ expect: 'match', match: {} })).toEqual(['']);
    expect(kinds({ expect: 'absent', target: { kind: 'Pod' } })).toEqual(['Pod']);
    expect(kinds({ expect: 'count', of: { kind: 'Node' } })).toEqual(['Node']);
    expect(['cel', 'allowed', 'answer'].map((each) => kinds({ expect: each }))).toEqual([undefined, undefined, undefined]);
    expect(['traffic', 'backend', 'endpoints', 'capacity', 'preferred'].map((each) => kinds({ expect: each }))).toEqual([
      ['NetworkPolicy', 'Namespace', 'Pod', 'Node', 'Service', 'EndpointSlice'],
      ['Ingress', 'IngressClass'],
      ['Endpoints', 'EndpointSlice'],
      ['CSIStorageCapacity', 'Node'],
      ['APIService'],
    ]);
  });
});

/** The objects that a target selects in a cluster, and the facts about it that expressions and invariants read. */
import { describe, expect, it } from 'vitest';
import {
  expressionFacts,
  introspectionOf,
  invariantFacts,
  isNamespaced,
  resolveTarget,
  schemasOf,
} from '../../../src/lab/simulation/facts.ts';
import type { TargetRef } from '../../../src/lab/scenario/index.ts';
import { clusterWith, map, node, pod } from './world.ts';

const cluster = clusterWith([
  map('b', ', labels: { app: x, tier: front }'),
  map('a', ', labels: { app: x }'),
  map('a', ', namespace: other, labels: { app: x }'),
  node('n1'),
  node('n2'),
  pod('p'),
]);
const select = (target: object): readonly string[] =>
  resolveTarget(cluster, target as TargetRef).map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`);
const where = (cel: string) => ({ cel: { cel } });

describe('a target selects', () => {
  it.each<[string, object, readonly string[]]>([
    ['by name', { kind: 'ConfigMap', name: 'a' }, ['default/a']],
    ['by name in a namespace', { kind: 'ConfigMap', name: 'a', namespace: 'other' }, ['other/a']],
    ['by name in all namespaces', { kind: 'ConfigMap', name: 'a', namespace: '*' }, ['default/a', 'other/a']],
    ['by a name that is not there', { kind: 'ConfigMap', name: 'c' }, []],
    ['a node by name', { kind: 'Node', name: 'n1' }, ['/n1']],
    ['all of a kind of the cluster, in order of creation', { kind: 'Node' }, ['/n1', '/n2']],
    ['by labels, all of them', { kind: 'ConfigMap', labels: { app: 'x', tier: 'front' } }, ['default/b']],
    ['by a label', { kind: 'ConfigMap', labels: { app: 'x' } }, ['default/b', 'default/a']],
    ['by a label in all namespaces', { kind: 'ConfigMap', namespace: '*', labels: { app: 'x' } }, ['default/b', 'default/a', 'other/a']],
    ['by name and label', { kind: 'ConfigMap', name: 'a', labels: { tier: 'front' } }, []],
    ['by name and the label that it has', { kind: 'ConfigMap', name: 'a', labels: { app: 'x' } }, ['default/a']],
    ['the first', { kind: 'ConfigMap', labels: { app: 'x' }, nth: 1 }, ['default/b']],
    ['the second', { kind: 'ConfigMap', labels: { app: 'x' }, nth: 2 }, ['default/a']],
    ['one beyond the last', { kind: 'ConfigMap', labels: { app: 'x' }, nth: 3 }, []],
    ['by a condition', { kind: 'ConfigMap', ...where("self.metadata.name == 'a'") }, ['default/a']],
    ['by a condition and a name', { kind: 'ConfigMap', name: 'b', ...where("self.metadata.name == 'a'") }, []],
    ['nothing, where the condition fails', { kind: 'Node', ...where('self.spec.unschedulable') }, []],
    ['all, where the condition does not compile, which was reported', { kind: 'Node', ...where('self ==') }, ['/n1', '/n2']],
    ['nothing of a kind that is not there', { kind: 'Job' }, []],
    ['nothing of a kind that nobody has', { kind: 'Policy', name: 'x' }, []],
  ])('%s', (_, target, found) => {
    expect(select(target)).toEqual(found);
  });
});

describe('facts', () => {
  it('for expressions are objects by namespace and name', () => {
    const { objects, object, now, startAt } = expressionFacts(cluster);
    const names = (all: Iterable<{ readonly metadata?: { readonly name?: string } }>) => [...all].map(({ metadata }) => metadata?.name);
    expect([
      now - startAt,
      names(objects('Node') as never),
      names(objects('ConfigMap', 'other') as never).filter((name) => name === 'a'),
    ]).toEqual([1000, ['n1', 'n2'], ['a']]);
    expect([
      object('ConfigMap', undefined, 'b'),
      object('ConfigMap', 'other', 'a'),
      object('Node', undefined, 'n1'),
      object('Node', 'other', 'n1'),
      object('ConfigMap', 'other', 'b'),
    ]).toEqual([
      cluster.store.get('ConfigMap', 'default/b'),
      cluster.store.get('ConfigMap', 'other/a'),
      cluster.store.get('Node', 'n1'),
      cluster.store.get('Node', 'n1'),
      undefined,
    ]);
  });

  it('for invariants are those of the store, and the present time', () => {
    const facts = invariantFacts(cluster);
    expect([
      facts.now,
      facts.startAt,
      facts.get('Node', 'n1'),
      [...facts.list('Node')].length,
      facts.by('ConfigMap', 'namespace', 'other').length > 0,
    ]).toEqual([cluster.now, cluster.startAt, cluster.store.get('Node', 'n1'), 2, true]);
    expect([facts.certifiedUntil?.('scheduler'), facts.certifiedUntil?.('agent/none'), facts.names, facts.gates]).toEqual([
      undefined,
      undefined,
      cluster.names,
      cluster.gates,
    ]);
  });

  it('of a kind: namespaced unless it is known not to be', () => {
    expect(['Pod', 'Node', 'Policy'].map((kind) => isNamespaced(cluster, kind))).toEqual([true, false, true]);
    const schemaOf = schemasOf(cluster);
    expect([schemaOf('Pod')?.type, schemaOf('Policy'), schemasOf(cluster) === schemaOf]).toEqual(['object', undefined, true]);
  });

  it('of what runs: nothing inside a pod that has not started, a machine that is not there, or any other object', () => {
    expect([
      introspectionOf(cluster, 'Pod', 'default', 'p'),
      introspectionOf(cluster, 'Pod', 'default', 'none'),
      introspectionOf(cluster, 'Node', undefined, 'none'),
      introspectionOf(cluster, 'ConfigMap', 'default', 'a'),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

/** The rules of roles that aggregate others. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { clusterRoleAggregation } from '../../../../src/controlplane/controllers/cluster-role-aggregation/controller.ts';
import { decide, enqueued, linesOf } from '../../../support/reconcile.ts';

const rule = (resource: string): object => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const role = (name: string, labels: object, rules: readonly object[] | undefined, more: object = {}): ApiObject =>
  ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, uid: name, resourceVersion: '1', labels },
    ...(rules === undefined ? {} : { rules }),
    ...more,
  }) as never;
const [A, B] = [{ part: 'a' }, { part: 'b' }];
const gathering = (rules: readonly object[] | undefined, ...labels: readonly object[]): ApiObject =>
  role('all', A, rules, { aggregationRule: { clusterRoleSelectors: labels.map((matchLabels) => ({ matchLabels })) } });
const OTHERS = [
  role('pods', A, [rule('pods')]),
  role('nodes', B, [rule('nodes'), rule('pods')]),
  role('empty', A, undefined),
  role('alpha', A, [rule('alphas')]),
  role('other', { part: 'c' }, [rule('secrets')]),
];
const text = (...resources: readonly string[]): string => resources.map((one) => `{apiGroups:[""],resources:[${one}],verbs:[get]}`).join();
const changed = ['the rules that its selectors match have changed', `rules:[${text('alphas', 'pods', 'nodes')}]`];

describe('a role', () => {
  it.each<readonly [string, ApiObject, readonly string[]]>([
    ['that aggregates none is left', role('all', {}, [rule('pods')]), ['it has no aggregation rule']],
    ['gets each rule of other roles that its selectors match once, by selector and by name', gathering(undefined, A, B), changed],
    ['loses other rules', gathering([rule('secrets')], A, B), changed],
    ['keeps its rules', gathering([rule('alphas'), rule('pods'), rule('nodes')], A, B), ['it has the 3 rules that its selectors match']],
    ['keeps that it has none', gathering(undefined, { part: 'x' }), ['it has the 0 rules that its selectors match']],
  ])('%s', (_, self, expected) => {
    const lines = linesOf(decide(clusterRoleAggregation, { objects: [self, ...OTHERS], key: 'all' }));
    expect(lines.map((line) => (line.startsWith('update ClusterRole all') ? (/rules:\[.*?\}\]/.exec(line)?.[0] ?? line) : line))).toEqual(
      expected,
    );
  });

  it('that aggregates others is looked at when any role changes', () => {
    const objects = [gathering([], A), ...OTHERS, role('more', {}, [], { aggregationRule: {} })];
    expect(enqueued(clusterRoleAggregation, { objects }, { type: 'DELETED', object: role('gone', {}, []) })).toEqual(['all', 'more']);
  });
});

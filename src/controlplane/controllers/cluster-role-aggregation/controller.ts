/** Updates the rules of cluster roles that aggregate other roles. Models: v1.24 pkg/controller/clusterroleaggregation. */
import { aggregatedRules } from '../../../apiserver/access/index.ts';
import { defineController, idle, watch, write } from '../../runtime/index.ts';

export const clusterRoleAggregation = defineController({
  name: 'cluster-role-aggregation',
  component: 'clusterrole-aggregation-controller',
  reconciles: 'ClusterRole',
  writes: ['ClusterRole'],
  models: 'v1.24 pkg/controller/clusterroleaggregation.',
  // Any role may match an aggregation rule.
  watches: [
    watch('ClusterRole', (_delta, { cache }) =>
      cache
        .list('ClusterRole')
        .filter(({ aggregationRule }) => aggregationRule !== undefined)
        .map(({ metadata }) => metadata.name),
    ),
  ],
  reconcile({ self, cache }) {
    const rules = aggregatedRules(self, cache.list('ClusterRole'));
    if (rules === undefined) return idle('it has no aggregation rule');
    if (JSON.stringify(rules) === JSON.stringify(self.rules ?? []))
      return idle(`it has the ${rules.length} rules that its selectors match`);
    return write('the rules that its selectors match have changed', { op: 'update', object: { ...self, rules } });
  },
});

/** Descriptions of ClusterRoles and their fields, in our words. Source: spec, "ClusterRole". */
import type { Texts } from '../../machinery/index.ts';

export const clusterRoleTexts: Texts = {
  ClusterRole: {
    '': 'Permissions in the whole cluster, or, through a RoleBinding, in one namespace.',
    rules: 'The permissions.',
    aggregationRule: 'Combines the rules of other roles.',
  },
  AggregationRule: { '': 'The roles whose rules are combined.', clusterRoleSelectors: 'Selectors; a role needs to match one of them.' },
};

/** Descriptions of ClusterRoles and their fields, in our words. Source: spec, "ClusterRole". */
import type { Texts } from '../../machinery/index.ts';

export const clusterRoleTexts: Texts = {
  ClusterRole: {
    '': 'What may be done in the cluster, or, through a RoleBinding, in one namespace.',
    rules: 'All of them.',
    aggregationRule: 'Makes its rules from those of other roles.',
  },
  AggregationRule: { '': 'Whose rules it takes.', clusterRoleSelectors: 'Roles that any of these chooses.' },
};

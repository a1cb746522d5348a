/** Descriptions of ClusterRoleBindings and their fields, in our words. Source: spec, "ClusterRoleBinding". */
import type { Texts } from '../../machinery/index.ts';

export const clusterRoleBindingTexts: Texts = {
  ClusterRoleBinding: {
    '': 'Grants a role to users, in the whole cluster.',
    subjects: 'The users that get the role.',
    roleRef: 'The cluster role. Cannot be changed.',
  },
};

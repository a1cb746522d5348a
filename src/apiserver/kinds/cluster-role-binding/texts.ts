/** Descriptions of ClusterRoleBindings and their fields, in our words. Source: spec, "ClusterRoleBinding". */
import type { Texts } from '../../machinery/index.ts';

export const clusterRoleBindingTexts: Texts = {
  ClusterRoleBinding: {
    '': 'Gives a role to somebody, in the whole cluster.',
    subjects: 'To whom.',
    roleRef: 'Which role of the cluster. Cannot be changed.',
  },
};

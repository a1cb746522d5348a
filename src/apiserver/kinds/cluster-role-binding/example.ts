/** A valid ClusterRoleBinding, filled well enough that its rules have something to look at. */
import { EXAMPLE_SUBJECTS, type Example } from '../../machinery/index.ts';

export const clusterRoleBindingExample: Example = {
  fields: (names) => ({
    roleRef: { apiGroup: names.group('rbac.authorization'), kind: 'ClusterRole', name: 'r' },
    subjects: EXAMPLE_SUBJECTS,
  }),
};

/** A valid ClusterRoleBinding in which most validation rules apply. */
import { EXAMPLE_SUBJECTS, type Example } from '../../machinery/index.ts';

export const clusterRoleBindingExample: Example = {
  fields: (names) => ({
    roleRef: { apiGroup: names.group('rbac.authorization'), kind: 'ClusterRole', name: 'r' },
    subjects: EXAMPLE_SUBJECTS,
  }),
};

/** A valid RoleBinding in which most validation rules apply. */
import { EXAMPLE_SUBJECTS, type Example } from '../../machinery/index.ts';

export const roleBindingExample: Example = {
  fields: (names) => ({ roleRef: { apiGroup: names.group('rbac.authorization'), kind: 'Role', name: 'r' }, subjects: EXAMPLE_SUBJECTS }),
};

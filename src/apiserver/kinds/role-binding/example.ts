/** A valid RoleBinding, filled well enough that its rules have something to look at. */
import { EXAMPLE_SUBJECTS, type Example } from '../../machinery/index.ts';

export const roleBindingExample: Example = {
  fields: (names) => ({ roleRef: { apiGroup: names.group('rbac.authorization'), kind: 'Role', name: 'r' }, subjects: EXAMPLE_SUBJECTS }),
};

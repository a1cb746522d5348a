/** Descriptions of RoleBindings and their fields, in our words. Source: spec, "RoleBinding". */
import type { Texts } from '../../machinery/index.ts';

export const roleBindingTexts: Texts = {
  RoleBinding: {
    '': 'Grants a role to users, in one namespace.',
    subjects: 'The users that get the role.',
    roleRef: 'The role, of this namespace or of the cluster. Cannot be changed.',
  },
};

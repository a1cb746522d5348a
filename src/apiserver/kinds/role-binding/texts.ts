/** Descriptions of RoleBindings and their fields, in our words. Source: spec, "RoleBinding". */
import type { Texts } from '../../machinery/index.ts';

export const roleBindingTexts: Texts = {
  RoleBinding: {
    '': 'Gives a role to somebody, in one namespace.',
    subjects: 'To whom.',
    roleRef: 'Which role, of this namespace or of the cluster. Cannot be changed.',
  },
};

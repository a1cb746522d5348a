/** What a RoleBinding and its fields mean, in our words. Source: spec, "RoleBinding". */
import type { Texts } from '../../machinery/index.ts';

export const roleBindingTexts: Texts = {
  RoleBinding: {
    '': 'Gives a role to somebody, in one namespace.',
    subjects: 'To whom.',
    roleRef: 'Which role, of this namespace or of the cluster. Cannot be changed.',
  },
};

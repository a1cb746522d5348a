/** Descriptions of Roles and their fields, in our words. Source: spec, "Role". */
import type { Texts } from '../../machinery/index.ts';

export const roleTexts: Texts = {
  Role: { '': 'Permissions in a namespace.', rules: 'The permissions, which are additive.' },
};

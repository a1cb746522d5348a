/** Descriptions of Roles and their fields, in our words. Source: spec, "Role". */
import type { Texts } from '../../machinery/index.ts';

export const roleTexts: Texts = {
  Role: { '': 'What may be done in a namespace.', rules: 'All of them; who is bound to the role may do what any of them says.' },
};

/** Role: permissions in a namespace. Models: v1.24 rbac/v1 Role, pkg/registry/rbac; its rules are those of all roles. */
import { type Infer, obj } from '../../schema/shape/index.ts';
import { defineRole, EXAMPLE_RULES, type ObjectOf, roleFields } from '../machinery/index.ts';

const roleSchema = obj('Role', 'Permissions in a namespace.', roleFields);
export type Role = ObjectOf<'Role', Infer<typeof roleSchema>>;

export const role = defineRole<Role>({
  schema: roleSchema,
  example: { rules: EXAMPLE_RULES },
});

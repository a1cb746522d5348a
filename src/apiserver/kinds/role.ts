/** Role: permissions in a namespace. Models: v1.24 rbac/v1 Role, pkg/registry/rbac; its rules are those of all roles. */
import { obj, type Infer } from '../../schema/shape/index.ts';
import { roleFields, EXAMPLE_RULES, defineRole, type ObjectOf, type Example } from '../machinery/index.ts';

const roleSchema = obj('Role', 'Permissions in a namespace.', roleFields);
export type Role = ObjectOf<'Role', Infer<typeof roleSchema>>;

const roleExample: Example = {
  fields: () => ({ rules: EXAMPLE_RULES }),
};

export const role = defineRole<Role>({
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  schema: roleSchema,
  example: roleExample,
});

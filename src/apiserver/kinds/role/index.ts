/** Role: permissions in a namespace. Models: v1.24 rbac/v1 Role, pkg/registry/rbac; its rules are those of all roles. */
import { defineRole } from '../../machinery/index.ts';
import { roleSchema, type Role } from './shape.ts';
import { roleExample } from './example.ts';

export const role = defineRole<Role>({
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  schema: roleSchema,
  example: roleExample,
});

/** RoleBinding: grants a role in a namespace. Models: v1.24 rbac/v1 RoleBinding, pkg/registry/rbac; its rules are those of all bindings. */
import { defineBinding, type Names } from '../../machinery/index.ts';
import { roleBindingSchemaFor, type RoleBinding } from './shape.ts';
import { roleBindingExample } from './example.ts';

export const roleBinding = (names: Names) =>
  defineBinding<RoleBinding>({
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    schema: roleBindingSchemaFor(names),
    example: roleBindingExample,
  });

/** RoleBinding: grants a role in a namespace. Models: v1.24 rbac/v1 RoleBinding, pkg/registry/rbac; its rules are those of all bindings. */
import { obj } from '../../schema/shape/index.ts';
import { bindingFieldsFor, type BindingOf, defineBinding, EXAMPLE_SUBJECTS, type Names } from '../machinery/index.ts';

const roleBindingSchemaFor = (names: Names) => obj('RoleBinding', 'Grants a role to users, in one namespace.', bindingFieldsFor(names));
export type RoleBinding = BindingOf<'RoleBinding'>;

export const roleBinding = (names: Names) =>
  defineBinding<RoleBinding>({
    schema: roleBindingSchemaFor(names),
    example: {
      fields: (names) => ({
        roleRef: { apiGroup: names.group('rbac.authorization'), kind: 'Role', name: 'r' },
        subjects: EXAMPLE_SUBJECTS,
      }),
    },
  });

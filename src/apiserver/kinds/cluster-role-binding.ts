/**
 * ClusterRoleBinding: grants a role in the whole cluster. Models: v1.24 rbac/v1 ClusterRoleBinding, pkg/registry/rbac; its rules are those
 * of all bindings.
 */
import { obj } from '../../schema/shape/index.ts';
import { bindingFieldsFor, type BindingOf, defineBinding, EXAMPLE_SUBJECTS, type Names } from '../machinery/index.ts';

const clusterRoleBindingSchemaFor = (names: Names) =>
  obj('ClusterRoleBinding', 'Grants a role to users, in the whole cluster.', bindingFieldsFor(names));
export type ClusterRoleBinding = BindingOf<'ClusterRoleBinding'>;

export const clusterRoleBinding = (names: Names) =>
  defineBinding<ClusterRoleBinding>({
    namespaced: false,
    schema: clusterRoleBindingSchemaFor(names),
    example: {
      fields: (names) => ({
        roleRef: { apiGroup: names.group('rbac.authorization'), kind: 'ClusterRole', name: 'r' },
        subjects: EXAMPLE_SUBJECTS,
      }),
    },
  });

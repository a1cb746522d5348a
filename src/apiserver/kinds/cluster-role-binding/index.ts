/**
 * ClusterRoleBinding: grants a role in the whole cluster. Models: v1.24 rbac/v1 ClusterRoleBinding, pkg/registry/rbac; its rules are those
 * of all bindings.
 */
import { defineBinding, type Names } from '../../machinery/index.ts';
import { clusterRoleBindingSchemaFor, type ClusterRoleBinding } from './shape.ts';
import { clusterRoleBindingExample } from './example.ts';

export const clusterRoleBinding = (names: Names) =>
  defineBinding<ClusterRoleBinding>({
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    schema: clusterRoleBindingSchemaFor(names),
    example: clusterRoleBindingExample,
  });

/**
 * ClusterRole: permissions in the whole cluster. Models: v1.24 rbac/v1 ClusterRole, pkg/registry/rbac; its rules are those of all roles.
 */
import { defineRole } from '../../machinery/index.ts';
import { clusterRoleSpecification } from './specification.ts';
import { clusterRoleSchema, type ClusterRole } from './shape.ts';
import { clusterRoleExample } from './example.ts';

export const clusterRole = defineRole<ClusterRole>({
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  schema: clusterRoleSchema,
  specification: clusterRoleSpecification,
  example: clusterRoleExample,
});

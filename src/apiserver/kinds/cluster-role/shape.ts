/** The schema of ClusterRoles: fields and types. */
import { obj, type Infer } from '../../../schema/shape/index.ts';
import { clusterRoleFields, type ObjectOf } from '../../machinery/index.ts';

export const clusterRoleSchema = obj(
  'ClusterRole',
  'What may be done in the cluster, or, through a RoleBinding, in one namespace.',
  clusterRoleFields,
);
export type ClusterRole = ObjectOf<'ClusterRole', Infer<typeof clusterRoleSchema>>;

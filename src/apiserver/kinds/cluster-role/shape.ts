/** The schema of ClusterRoles: fields and types. */
import { obj, type Infer } from '../../../schema/shape/index.ts';
import { clusterRoleFields, type ObjectOf } from '../../machinery/index.ts';

export const clusterRoleSchema = obj('ClusterRole', clusterRoleFields);
export type ClusterRole = ObjectOf<'ClusterRole', Infer<typeof clusterRoleSchema>>;

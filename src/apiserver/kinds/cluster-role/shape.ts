/** The shape of a ClusterRole: its fields and their types. */
import { obj, type Infer } from '../../../grammar/schema/index.ts';
import { clusterRoleFields, type ObjectOf } from '../../vocabulary/index.ts';

export const clusterRoleSchema = obj('ClusterRole', clusterRoleFields);
export type ClusterRole = ObjectOf<'ClusterRole', Infer<typeof clusterRoleSchema>>;

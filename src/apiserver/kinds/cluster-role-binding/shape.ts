/** The shape of a ClusterRoleBinding: its fields and their types. */
import { obj } from '../../../grammar/schema/index.ts';
import { bindingFieldsFor, type BindingOf, type Names } from '../../vocabulary/index.ts';

export const clusterRoleBindingSchemaFor = (names: Names) => obj('ClusterRoleBinding', bindingFieldsFor(names));
export type ClusterRoleBinding = BindingOf<'ClusterRoleBinding'>;

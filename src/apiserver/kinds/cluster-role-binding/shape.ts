/** The schema of ClusterRoleBindings: fields and types. */
import { obj } from '../../../schema/shape/index.ts';
import { bindingFieldsFor, type BindingOf, type Names } from '../../machinery/index.ts';

export const clusterRoleBindingSchemaFor = (names: Names) =>
  obj('ClusterRoleBinding', 'Gives a role to somebody, in the whole cluster.', bindingFieldsFor(names));
export type ClusterRoleBinding = BindingOf<'ClusterRoleBinding'>;

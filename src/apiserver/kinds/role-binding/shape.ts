/** The schema of RoleBindings: fields and types. */
import { obj } from '../../../schema/shape/index.ts';
import { bindingFieldsFor, type BindingOf, type Names } from '../../machinery/index.ts';

export const roleBindingSchemaFor = (names: Names) =>
  obj('RoleBinding', 'Gives a role to somebody, in one namespace.', bindingFieldsFor(names));
export type RoleBinding = BindingOf<'RoleBinding'>;

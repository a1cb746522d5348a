/** The shape of a RoleBinding: its fields and their types. */
import { obj } from '../../../grammar/schema/index.ts';
import { bindingFieldsFor, type BindingOf, type Names } from '../../vocabulary/index.ts';

export const roleBindingSchemaFor = (names: Names) => obj('RoleBinding', bindingFieldsFor(names));
export type RoleBinding = BindingOf<'RoleBinding'>;

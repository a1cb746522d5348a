/** The schema of Roles: fields and types. */
import { obj, type Infer } from '../../../schema/shape/index.ts';
import { roleFields, type ObjectOf } from '../../machinery/index.ts';

export const roleSchema = obj('Role', 'What may be done in a namespace.', roleFields);
export type Role = ObjectOf<'Role', Infer<typeof roleSchema>>;

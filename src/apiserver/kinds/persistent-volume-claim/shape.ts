/** The shape of a PersistentVolumeClaim: its fields, their types and the defaults that need nothing but the object. */
import type { Infer } from '../../../grammar/schema/index.ts';
import type { ObjectOf, persistentVolumeClaim as schema } from '../../vocabulary/index.ts';

export type PersistentVolumeClaim = ObjectOf<'PersistentVolumeClaim', Infer<typeof schema>>;

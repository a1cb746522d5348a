/** The shape of a PersistentVolumeClaim: its fields, their types and the defaults that need nothing but the object. */
import type { Infer } from '../../../schema/shape/index.ts';
import type { ObjectOf, persistentVolumeClaim as schema } from '../../machinery/index.ts';

export type PersistentVolumeClaim = ObjectOf<'PersistentVolumeClaim', Infer<typeof schema>>;

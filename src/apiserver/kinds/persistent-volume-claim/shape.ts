/** The schema of PersistentVolumeClaims: fields, types, and the defaults that depend only on the object. */
import type { Infer } from '../../../schema/shape/index.ts';
import type { ObjectOf, persistentVolumeClaim as schema } from '../../machinery/index.ts';

export type PersistentVolumeClaim = ObjectOf<'PersistentVolumeClaim', Infer<typeof schema>>;

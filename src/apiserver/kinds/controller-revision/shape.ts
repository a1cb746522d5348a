/** The schema of ControllerRevisions: fields, types, and the defaults that depend only on the object. */
import { always, any, type Infer, int64, obj, req } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const controllerRevisionSchema = obj('ControllerRevision', { ...typeMeta, data: always(any), revision: req(int64) });
export type ControllerRevision = ObjectOf<'ControllerRevision', Infer<typeof controllerRevisionSchema>>;

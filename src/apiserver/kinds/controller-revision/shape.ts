/** The schema of ControllerRevisions: fields, types, and the defaults that depend only on the object. */
import { always, any, type Infer, int64, obj, req, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const controllerRevisionSchema = obj('ControllerRevision', 'A template as it was: what a StatefulSet goes back to.', {
  ...typeMeta,
  data: field(2, 'The template, as a patch.', always(any)),
  revision: field(3, 'Its number; the highest is the present one. A rollback gives an old one a new number.', req(int64)),
});
export type ControllerRevision = ObjectOf<'ControllerRevision', Infer<typeof controllerRevisionSchema>>;

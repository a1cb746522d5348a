/** The schema of PriorityClasses: fields, types, and the defaults that depend only on the object. */
import { bool, filled, type Infer, int32, obj, ptr, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const priorityClassSchema = obj('PriorityClass', {
  ...typeMeta,
  value: req(int32),
  globalDefault: bool,
  description: str(),
  preemptionPolicy: filled(ptr(str('PreemptionPolicy')), 'PreemptLowerPriority'),
});
export type PriorityClass = ObjectOf<'PriorityClass', Infer<typeof priorityClassSchema>>;

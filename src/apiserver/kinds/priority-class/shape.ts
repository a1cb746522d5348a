/** The schema of PriorityClasses: fields, types, and the defaults that depend only on the object. */
import { bool, filled, type Infer, int32, obj, ptr, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const priorityClassSchema = obj('PriorityClass', 'How important pods are.', {
  ...typeMeta,
  value: field(2, 'The higher the more. Cannot be changed.', req(int32)),
  globalDefault: field(3, 'Whether pods that name no class have this one.', bool),
  description: field(4, 'For people.', str()),
  preemptionPolicy: field(
    5,
    'Never, or PreemptLowerPriority: others may be ended to make room.',
    filled(ptr(str('PreemptionPolicy')), 'PreemptLowerPriority'),
  ),
});
export type PriorityClass = ObjectOf<'PriorityClass', Infer<typeof priorityClassSchema>>;

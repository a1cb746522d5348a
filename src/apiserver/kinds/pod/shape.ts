/** The schema of Pods: fields, types, and the defaults that depend only on the object. */
import { always, field, type Infer, obj } from '../../../schema/shape/index.ts';
import { type ObjectOf, podSpec, podStatus, typeMeta } from '../../machinery/index.ts';

export const podSchema = obj('Pod', 'Containers that run together on one node.', {
  ...typeMeta,
  spec: field(2, always(podSpec)),
  status: field(3, always(podStatus)),
});
/** A stored Pod: defaulted, validated and frozen. */
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

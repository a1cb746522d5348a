/** The schema of Pods: fields, types, and the defaults that depend only on the object. */
import { always, type Infer, obj } from '../../../schema/shape/index.ts';
import { type ObjectOf, podSpec, podStatus, typeMeta } from '../../machinery/index.ts';

export const podSchema = obj('Pod', { ...typeMeta, spec: always(podSpec), status: always(podStatus) });
/** A stored Pod: defaulted, validated and frozen. */
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

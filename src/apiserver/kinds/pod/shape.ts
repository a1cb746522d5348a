/** The schema of Pods: fields, types, and the defaults that depend only on the object. */
import { type Infer, obj } from '../../../schema/shape/index.ts';
import { type ObjectOf, podSpec, podStatus, kindFields } from '../../machinery/index.ts';

export const podSchema = obj('Pod', 'Containers that run together on one node.', kindFields({ spec: podSpec, status: podStatus }));
/** A stored Pod: defaulted, validated and frozen. */
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

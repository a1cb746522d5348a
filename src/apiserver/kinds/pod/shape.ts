/** The shape of a Pod: its fields, their types and the defaults that need nothing but the object. */
import { always, type Infer, obj } from '../../../schema/shape/index.ts';
import { type ObjectOf, podSpec, podStatus, typeMeta } from '../../machinery/index.ts';

export const podSchema = obj('Pod', { ...typeMeta, spec: always(podSpec), status: always(podStatus) });
/** An object of kind Pod, as the store holds it: defaulted, validated and frozen. */
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

/** The schema of IngressClasses: fields, types, and the defaults that depend only on the object. */
import { always, def, type Infer, obj, ptr, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const ingressClassSchema = obj('IngressClass', {
  ...typeMeta,
  spec: always(
    obj('IngressClassSpec', {
      controller: str(),
      parameters: obj('IngressClassParametersReference', {
        apiGroup: ptr(str()),
        kind: req(str()),
        name: req(str()),
        scope: def(ptr(str()), 'Cluster'),
        namespace: ptr(str()),
      }),
    }),
  ),
});
/** A stored IngressClass: defaulted, validated and frozen. */
export type IngressClass = ObjectOf<'IngressClass', Infer<typeof ingressClassSchema>>;

/** The shape of a IngressClass: its fields, their types and the defaults that need nothing but the object. */
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
/** An object of kind IngressClass, as the store holds it: defaulted, validated and frozen. */
export type IngressClass = ObjectOf<'IngressClass', Infer<typeof ingressClassSchema>>;

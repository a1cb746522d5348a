/** The schema of IngressClasses: fields, types, and the defaults that depend only on the object. */
import { always, def, type Infer, obj, ptr, req, str, field } from '../../../schema/shape/index.ts';
import { type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const ingressClassSchema = obj('IngressClass', 'Somebody who implements Ingresses.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('IngressClassSpec', 'Who it is.', {
        controller: field(1, 'A name with a domain; cannot be changed.', str()),
        parameters: field(
          2,
          'Further settings.',
          obj('IngressClassParametersReference', 'Where the settings are.', {
            apiGroup: field(1, 'Group of the object.', ptr(str())),
            kind: field(2, 'Kind of the object.', req(str())),
            name: field(3, 'Name of the object.', req(str())),
            scope: field(4, 'Cluster or Namespace.', def(ptr(str()), 'Cluster')),
            namespace: field(5, 'Where the object is, with scope Namespace.', ptr(str())),
          }),
        ),
      }),
    ),
  ),
});
/** A stored IngressClass: defaulted, validated and frozen. */
export type IngressClass = ObjectOf<'IngressClass', Infer<typeof ingressClassSchema>>;

/** IngressClass: an implementation of Ingress. Models: v1.24 networking/v1 IngressClass, pkg/registry/networking/ingressclass. */
import { def, field, type Infer, obj, ptr, req, str } from '../../schema/shape/index.ts';
import { isDns1123Label, validateDomainPrefixedPath } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { kindFields, type ObjectOf } from '../structs/index.ts';
import { forbidden, problemsAt, required, tooLong } from '../validation/index.ts';

const ingressClassSchema = obj(
  'IngressClass',
  'An implementation of Ingresses.',
  kindFields({
    spec: obj('IngressClassSpec', 'The implementation.', {
      controller: field(1, 'A name with a domain; cannot be changed.', str(), {
        fixed: true,
        column: ['Controller', 'Controller that serves the class.'],
      }),
      parameters: field(
        2,
        'Further settings.',
        obj('IngressClassParametersReference', 'The object with the settings.', {
          apiGroup: field(1, 'Group of the object.', ptr(str()), { format: 'subdomain' }),
          kind: field(2, 'Kind of the object.', req(str()), { needed: 'kind is required', format: 'path segment' }),
          name: field(3, 'Name of the object.', req(str()), { needed: 'name is required', format: 'path segment' }),
          scope: field(4, 'Cluster or Namespace.', def(ptr(str()), 'Cluster'), { among: ['Cluster', 'Namespace'] }),
          namespace: field(5, 'Namespace of the object, with scope Namespace.', ptr(str())),
        }),
      ),
    }),
  }),
);
/** A stored IngressClass: defaulted, validated and frozen. */
export type IngressClass = ObjectOf<'IngressClass', Infer<typeof ingressClassSchema>>;

const MAX_CONTROLLER = 250;

function controllerErrors({ spec: { controller = '' } }: IngressClass): FieldError[] {
  const errors = controller.length > MAX_CONTROLLER ? [tooLong('spec.controller', controller, MAX_CONTROLLER)] : [];
  return [...errors, ...validateDomainPrefixedPath(controller, 'spec.controller')];
}

function namespaceErrors({ spec: { parameters } }: IngressClass): FieldError[] {
  const field = 'spec.parameters.namespace';
  const { scope, namespace } = parameters ?? {};
  if (scope === 'Namespace')
    return namespace === undefined
      ? [required(field, "`parameters.scope` is set to 'Namespace'")]
      : problemsAt(isDns1123Label(namespace), field, namespace);
  return scope === 'Cluster' && namespace !== undefined ? [forbidden(field, "`parameters.scope` is set to 'Cluster'")] : [];
}

const CREATED = ['metadata', controllerErrors, 'spec.parameters', namespaceErrors] as const;

function parametersCell({ spec: { parameters } }: IngressClass): string {
  if (parameters === undefined) return '<none>';
  return `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`;
}

export const ingressClass = defineKind<IngressClass>({
  plural: 'ingressclasses',
  groupPrefix: 'networking',
  namespaced: false,
  schema: ingressClassSchema,
  generation: 'spec',
  create: CREATED,
  update: ['changed metadata', 'fixed', ...CREATED],
  columns: ['Name', 'spec.controller', ['Parameters', 'string', 'Object with more settings of the class.', parametersCell], 'Age'],
  models: 'Complete. Upstream: pkg/registry/networking/ingressclass.',
});

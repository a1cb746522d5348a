/** IngressClass: an implementation of Ingress. Models: v1.24 networking/v1 IngressClass, pkg/registry/networking/ingressclass. */
import { always, def, field, type Infer, obj, ptr, req, str } from '../../schema/shape/index.ts';
import {
  append,
  isDns1123Label,
  isDns1123Subdomain,
  isValidPathSegmentName,
  validateDomainPrefixedPath,
} from '../../schema/values/index.ts';
import {
  defineKind,
  type FieldError,
  forbidden,
  immutableText,
  invalid,
  type KindContext,
  notSupported,
  type ObjectOf,
  problemsAt,
  required,
  subdomainName,
  tooLong,
  typeMeta,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';

const ingressClassSchema = obj('IngressClass', 'An implementation of Ingresses.', {
  ...typeMeta,
  spec: field(
    2,
    always(
      obj('IngressClassSpec', 'The implementation.', {
        controller: field(1, 'A name with a domain; cannot be changed.', str()),
        parameters: field(
          2,
          'Further settings.',
          obj('IngressClassParametersReference', 'The object with the settings.', {
            apiGroup: field(1, 'Group of the object.', ptr(str())),
            kind: field(2, 'Kind of the object.', req(str())),
            name: field(3, 'Name of the object.', req(str())),
            scope: field(4, 'Cluster or Namespace.', def(ptr(str()), 'Cluster')),
            namespace: field(5, 'Namespace of the object, with scope Namespace.', ptr(str())),
          }),
        ),
      }),
    ),
  ),
});
/** A stored IngressClass: defaulted, validated and frozen. */
export type IngressClass = ObjectOf<'IngressClass', Infer<typeof ingressClassSchema>>;

const MAX_CONTROLLER = 250;

function specErrors({ spec: { controller = '', parameters } }: IngressClass): FieldError[] {
  const errors: FieldError[] = [];
  if (controller.length > MAX_CONTROLLER) errors.push(tooLong('spec.controller', controller, MAX_CONTROLLER));
  append(errors, validateDomainPrefixedPath(controller, 'spec.controller'));
  if (parameters === undefined) return errors;
  const field = 'spec.parameters';
  if (parameters.apiGroup !== undefined)
    append(errors, problemsAt(isDns1123Subdomain(parameters.apiGroup), `${field}.apiGroup`, parameters.apiGroup));
  for (const name of ['kind', 'name'] as const)
    append(
      errors,
      parameters[name] === ''
        ? [required(`${field}.${name}`, `${name} is required`)]
        : isValidPathSegmentName(parameters[name]).map((problem) => invalid(`${field}.${name}`, parameters[name], problem)),
    );
  if (parameters.scope !== 'Cluster' && parameters.scope !== 'Namespace')
    errors.push(notSupported(`${field}.scope`, parameters.scope, ['Cluster', 'Namespace']));
  if (parameters.scope === 'Namespace')
    append(
      errors,
      parameters.namespace === undefined
        ? [required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")]
        : problemsAt(isDns1123Label(parameters.namespace), `${field}.namespace`, parameters.namespace),
    );
  if (parameters.scope === 'Cluster' && parameters.namespace !== undefined)
    errors.push(forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}

const fieldErrors = (object: IngressClass, context: KindContext): FieldError[] => [
  ...validateMeta(object, false, subdomainName, context),
  ...specErrors(object),
];

function parametersCell({ spec: { parameters } }: IngressClass): string {
  if (parameters === undefined) return '<none>';
  return `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`;
}

export const ingressClass = defineKind<IngressClass>({
  kind: 'IngressClass',
  plural: 'ingressclasses',
  groupPrefix: 'networking',
  version: 'v1',
  namespaced: false,
  schema: ingressClassSchema,
  generation: 'spec',
  validateName: subdomainName,
  validate: fieldErrors,
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...(object.spec.controller === old.spec.controller ? [] : [invalid('spec.controller', object.spec.controller ?? '', immutableText)]),
    ...fieldErrors(object, context),
  ],
  columns: [
    'Name',
    ['Controller', 'string', 'Controller that serves the class.', (object) => object.spec.controller ?? ''],
    ['Parameters', 'string', 'Object with more settings of the class.', (object) => parametersCell(object)],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/networking/ingressclass.',
  example: { spec: { controller: 'example.com/c' } },
});

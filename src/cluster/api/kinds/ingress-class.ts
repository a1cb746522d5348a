/** IngressClass: who implements an Ingress. Models: v1.24 networking/v1 IngressClass, pkg/registry/networking/ingressclass. */
import { always, def, obj, ptr, req, str, type Infer } from '../../schema/index.ts';
import { isDns1123Label, isDns1123Subdomain, isValidPathSegmentName, validateDomainPrefixedPath } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const ingressClassSchema = obj('IngressClass', {
  ...typeMeta,
  spec: always(obj('IngressClassSpec', {
    controller: str(),
    parameters: obj('IngressClassParametersReference', { apiGroup: ptr(str()), kind: req(str()), name: req(str()), scope: def(ptr(str()), 'Cluster'), namespace: ptr(str()) }),
  })),
});
export type IngressClass = ObjectOf<'IngressClass', Infer<typeof ingressClassSchema>>;

const MAX_CONTROLLER = 250;

function specErrors({ spec: { controller = '', parameters } }: IngressClass): FieldError[] {
  const errors: FieldError[] = [];
  if (controller.length > MAX_CONTROLLER) errors.push(tooLong('spec.controller', controller, MAX_CONTROLLER));
  errors.push(...validateDomainPrefixedPath(controller, 'spec.controller'));
  if (parameters === undefined) return errors;
  const field = 'spec.parameters';
  if (parameters.apiGroup !== undefined) errors.push(...isDns1123Subdomain(parameters.apiGroup).map((problem) => invalid(`${field}.apiGroup`, parameters.apiGroup, problem)));
  for (const name of ['kind', 'name'] as const) errors.push(...(parameters[name] === '' ? [required(`${field}.${name}`, `${name} is required`)] : isValidPathSegmentName(parameters[name]).map((problem) => invalid(`${field}.${name}`, parameters[name], problem))));
  if (parameters.scope !== 'Cluster' && parameters.scope !== 'Namespace') errors.push(notSupported(`${field}.scope`, parameters.scope, ['Cluster', 'Namespace']));
  if (parameters.scope === 'Namespace') errors.push(...(parameters.namespace === undefined ? [required(`${field}.namespace`, '`parameters.scope` is set to \'Namespace\'')] : isDns1123Label(parameters.namespace).map((problem) => invalid(`${field}.namespace`, parameters.namespace, problem))));
  if (parameters.scope === 'Cluster' && parameters.namespace !== undefined) errors.push(forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}

const fieldErrors = (object: IngressClass, context: KindContext): FieldError[] => [...validateMeta(object, false, subdomainName, context), ...specErrors(object)];

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
    nameColumn,
    { name: 'Controller', type: 'string', description: 'Controller that is responsible for handling this class', priority: 0, cell: (object) => object.spec.controller ?? '' },
    { name: 'Parameters', type: 'string', description: 'A reference to a resource with additional parameters', priority: 0, cell: (object) => parametersCell(object) },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/networking/ingressclass.',
});

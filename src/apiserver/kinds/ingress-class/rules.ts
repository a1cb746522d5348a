/** Validation of IngressClasses. */
import {
  append,
  isDns1123Label,
  isDns1123Subdomain,
  isValidPathSegmentName,
  validateDomainPrefixedPath,
} from '../../../schema/values/index.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  type KindContext,
  notSupported,
  required,
  subdomainName,
  tooLong,
  validateMeta,
} from '../../machinery/index.ts';
import type { IngressClass } from './shape.ts';

const MAX_CONTROLLER = 250;

function specErrors({ spec: { controller = '', parameters } }: IngressClass): FieldError[] {
  const errors: FieldError[] = [];
  if (controller.length > MAX_CONTROLLER) errors.push(tooLong('spec.controller', controller, MAX_CONTROLLER));
  append(errors, validateDomainPrefixedPath(controller, 'spec.controller'));
  if (parameters === undefined) return errors;
  const field = 'spec.parameters';
  if (parameters.apiGroup !== undefined)
    append(
      errors,
      isDns1123Subdomain(parameters.apiGroup).map((problem) => invalid(`${field}.apiGroup`, parameters.apiGroup, problem)),
    );
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
        : isDns1123Label(parameters.namespace).map((problem) => invalid(`${field}.namespace`, parameters.namespace, problem)),
    );
  if (parameters.scope === 'Cluster' && parameters.namespace !== undefined)
    errors.push(forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}

export const fieldErrors = (object: IngressClass, context: KindContext): FieldError[] => [
  ...validateMeta(object, false, subdomainName, context),
  ...specErrors(object),
];

/** What is valid of webhook configurations. Models: v1.24 pkg/apis/admissionregistration/validation validation.go. */
import { append, isDns1123Subdomain, validateLabelSelector } from '../../../schema/values/index.ts';
import type { FieldError } from '../../objects/index.ts';
import { duplicate, invalid, notSupported, ofEach, required, webhookClientErrors } from '../../validation/index.ts';
import type { Webhook, WebhookConfiguration } from './shape.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const REVIEWS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

export function webhookErrors({ webhooks = [] }: WebhookConfiguration): readonly FieldError[] {
  const seen = new Set<string>();
  return ofEach(webhooks as readonly Webhook[], 'webhooks', (webhook, path) => {
    const isRepeated = seen.has(webhook.name);
    seen.add(webhook.name);
    return [...errorsOf(webhook, path), ...(isRepeated ? [duplicate(`${path}.name`, webhook.name)] : [])];
  });
}

function errorsOf(webhook: Webhook, path: string): readonly FieldError[] {
  const { name, rules, clientConfig, timeoutSeconds, sideEffects, namespaceSelector, objectSelector } = webhook;
  const errors: FieldError[] = [...nameErrors(name, `${path}.name`)];
  append(errors, ofEach(rules, `${path}.rules`, ruleErrors));
  const amongErrors = (field: 'failurePolicy' | 'matchPolicy' | 'reinvocationPolicy', values: readonly string[]): void => {
    const value = webhook[field];
    if (value !== undefined && !values.includes(value)) errors.push(notSupported(`${path}.${field}`, value, values));
  };
  amongErrors('failurePolicy', ['Fail', 'Ignore']);
  amongErrors('matchPolicy', ['Equivalent', 'Exact']);
  if (sideEffects === undefined) errors.push(required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`));
  else if (!SIDE_EFFECTS.includes(sideEffects)) errors.push(notSupported(`${path}.sideEffects`, sideEffects, SIDE_EFFECTS));
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30))
    errors.push(invalid(`${path}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds'));
  for (const [field, selector] of [
    ['namespaceSelector', namespaceSelector],
    ['objectSelector', objectSelector],
  ] as const)
    if (selector !== undefined) append(errors, validateLabelSelector(selector, `${path}.${field}`));
  append(errors, webhookClientErrors(clientConfig ?? {}, `${path}.clientConfig`));
  append(errors, reviewErrors(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`));
  amongErrors('reinvocationPolicy', ['IfNeeded', 'Never']);
  return errors;
}

/** Models: apimachinery pkg/util/validation IsFullyQualifiedName. */
function nameErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [required(path)];
  const problems = isDns1123Subdomain(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(','))];
  return name.split('.').length < 3 ? [invalid(path, name, 'should be a domain with at least three segments separated by dots')] : [];
}

function reviewErrors(versions: readonly string[], path: string): readonly FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEWS.join(', ')}`)];
  return versions.some((version) => REVIEWS.includes(version))
    ? []
    : [invalid(path, versions, `must include at least one of ${REVIEWS.join(', ')}`)];
}

type Rule = NonNullable<Webhook['rules']>[number];

function ruleErrors({ operations, apiGroups, apiVersions, resources, scope }: Rule, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const listErrors = (field: string, values: readonly string[] | undefined, what: string, needsText = false): void => {
    const at = `${path}.${field}`;
    if (values === undefined || values.length === 0) errors.push(required(at));
    else if (values.length > 1 && values.includes('*'))
      errors.push(invalid(at, values, `if '*' is present, must not specify other ${what}`));
    if (needsText)
      append(
        errors,
        ofEach(values, at, (value, each) => (value === '' ? [required(each)] : [])),
      );
  };
  listErrors('operations', operations, 'operations');
  append(
    errors,
    ofEach(operations, `${path}.operations`, (value, at) => (OPERATIONS.includes(value) ? [] : [notSupported(at, value, OPERATIONS)])),
  );
  listErrors('apiGroups', apiGroups, 'API groups');
  listErrors('apiVersions', apiVersions, 'API versions', true);
  append(errors, resourceErrors(resources ?? [], `${path}.resources`));
  if (scope !== undefined && !['*', 'Cluster', 'Namespaced'].includes(scope))
    errors.push(notSupported(`${path}.scope`, scope, ['*', 'Cluster', 'Namespaced']));
  return errors;
}

function resourceErrors(resources: readonly string[], path: string): readonly FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = ofEach(resources, path, (resource, at) => (resource === '' ? [required(at)] : []));
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && resources.some((resource) => resource !== '*' && !resource.includes('/')))
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}

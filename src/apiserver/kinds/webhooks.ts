/**
 * Configurations of admission webhooks. Models: v1.24 admissionregistration/v1 types.go, defaults.go, pkg/registry/admissionregistration,
 * pkg/apis/admissionregistration/validation.
 */
import { field, filled, type Infer, int32, list, mapList, obj, oneOf, ptr, req, str } from '../../schema/shape/index.ts';
import { append, isDns1123Subdomain } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { labelSelector, type ObjectOf, typeMeta, webhookClient } from '../structs/index.ts';
import { duplicate, facetErrors, invalid, notSupported, ofEach, required, webhookClientErrors } from '../validation/index.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const FAILURES = ['Fail', 'Ignore'];
const MATCHES = ['Equivalent', 'Exact'];
const REINVOCATIONS = ['IfNeeded', 'Never'];
const SELECTOR = { format: 'label selector' } as const;
type Text = ReturnType<typeof str>;

const rule = obj('RuleWithOperations', 'Operations and resources.', {
  operations: field(1, 'CREATE, UPDATE, DELETE, CONNECT, or * for all.', list({ ...str('OperationType'), among: OPERATIONS } as Text)),
  apiGroups: field([2, 1], 'Groups, or * for all.', list(str())),
  apiVersions: field([2, 2], 'Versions, or * for all.', list(str())),
  resources: field([2, 3], 'Resources: pods, pods/status, */scale, or * for all.', list(str())),
  scope: field([2, 4], 'Cluster, Namespaced, or * for both.', filled(ptr(oneOf(str('ScopeType'), SCOPES)), '*'), { among: SCOPES }),
});

const common = {
  name: field(1, 'Its full name, such as image-policy.example.com.', req(str())),
  clientConfig: field(2, 'How it is called.', webhookClient),
  rules: field(3, 'The requests that it is asked about.', list(rule)),
  failurePolicy: field(
    4,
    'What happens when it does not answer: Fail refuses the request.',
    filled(ptr(oneOf(str('FailurePolicyType'), FAILURES)), 'Fail'),
    { among: FAILURES },
  ),
  namespaceSelector: field(5, 'The namespaces whose objects it is asked about.', filled(ptr(labelSelector), {}), SELECTOR),
  sideEffects: field(6, 'None, or NoneOnDryRun.', ptr(str('SideEffectClass'))),
  timeoutSeconds: field(7, 'How long the server waits for it, 1 to 30.', filled(ptr(int32), 10), {
    min: 1,
    max: 30,
    words: 'the timeout value must be between 1 and 30 seconds',
  }),
  admissionReviewVersions: field(8, 'The versions of reviews that it understands, the preferred first.', list(str())),
};
const matchPolicy = filled(ptr(oneOf(str('MatchPolicyType'), MATCHES)), 'Equivalent');
const SAYS = {
  matchPolicy: 'Whether rules match requests in other versions of the resource (Equivalent).',
  objectSelector: 'The objects that it is asked about.',
};

const mutatingWebhook = obj('MutatingWebhook', 'A webhook that may change objects.', {
  ...common,
  matchPolicy: field(9, SAYS.matchPolicy, matchPolicy, { among: MATCHES }),
  reinvocationPolicy: field(
    10,
    'IfNeeded: it is asked again when others change the object after it.',
    filled(ptr(oneOf(str('ReinvocationPolicyType'), REINVOCATIONS)), 'Never'),
    { among: REINVOCATIONS },
  ),
  objectSelector: field(11, SAYS.objectSelector, filled(ptr(labelSelector), {}), SELECTOR),
});
const validatingWebhook = obj('ValidatingWebhook', 'A webhook that may refuse requests.', {
  ...common,
  matchPolicy: field(9, SAYS.matchPolicy, matchPolicy),
  objectSelector: field(10, SAYS.objectSelector, filled(ptr(labelSelector), {})),
});

const mutatingSchema = obj('MutatingWebhookConfiguration', 'Webhooks that may change or refuse what is written.', {
  ...typeMeta,
  webhooks: field(2, 'The webhooks, in the order in which they are asked.', mapList(mutatingWebhook, 'name')),
});
const validatingSchema = obj('ValidatingWebhookConfiguration', 'Webhooks that may refuse what is written.', {
  ...typeMeta,
  webhooks: field(2, 'The webhooks.', mapList(validatingWebhook, 'name')),
});

export type MutatingWebhookConfiguration = ObjectOf<'MutatingWebhookConfiguration', Infer<typeof mutatingSchema>>;
export type ValidatingWebhookConfiguration = ObjectOf<'ValidatingWebhookConfiguration', Infer<typeof validatingSchema>>;
type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
export type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

const REVIEWS = ['v1', 'v1beta1'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];

function webhookErrors({ webhooks = [] }: WebhookConfiguration): readonly FieldError[] {
  const seen = new Set<string>();
  return ofEach(webhooks as readonly Webhook[], 'webhooks', (webhook, path) => {
    const isRepeated = seen.has(webhook.name);
    seen.add(webhook.name);
    return [...errorsOf(webhook, path), ...(isRepeated ? [duplicate(`${path}.name`, webhook.name)] : [])];
  });
}

function errorsOf(webhook: Webhook, path: string): readonly FieldError[] {
  const { name, rules, clientConfig = {}, sideEffects, admissionReviewVersions = [] } = webhook;
  const judged = (...members: readonly (keyof Webhook)[]): FieldError[] => facetErrors(mutatingWebhook, webhook, path, ...members);
  const errors: FieldError[] = [...nameErrors(name, `${path}.name`)];
  append(errors, ofEach(rules, `${path}.rules`, ruleErrors), judged('failurePolicy', 'matchPolicy'));
  if (sideEffects === undefined) errors.push(required(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`));
  else if (!SIDE_EFFECTS.includes(sideEffects)) errors.push(notSupported(`${path}.sideEffects`, sideEffects, SIDE_EFFECTS));
  append(
    errors,
    judged('timeoutSeconds', 'namespaceSelector', 'objectSelector'),
    webhookClientErrors(clientConfig, `${path}.clientConfig`),
    reviewErrors(admissionReviewVersions, `${path}.admissionReviewVersions`),
    judged('reinvocationPolicy'),
  );
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

function ruleErrors(one: Rule, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const listErrors = (field: 'operations' | 'apiGroups' | 'apiVersions', what: string): void => {
    const [values = [], at] = [one[field], `${path}.${field}`];
    if (values.length === 0) errors.push(required(at));
    else if (values.length > 1 && values.includes('*'))
      errors.push(invalid(at, values, `if '*' is present, must not specify other ${what}`));
  };
  listErrors('operations', 'operations');
  append(errors, facetErrors(rule, one, path, 'operations'));
  listErrors('apiGroups', 'API groups');
  listErrors('apiVersions', 'API versions');
  append(
    errors,
    ofEach(one.apiVersions, `${path}.apiVersions`, (version, at) => (version === '' ? [required(at)] : [])),
    resourceErrors(one.resources ?? [], `${path}.resources`),
    facetErrors(rule, one, path, 'scope'),
  );
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

const countOf = ({ webhooks = [] }: WebhookConfiguration): number => webhooks.length;

const SHARED = {
  categories: ['api-extensions'],
  groupPrefix: 'admissionregistration',
  namespaced: false,
  generation: 'spec',
  allowUnconditionalUpdate: false,
  create: ['metadata', webhookErrors],
  update: ['changed metadata', webhookErrors],
  anyFinalizers: true,
  columns: ['Name', ['Webhooks', 'integer', 'Webhooks indicates the number of webhooks configured.', countOf], 'Age'],
  models: 'Complete. Upstream: pkg/registry/admissionregistration, apiserver pkg/admission/plugin/webhook.',
} as const;

export const mutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>({ ...SHARED, schema: mutatingSchema });
export const validatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>({ ...SHARED, schema: validatingSchema });

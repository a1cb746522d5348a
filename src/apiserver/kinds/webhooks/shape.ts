/** The schemas of webhook configurations. Models: v1.24 admissionregistration/v1 types.go, defaults.go. */
import { field, filled, type Infer, int32, list, mapList, obj, oneOf, ptr, req, str } from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, typeMeta, webhookClient } from '../../structs/index.ts';

const rule = obj('RuleWithOperations', 'Operations and resources.', {
  operations: field(1, 'CREATE, UPDATE, DELETE, CONNECT, or * for all.', list(str('OperationType'))),
  apiGroups: field([2, 1], 'Groups, or * for all.', list(str())),
  apiVersions: field([2, 2], 'Versions, or * for all.', list(str())),
  resources: field([2, 3], 'Resources: pods, pods/status, */scale, or * for all.', list(str())),
  scope: field([2, 4], 'Cluster, Namespaced, or * for both.', filled(ptr(oneOf(str('ScopeType'), ['*', 'Cluster', 'Namespaced'])), '*')),
});

const common = {
  name: field(1, 'Its full name, such as image-policy.example.com.', req(str())),
  clientConfig: field(2, 'How it is called.', webhookClient),
  rules: field(3, 'The requests that it is asked about.', list(rule)),
  failurePolicy: field(
    4,
    'What happens when it does not answer: Fail refuses the request.',
    filled(ptr(oneOf(str('FailurePolicyType'), ['Fail', 'Ignore'])), 'Fail'),
  ),
  namespaceSelector: field(5, 'The namespaces whose objects it is asked about.', filled(ptr(labelSelector), {})),
  sideEffects: field(6, 'None, or NoneOnDryRun.', ptr(str('SideEffectClass'))),
  timeoutSeconds: field(7, 'How long the server waits for it, 1 to 30.', filled(ptr(int32), 10)),
  admissionReviewVersions: field(8, 'The versions of reviews that it understands, the preferred first.', list(str())),
};
const matchPolicy = filled(ptr(oneOf(str('MatchPolicyType'), ['Equivalent', 'Exact'])), 'Equivalent');
const SAYS = {
  matchPolicy: 'Whether rules match requests in other versions of the resource (Equivalent).',
  objectSelector: 'The objects that it is asked about.',
};

const mutatingWebhook = obj('MutatingWebhook', 'A webhook that may change objects.', {
  ...common,
  matchPolicy: field(9, SAYS.matchPolicy, matchPolicy),
  reinvocationPolicy: field(
    10,
    'IfNeeded: it is asked again when others change the object after it.',
    filled(ptr(oneOf(str('ReinvocationPolicyType'), ['IfNeeded', 'Never'])), 'Never'),
  ),
  objectSelector: field(11, SAYS.objectSelector, filled(ptr(labelSelector), {})),
});
const validatingWebhook = obj('ValidatingWebhook', 'A webhook that may refuse requests.', {
  ...common,
  matchPolicy: field(9, SAYS.matchPolicy, matchPolicy),
  objectSelector: field(10, SAYS.objectSelector, filled(ptr(labelSelector), {})),
});

export const mutatingSchema = obj('MutatingWebhookConfiguration', 'Webhooks that may change or refuse what is written.', {
  ...typeMeta,
  webhooks: field(2, 'The webhooks, in the order in which they are asked.', mapList(mutatingWebhook, 'name')),
});
export const validatingSchema = obj('ValidatingWebhookConfiguration', 'Webhooks that may refuse what is written.', {
  ...typeMeta,
  webhooks: field(2, 'The webhooks.', mapList(validatingWebhook, 'name')),
});

export type MutatingWebhookConfiguration = ObjectOf<'MutatingWebhookConfiguration', Infer<typeof mutatingSchema>>;
export type ValidatingWebhookConfiguration = ObjectOf<'ValidatingWebhookConfiguration', Infer<typeof validatingSchema>>;
export type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;
export type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

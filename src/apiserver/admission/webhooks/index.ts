/**
 * Admission by webhooks: those that configurations in the store name are asked, mutating ones one after the other, in the order of the names
 * of their configurations. Simplified: connections are not asked about, because there are none; validating webhooks are asked one after the
 * other. Models: v1.24 apiserver pkg/admission/plugin/webhook mutating dispatcher.go, validating dispatcher.go.
 */
import { compareText } from '../../../schema/values/index.ts';
import { decodeLasting, DecodeError } from '../../../schema/shape/index.ts';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration, Webhook } from '../../kinds/index.ts';
import { type ApiObject, assign, castDraft, currentOf, type Draft, type Kind, sameValue } from '../../machinery/index.ts';
import { applyJsonPatch } from '../../patch/index.ts';
import { badRequest, Refusal } from '../../request/index.ts';
import type { AdmissionPlugin, Attributes, Warner, Scope } from '../plugin.ts';
import { inVersionOf } from './conversion.ts';
import { matched, reviewOf, type Reviewed, unanswered, type Verdict, verdictOf } from './review.ts';

/** Who could not be mended if a webhook refused them. */
const EXEMPT: ReadonlySet<string> = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);

function webhooksIn(scope: Scope, kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration'): readonly Webhook[] {
  if (scope.store.size(kind) === 0) return NONE;
  const all = [...(scope.store.values(kind) as Iterable<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>)];
  return all
    .sort((one, other) => compareText(one.metadata.name, other.metadata.name))
    .flatMap(({ webhooks = [] }) => webhooks as readonly Webhook[]);
}

const NONE: readonly Webhook[] = [];

interface Asked extends Reviewed {
  readonly webhook: Webhook;
  readonly kind: Kind;
}

/** Returns what a webhook says; undefined: it did not answer, and need not. */
function ask(
  scope: Scope,
  attributes: Attributes,
  { webhook, kind, form, object, oldObject }: Asked,
  warner: Warner | undefined,
): Verdict | undefined {
  const shown = (each: ApiObject | null) => (each === null || form !== undefined ? each : publicly(scope, each, kind));
  const review = reviewOf(webhook, kind, scope, attributes, { form, object: shown(object), oldObject: shown(oldObject) });
  const answer = scope.webhooks?.({ webhook, review, name: webhook.name }) ?? { failure: 'no program answers webhooks here' };
  const verdict = 'failure' in answer ? `failed to call webhook: ${answer.failure}` : verdictOf(webhook, review, answer.review, scope);
  if (typeof verdict !== 'string') {
    warner?.warn(verdict.warnings);
    return verdict;
  }
  if (webhook.failurePolicy === 'Ignore') return undefined;
  throw unanswered(webhook.name, verdict);
}

/** An object in the version that a webhook understands, under the name that clients know. */
function publicly(scope: Scope, object: ApiObject, kind: Kind): ApiObject {
  const inVersion = kind.definition === undefined ? object : inVersionOf(scope, object, kind);
  return kind.shownAs === undefined ? inVersion : { ...inVersion, kind: kind.shownAs };
}

/** Applies a patch to an object in the version of a webhook, and returns it in that of the request. */
function patched(
  scope: Scope,
  object: ApiObject,
  { webhook, kind, form }: Pick<Asked, 'webhook' | 'kind' | 'form'>,
  patch: unknown,
  { resource }: Attributes,
): ApiObject {
  const result = withPatch(form === undefined ? publicly(scope, object, kind) : object, patch, webhook);
  if (form !== undefined) return { ...(result as ApiObject), kind: object.kind, apiVersion: object.apiVersion };
  try {
    const made = decodeLasting(kind.schema, result) as ApiObject;
    const named = { ...made, kind: object.kind };
    return kind === resource.kind ? { ...named, apiVersion: object.apiVersion } : inVersionOf(scope, named, resource.kind);
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} made an object that cannot be read: ${error.message}`);
    throw error;
  }
}

function withPatch(object: ApiObject, patch: unknown, { name }: Webhook): unknown {
  try {
    return applyJsonPatch(object, patch);
  } catch (thrown) {
    throw thrown instanceof Refusal ? unanswered(name, thrown.message) : thrown;
  }
}

const plainOf = (draft: Draft): ApiObject => structuredClone(currentOf<ApiObject>(draft));

function replace(draft: Draft, object: ApiObject): void {
  for (const member of new Set([...Object.keys(draft), ...Object.keys(object)]))
    if (!sameValue(currentOf<unknown>(draft[member]), object[member])) assign(draft, member, castDraft(object[member]));
}

/** The object of a request. */
interface Sent extends Reviewed {
  readonly object: ApiObject;
}

/** Asks mutating webhooks one after the other, and returns what they leave. */
function mutated(scope: Scope, attributes: Attributes, { form, object: sent, oldObject }: Sent, warner: Warner | undefined): ApiObject {
  let object = sent;
  /** What each webhook that may be asked again left behind. */
  const left = new Map<Webhook, ApiObject>();
  const pass = (webhook: Webhook): void => {
    const kind = matched(webhook, scope, attributes, oldObject === null ? [object] : [object, oldObject]);
    if (kind === undefined) return;
    const verdict = ask(scope, attributes, { webhook, kind, form, object, oldObject }, warner);
    if (verdict?.patch !== undefined) object = patched(scope, object, { webhook, kind, form }, verdict.patch, attributes);
    if (webhook.reinvocationPolicy === 'IfNeeded') left.set(webhook, object);
  };
  for (const webhook of webhooksIn(scope, 'MutatingWebhookConfiguration')) pass(webhook);
  for (const [webhook, after] of left) if (after !== object && !sameValue(after, object)) pass(webhook);
  return object;
}

/** Asks webhooks about a sub-resource in a form of its own, and returns the form as they leave it. */
export function reviewedForm(scope: Scope, attributes: Attributes, sent: Sent, warner: Warner): ApiObject {
  const object = mutated(scope, attributes, sent, warner);
  const { form, oldObject } = sent;
  for (const webhook of webhooksIn(scope, 'ValidatingWebhookConfiguration')) {
    const kind = matched(webhook, scope, attributes, oldObject === null ? [object] : [object, oldObject]);
    if (kind !== undefined) ask(scope, attributes, { webhook, kind, form, object, oldObject }, warner);
  }
  return object;
}

const mutating: AdmissionPlugin = {
  name: 'MutatingAdmissionWebhook',
  verbs: ['create', 'update'],
  subresources: true,
  needs: 'MutatingWebhookConfiguration',
  mutate(scope, attributes, draft, old, warner) {
    if (attributes.isReviewed === true || EXEMPT.has(attributes.resource.kind.kind)) return;
    const object = mutated(scope, attributes, { object: plainOf(draft), oldObject: old ?? null, form: undefined }, warner);
    replace(draft, object);
  },
};

const validating: AdmissionPlugin = {
  name: 'ValidatingAdmissionWebhook',
  verbs: ['create', 'update', 'delete'],
  subresources: true,
  validate(scope, attributes, object, old, warner) {
    if (attributes.isReviewed === true || EXEMPT.has(attributes.resource.kind.kind)) return;
    const isDeletion = attributes.verb === 'delete';
    const reviewed: Reviewed = { object: isDeletion ? null : object, oldObject: old ?? null, form: undefined };
    const objects = [object, ...(old === undefined ? [] : [old])];
    const configurations = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;
    for (const configuration of isDeletion ? configurations : configurations.slice(1))
      for (const webhook of webhooksIn(scope, configuration)) {
        const kind = matched(webhook, scope, attributes, objects);
        if (kind !== undefined) ask(scope, attributes, { webhook, kind, ...reviewed }, warner);
      }
  },
};

/** Says that what is stored has no effect. */
export const unaskedWebhooks: AdmissionPlugin = {
  name: 'WebhooksAreAsked',
  verbs: ['create'],
  kinds: [...EXEMPT],
  validate(scope, _, __, ___, warner) {
    if (scope.webhooks === undefined)
      warner?.warn([
        'webhooks are not asked here: serve and drive ask those of a service that --webhook SERVICE=URL names, and runs those that spec.webhooks of the scenario answers',
      ]);
  },
};

export const webhookPlugins: readonly AdmissionPlugin[] = [mutating, validating];

/**
 * Which requests a webhook is asked about, the review that it gets, and what its answer means. Models: v1.24 admission/v1 types.go, apiserver
 * pkg/admission/plugin/webhook: request admissionreview.go, generic webhook.go ShouldCallHook, predicates rules, namespace, object.
 */
import { perObject } from '../../../engine/index.ts';
import type { ApiObject, Kind } from '../../machinery/index.ts';
import { servedVersions, type Webhook } from '../../kinds/index.ts';
import { failure, internalError, type Refusal } from '../../request/index.ts';
import { labelMatcher, type Labels, type LabelSelector, isQualifiedName, textOfBase64, isMapping } from '../../../schema/values/index.ts';
import type { Attributes, Scope } from '../plugin.ts';

/** The kind of a sub-resource that has a form of its own. */
export interface Form {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Reviewed {
  /** What the objects are, where they are not of the kind of the resource. */
  readonly form: Form | undefined;
  readonly object: ApiObject | null;
  readonly oldObject: ApiObject | null;
}

const OPTIONS = { create: 'CreateOptions', update: 'UpdateOptions', delete: 'DeleteOptions' } as const;

/** Returns the version of reviews that a webhook prefers of those that there are. */
export const versionFor = (preferred: readonly string[] = []): string =>
  preferred.find((version) => version === 'v1' || version === 'v1beta1') ?? 'v1';

export function reviewOf(
  webhook: Webhook,
  kind: Kind,
  scope: Scope,
  attributes: Attributes,
  { form, object, oldObject }: Reviewed,
): object {
  const { verb, resource, subresource = '', namespace, name, dryRun, request } = attributes;
  const { group } = resource;
  const gvk = (version: string) => form ?? { group, version, kind: kind.shownAs ?? kind.kind };
  const gvr = (version: string) => ({ group, version, resource: kind.plural });
  const sub = subresource === '' ? {} : { subResource: subresource };
  const { name: username, uid = '', groups, extra } = request.user ?? { name: scope.envelope.by.process, groups: [] };
  return {
    kind: 'AdmissionReview',
    apiVersion: `${scope.names.group('admission')}/${versionFor(webhook.admissionReviewVersions)}`,
    request: {
      uid: uidOf(scope),
      kind: gvk(kind.version),
      resource: gvr(kind.version),
      ...sub,
      requestKind: gvk(resource.kind.version),
      requestResource: gvr(resource.kind.version),
      ...(subresource === '' ? {} : { requestSubResource: subresource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      operation: verb.toUpperCase(),
      userInfo: { username, ...(uid === '' ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) },
      object,
      oldObject,
      dryRun,
      options: { kind: OPTIONS[verb], apiVersion: `${scope.names.group('meta')}/v1` },
    },
  };
}

function uidOf({ random }: Scope): string {
  const digits = random.hex(30);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-a${digits.slice(15, 18)}-${digits.slice(18)}`;
}

export interface Verdict {
  /** The operations of a JSON patch; undefined: the object stays. */
  readonly patch: unknown;
  readonly warnings: readonly string[];
}

/**
 * Returns what an answer says; a text: why it is none.
 *
 * @throws {Refusal} where the webhook denies the request.
 */
export function verdictOf(webhook: Webhook, review: object, answer: unknown, scope: Pick<Scope, 'annotate'>): Verdict | string {
  const { apiVersion, request } = review as { readonly apiVersion: string; readonly request: { readonly uid: string } };
  if (!isMapping(answer) || answer['kind'] !== 'AdmissionReview' || answer['apiVersion'] !== apiVersion)
    return `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${gvkOf(answer)}`;
  const { response } = answer;
  if (!isMapping(response)) return 'Webhook response was absent';
  if (response['uid'] !== request.uid)
    return `expected response.uid=${JSON.stringify(request.uid)}, got ${JSON.stringify(response['uid'] ?? '')}`;
  annotate(webhook.name, response['auditAnnotations'], scope);
  if (response['allowed'] !== true) throw denied(webhook.name, response['status']);
  const given = response['warnings'];
  const warnings = Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
  const { patch, patchType } = response;
  if (patch === undefined || patch === null || patch === '')
    return patchType === undefined ? { patch: undefined, warnings } : 'webhook returned response.patchType but not response.patch';
  if (patchType !== 'JSONPatch') return `invalid response.patchType: ${JSON.stringify(patchType ?? '')}`;
  try {
    return { patch: JSON.parse(textOfBase64(String(patch))) as unknown, warnings };
  } catch (error) {
    return `illegal response.patch: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A key that is no qualified name is left out, as upstream's audit does. */
function annotate(webhook: string, given: unknown, scope: Pick<Scope, 'annotate'>): void {
  if (!isMapping(given)) return;
  for (const [name, value] of Object.entries(given)) {
    const key = `${webhook}/${name}`;
    if (typeof value === 'string' && isQualifiedName(key).length === 0) scope.annotate(key, value);
  }
}

const gvkOf = (answer: unknown): string =>
  isMapping(answer) ? `${String(answer['apiVersion'] ?? '')}, Kind=${String(answer['kind'] ?? '')}` : JSON.stringify(answer ?? null);

/** Models: apiserver pkg/admission/plugin/webhook/errors statuserror.go ToStatusErr. */
function denied(name: string, status: unknown): Refusal {
  const given = isMapping(status) ? status : {};
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const [code, message, reason, details] = [given['code'], given['message'], given['reason'], given['details']];
  const said = [message, reason].find((each) => typeof each === 'string' && each !== '');
  return failure({
    code: typeof code === 'number' && code >= 400 && code < 600 ? code : 400,
    ...(typeof reason === 'string' && reason !== '' ? { reason: reason } : {}),
    message: said === undefined ? `${by} without explanation` : `${by}: ${String(said)}`,
    ...(isMapping(details) ? { details: details } : {}),
  });
}

/** The refusal of a request because a webhook did not answer as it should. */
export const unanswered = (name: string, why: string): Refusal => internalError(`failed calling webhook ${JSON.stringify(name)}: ${why}`);

// By operation, resource and version, by the labels of the namespace and of the object.

type Rule = NonNullable<Webhook['rules']>[number];

const has = (values: readonly string[] | undefined, value: string): boolean =>
  values?.includes('*') === true || values?.includes(value) === true;

/** Returns the kind in the version that a webhook understands; undefined: it is not asked. */
export function matched(webhook: Webhook, scope: Scope, attributes: Attributes, objects: readonly ApiObject[]): Kind | undefined {
  const { resource } = attributes;
  const { rules = [], matchPolicy } = webhook;
  const others =
    matchPolicy === 'Exact' ? [] : servedVersions(resource.kind.stored ?? resource.kind).filter((kind) => kind !== resource.kind);
  const kind = [resource.kind, ...others].find(({ version }) => rules.some((rule) => isAbout(rule, attributes, version)));
  return kind !== undefined && isInNamespace(webhook, scope, attributes, objects) && isSelected(webhook, objects) ? kind : undefined;
}

function isAbout(
  { operations, apiGroups, apiVersions, resources = [], scope = '*' }: Rule,
  { verb, resource, subresource = '' }: Attributes,
  version: string,
) {
  const { plural, namespaced } = resource.kind;
  return (
    has(operations, verb.toUpperCase()) &&
    has(apiGroups, resource.group) &&
    has(apiVersions, version) &&
    (scope === '*' || (scope === 'Namespaced') === namespaced) &&
    resources.some((each) => {
      const [of = '', sub = ''] = each.split('/');
      return (of === '*' || of === plural) && (sub === subresource || (sub === '*' && each !== '*'));
    })
  );
}

const matcherOf = perObject((selector: LabelSelector) => labelMatcher(selector));

const selects = (selector: LabelSelector | undefined, labels: Labels = {}): boolean =>
  selector !== undefined && matcherOf(selector)(labels);

/** What is in no namespace is not selected by one, but a namespace by its own labels. */
function isInNamespace(
  { namespaceSelector }: Webhook,
  { store }: Scope,
  { resource, namespace }: Attributes,
  objects: readonly ApiObject[],
) {
  if (resource.kind.kind === 'Namespace') return objects.some(({ metadata }) => selects(namespaceSelector, metadata.labels));
  if (namespace === undefined) return true;
  return selects(namespaceSelector, store.get('Namespace', namespace)?.metadata.labels);
}

const isSelected = ({ objectSelector }: Webhook, objects: readonly ApiObject[]): boolean =>
  objects.some(({ metadata }) => selects(objectSelector, metadata.labels));

/**
 * Which requests a webhook is asked about: by operation, resource and version, by the labels of the namespace and of the object. Models:
 * v1.24 apiserver pkg/admission/plugin/webhook generic webhook.go ShouldCallHook, predicates rules, namespace, object.
 */
import { perObject } from '../../../engine/index.ts';
import { labelMatcher, type Labels, type LabelSelector } from '../../../schema/values/index.ts';
import { servedVersions, type Webhook } from '../../kinds/index.ts';
import type { ApiObject, Kind } from '../../machinery/index.ts';
import type { Attributes, Scope } from '../plugin.ts';

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

/**
 * Which objects a list or a watch selects: label and field selectors, checked against what the kind knows. Models: apiserver
 * registry/generic/matcher.go, the field label conversions of each kind.
 */
import type { ApiObject } from '../vocabulary/index.ts';
import {
  exactFieldMatch,
  matchesFields,
  parseFieldSelector,
  parseLabelSelector,
  type FieldSelector,
  type LabelSelection,
} from '../../grammar/values/index.ts';
import { badRequest, type Resource } from '../request/index.ts';

export interface Selection {
  readonly everything: boolean;
  readonly matches: (object: ApiObject) => boolean;
  /** The one value a field must have, if the selector says so. */
  exact(field: string): string | undefined;
}

const EVERYTHING: Selection = { everything: true, matches: () => true, exact: () => undefined };

/** The selection of two selector texts; refuses bad ones as the server does. */
export function selectionOf(resource: Resource, labelSelector: string | undefined, fieldSelector: string | undefined): Selection {
  const labels = labelSelector === undefined || labelSelector === '' ? undefined : parsedLabels(labelSelector);
  const fields = fieldSelector === undefined || fieldSelector === '' ? [] : parsedFields(resource, fieldSelector);
  if (labels === undefined && fields.length === 0) return EVERYTHING;
  const { fieldSelectors } = resource.kind;
  return {
    everything: false,
    matches: (object) =>
      (labels === undefined || labels.matches(object.metadata.labels)) &&
      (fields.length === 0 || matchesFields(fields, (field) => valueOf(object, field, fieldSelectors))),
    exact: (field) => exactFieldMatch(fields, field),
  };
}

function parsedLabels(text: string): LabelSelection {
  const parsed = parseLabelSelector(text);
  if (parsed.error !== undefined) throw badRequest(parsed.error);
  return parsed.value;
}

function parsedFields(resource: Resource, text: string): FieldSelector {
  const parsed = parseFieldSelector(text);
  if (parsed.error !== undefined) throw badRequest(parsed.error);
  const { kind } = resource;
  for (const { field } of parsed.value) {
    if (field === 'metadata.name' || kind.fieldSelectors?.[field] !== undefined) continue;
    // Kinds with labels of their own know what they are; the generic rule lets every kind be asked for a namespace.
    if (field === 'metadata.namespace' && (kind.namespaced || kind.fieldSelectorError === undefined)) continue;
    throw badRequest(
      kind.fieldSelectorError?.(field, kind.kind) ??
        `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return parsed.value;
}

function valueOf(object: ApiObject, field: string, known: Resource['kind']['fieldSelectors']): string {
  const own = known?.[field];
  if (own !== undefined) return own(object);
  if (field === 'metadata.name') return object.metadata.name;
  return object.metadata.namespace ?? '';
}

/** Selection by label and field selectors. Models: apiserver registry/generic/matcher.go, the field label conversions of kinds. */
import { memo, perObject } from '../../engine/index.ts';
import type { ApiObject } from '../machinery/index.ts';
import { exactFieldMatch, matchesFields, parseFieldSelector, parseLabelSelector } from '../../schema/values/index.ts';
import type { FieldSelector, LabelSelection } from '../../schema/values/index.ts';
import { badRequest, type Resource } from '../request/index.ts';

export interface Selection {
  readonly everything: boolean;
  readonly matches: (object: ApiObject) => boolean;
  /** Returns the value that a field must have, if the selector fixes it. */
  exact(field: string): string | undefined;
}

const EVERYTHING: Selection = { everything: true, matches: () => true, exact: () => undefined };

/** The most terms and values of a selector. The limit is ours: each is evaluated for every object and change. */
const MOST_TERMS = 1000;

/** Selections of watches by their texts: watches with equal selectors share one selection, and its last results. */
const shared = perObject((_kind: Resource['kind']) => new Map<string, Selection>());
const MOST_SHARED = 1024;

/** Returns the selection of a watch. Watches with equal selectors share it, so that each object is evaluated once. */
export function sharedSelectionOf(resource: Resource, labelSelector = '', fieldSelector = ''): Selection {
  const known = shared(resource.kind);
  const texts = JSON.stringify([labelSelector, fieldSelector]);
  let found = known.get(texts);
  if (found === undefined) {
    found = remembering(selectionOf(resource, labelSelector, fieldSelector));
    if (known.size >= MOST_SHARED) known.clear();
    known.set(texts, found);
  }
  return found;
}

/** A change has a new and an old object: the results for both are cached until the next change. */
function remembering(selection: Selection): Selection {
  if (selection.everything) return selection;
  const last = memo<{ of: Judged | undefined; before: Judged | undefined }>({ of: undefined, before: undefined });
  return {
    ...selection,
    matches(object) {
      const { of, before } = last;
      if (of?.object === object) return of.matches;
      if (before?.object === object) return before.matches;
      last.before = of;
      last.of = { object, matches: selection.matches(object) };
      return last.of.matches;
    },
  };
}
interface Judged {
  readonly object: ApiObject;
  readonly matches: boolean;
}

/** Returns the selection of two selector texts; refuses invalid ones with the server's error. */
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
  checkTerms(parsed.value);
  return parsed.value;
}

export function checkTerms(selector: LabelSelection | FieldSelector): void {
  const terms =
    'requirements' in selector ? selector.requirements.reduce((sum, { values }) => sum + 1 + values.length, 0) : selector.length;
  if (terms > MOST_TERMS) throw badRequest(`a selector has at most ${MOST_TERMS} terms and values, found ${terms}`);
}

function parsedFields(resource: Resource, text: string): FieldSelector {
  const parsed = parseFieldSelector(text);
  if (parsed.error !== undefined) throw badRequest(parsed.error);
  checkTerms(parsed.value);
  const { kind } = resource;
  for (const { field } of parsed.value) {
    if (field === 'metadata.name' || kind.fieldSelectors?.[field] !== undefined) continue;
    // Kinds with their own field labels list all of them; by the generic rule every kind supports the namespace.
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
  if (own !== undefined) return own(object) ?? '';
  return (field === 'metadata.name' ? object.metadata.name : object.metadata.namespace) ?? '';
}

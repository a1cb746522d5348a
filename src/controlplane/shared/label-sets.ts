/**
 * Objects grouped by equal labels, updated as they are added and removed: a selector over 100,000 pods then needs one match per distinct
 * label set, not per pod. `LabelSets` holds the objects, `LabelCounts` only their numbers.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { compareText, type LabelMatcher } from '../../schema/values/index.ts';

type Labels = Readonly<Record<string, string>>;
interface Entry<O> {
  readonly labels: Labels | undefined;
  readonly members: Map<string, O>;
}

export interface LabelSets<O extends ApiObject> {
  add(object: O): void;
  remove(object: O): void;
  replace(before: O, after: O): void;
  /** The objects that the selector matches, by label set in order of first appearance. */
  matching(matches: LabelMatcher): readonly O[];
  /** The uids by label set, for recounts. */
  plain(): unknown;
}

const texts = new WeakMap<Labels, string>();

function textOf(labels: Labels | undefined): string {
  if (labels === undefined) return '';
  let text = texts.get(labels);
  if (text === undefined) {
    text = Object.keys(labels)
      .sort(compareText)
      .map((key) => `${key}=${labels[key] ?? ''}`)
      .join(',');
    texts.set(labels, text);
  }
  return text;
}

/** Label sets without objects. */
export function createLabelSets<O extends ApiObject>(): LabelSets<O> {
  const sets = new Map<string, Entry<O>>();
  const add = (object: O): void => {
    const text = textOf(object.metadata.labels);
    let entry = sets.get(text);
    if (entry === undefined) sets.set(text, (entry = { labels: object.metadata.labels, members: new Map() }));
    entry.members.set(object.metadata.uid, object);
  };
  const remove = (object: O): void => {
    const text = textOf(object.metadata.labels);
    const entry = sets.get(text);
    if (entry?.members.delete(object.metadata.uid) === true && entry.members.size === 0) sets.delete(text);
  };
  return {
    add,
    remove,
    replace(before, after) {
      if (textOf(before.metadata.labels) !== textOf(after.metadata.labels)) remove(before);
      add(after);
    },
    matching(matches) {
      const found: O[] = [];
      for (const { labels, members } of sets.values()) if (matches(labels)) found.push(...members.values());
      return found;
    },
    plain: () =>
      [...sets]
        .map(([text, { members }]) => [text, [...members.keys()].sort(compareText)])
        .sort((a, b) => compareText(String(a[0]), String(b[0]))),
  };
}

export interface LabelCounts {
  /** Counts one more (1) or one fewer (-1) object with these labels. */
  count(labels: Labels | undefined, by: 1 | -1): void;
  /** Whether the selector matches every object. */
  allMatch(matches: LabelMatcher): boolean;
  plain(): unknown;
}

/** Counts without objects. `groupOf`: labels with the same text are taken for equal. */
export function createLabelCounts(groupOf: (labels: Labels | undefined) => string = textOf): LabelCounts {
  const sets = new Map<string, { readonly labels: Labels | undefined; objects: number }>();
  return {
    count(labels, by) {
      const text = groupOf(labels);
      const set = sets.get(text);
      if (set === undefined) sets.set(text, { labels, objects: by });
      else if ((set.objects += by) === 0) sets.delete(text);
    },
    allMatch(matches) {
      for (const { labels } of sets.values()) if (!matches(labels)) return false;
      return true;
    },
    plain: () => [...sets].map(([text, { objects }]) => [text, objects]).sort((a, b) => compareText(String(a[0]), String(b[0]))),
  };
}

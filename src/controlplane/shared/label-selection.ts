/**
 * Selection by labels. Objects are grouped by equal labels, updated as they are added and removed: a selector over 100,000 pods then needs
 * one match per distinct label set, not per pod. `LabelSets` holds the objects, `LabelCounts` only their numbers. Of several descriptions of
 * pods, a pod has the first that fits its labels, its namespace and its controller.
 */
import { controllerOf, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Pod } from '../../apiserver/kinds/index.ts';
import { defineAggregate, type ObjectOf } from '../runtime/index.ts';
import { keptIn, compareText, labelMatcher, type LabelMatcher, type Labels, type LabelSelector } from '../../schema/values/index.ts';
import { perObject } from '../../engine/index.ts';

interface Entry<O> {
  readonly labels: Labels | undefined;
  readonly members: Map<string, O>;
}

const textOnce = perObject((labels: Labels) =>
  Object.keys(labels)
    .sort(compareText)
    .map((key) => `${key}=${labels[key] ?? ''}`)
    .join(','),
);
const textOf = (labels: Labels | undefined): string => (labels === undefined ? '' : textOnce(labels));

/** Entries of summaries, in the order of their texts. */
export const byText = <V>(entries: readonly (readonly [string, V])[]) => entries.toSorted(([a], [b]) => compareText(a, b));

export function createLabelSets<O extends ApiObject>() {
  const sets = new Map<string, Entry<O>>();
  const add = (object: O): void => {
    const { labels, uid } = object.metadata;
    keptIn(sets, textOf(labels), () => ({ labels, members: new Map() })).members.set(uid, object);
  };
  const remove = (object: O): void => {
    const text = textOf(object.metadata.labels);
    const entry = sets.get(text);
    if (entry?.members.delete(object.metadata.uid) === true && entry.members.size === 0) sets.delete(text);
  };
  return {
    add,
    remove,
    replace(before: O, after: O): void {
      if (textOf(before.metadata.labels) !== textOf(after.metadata.labels)) remove(before);
      add(after);
    },
    /** The objects that the selector matches, by label set in order of first appearance. */
    matching(matches: LabelMatcher): readonly O[] {
      const found: O[] = [];
      for (const { labels, members } of sets.values()) if (matches(labels)) found.push(...members.values());
      return found;
    },
    plain: () => byText([...sets].map(([text, { members }]) => [text, [...members.keys()].sort(compareText)])),
  };
}

/** Updates counts of labels where an object has got others. */
export function recountLabels(counts: LabelCounts, { metadata: before }: ApiObject, { metadata: after }: ApiObject): void {
  if (before.labels === after.labels) return;
  counts.count(before.labels, -1);
  counts.count(after.labels, 1);
}

export type LabelCounts = ReturnType<typeof createLabelCounts>;

/** Counts without objects. `groupOf`: labels with the same text are taken for equal. */
export function createLabelCounts(groupOf: (labels: Labels | undefined) => string = textOf) {
  const sets = new Map<string, { readonly labels: Labels | undefined; objects: number }>();
  return {
    /** Counts one more (1) or one fewer (-1) object with these labels. */
    count(labels: Labels | undefined, by: 1 | -1): void {
      const text = groupOf(labels);
      const set = sets.get(text);
      if (set === undefined) sets.set(text, { labels, objects: by });
      else if ((set.objects += by) === 0) sets.delete(text);
    },
    /** Whether the selector matches every object. */
    allMatch(matches: LabelMatcher): boolean {
      for (const { labels } of sets.values()) if (!matches(labels)) return false;
      return true;
    },
    plain: () => byText([...sets].map(([text, { objects }]) => [text, objects])),
  };
}

/** An aggregate that holds the objects of each group, by uid. */
export const objectsByUid = <K extends string>(name: string, kind: K, groupOf: (object: ObjectOf<K>) => string | undefined) =>
  defineAggregate<K, Map<string, ObjectOf<K>>>({
    name,
    kind,
    groupOf,
    empty: () => new Map(),
    add: (objects, object) => void objects.set(object.metadata.uid, object),
    remove: (objects, object) => void objects.delete(object.metadata.uid),
    plain: (objects) => [...objects.keys()].sort(compareText),
  });

/** The pods that are described; absent members fit all. */
export interface PodSelection {
  readonly selector?: LabelSelector;
  readonly namespace?: string;
  /** `Kind/name` of the controller of its pods; a `*` at the end stands for any ending. */
  readonly owner?: string;
}

/**
 * Returns a function that finds the description of a pod. Selectors are compiled once, and only those of the pod's namespace are tried: an
 * incident has thousands.
 */
export function selectionOf<S extends PodSelection>(all: readonly S[]): (pod: Pod) => S | undefined {
  const compiled = all.map((selection) => ({
    selection,
    matches: selection.selector === undefined ? () => true : labelMatcher(selection.selector),
    owns: selection.owner === undefined ? () => true : ownerMatcher(selection.owner),
  }));
  const namespaces = new Map<string, (typeof compiled)[number][]>();
  const everywhere: (typeof compiled)[number][] = [];
  // One about every namespace is in all lists, at its place among the others.
  for (const each of compiled) {
    const { namespace } = each.selection;
    if (namespace === undefined) for (const list of [everywhere, ...namespaces.values()]) list.push(each);
    else {
      const list = namespaces.get(namespace) ?? [...everywhere];
      namespaces.set(namespace, list);
      list.push(each);
    }
  }
  return (pod) => {
    const { labels, namespace = '' } = pod.metadata;
    return (namespaces.get(namespace) ?? everywhere).find(({ matches, owns }) => matches(labels) && owns(pod))?.selection;
  };
}

/** Whether the controller of a pod is `Kind/name`, where a `*` at the end stands for any ending. */
function ownerMatcher(owner: string): (pod: Pod) => boolean {
  const isOpen = owner.endsWith('*');
  const [kind = '', name = ''] = (isOpen ? owner.slice(0, -1) : owner).split('/');
  return (pod) => {
    const by = controllerOf(pod);
    return by !== undefined && by.kind === kind && (isOpen ? by.name.startsWith(name) : by.name === name);
  };
}

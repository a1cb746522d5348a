/** Which of several descriptions of pods is about a pod: the first that fits its labels, its namespace and its controller. */
import { controllerOf } from '../../apiserver/machinery/index.ts';
import type { Pod } from '../../apiserver/kinds/index.ts';
import { type LabelSelector, labelMatcher } from '../../schema/values/index.ts';

/** The pods that are described; absent members fit all. */
export interface PodSelection {
  readonly selector?: LabelSelector;
  readonly namespace?: string;
  /** `Kind/name` of the controller of its pods; a `*` at the end stands for any ending. */
  readonly owner?: string;
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});

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
    const { labels = NONE, namespace = '' } = pod.metadata;
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

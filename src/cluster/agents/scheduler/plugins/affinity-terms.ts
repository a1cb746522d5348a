/** Terms of pod affinity compiled: whom they select, and where. Models: v1.24 pkg/scheduler/framework types (AffinityTerm). */
import type { LabelSelector, PodAffinityTerm } from '../../../api/index.ts';
import { compareText, formatLabelSelection, labelMatcher, labelSelectorAsSelection, NOTHING } from '../../../values/index.ts';
import type { GroupView } from '../pod-groups.ts';
import type { SchedulerView } from '../view.ts';

/** A term for one owner. */
export interface Term {
  readonly topologyKey: string;
  /** All that `matches` depends on, as text. */
  readonly name: string;
  matches(pod: GroupView): boolean;
}

const selectorTexts = new WeakMap<LabelSelector, string>();

/** A selector as text; selectors with the same text select the same. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '!';
  let text = selectorTexts.get(selector);
  if (text === undefined) {
    const { value = NOTHING } = labelSelectorAsSelection(selector);
    selectorTexts.set(selector, (text = value.nothing ? '!' : `:${formatLabelSelection(value)}`));
  }
  return text;
}

/** The namespaces a term is about: those listed, those selected, or the owner's. */
function namespacesOf({ namespaces, namespaceSelector }: PodAffinityTerm, owner: string, view: SchedulerView): ReadonlySet<string> {
  const listed = namespaces ?? [];
  if (namespaceSelector === undefined) return new Set(listed.length === 0 ? [owner] : listed);
  const selects = labelMatcher(namespaceSelector);
  const found = new Set(listed);
  for (const { metadata } of view.cache.list('Namespace')) if (selects(metadata.labels)) found.add(metadata.name);
  return found;
}

/** Compiles a term of a pod in the owner's namespace. */
export function compileTerm(term: PodAffinityTerm, owner: string, view: SchedulerView): Term {
  const namespaces = namespacesOf(term, owner, view);
  const selects = labelMatcher(term.labelSelector);
  return {
    topologyKey: term.topologyKey,
    name: `${[...namespaces].sort(compareText).join('+')}/${selectorText(term.labelSelector)}`,
    matches: ({ namespace, labels }) => namespaces.has(namespace) && selects(labels),
  };
}

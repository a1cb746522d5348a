/**
 * Compiled terms of pod affinity: the pods that they select, and the topology key. Models: v1.24 pkg/scheduler/framework types
 * (AffinityTerm).
 */
import { memo } from '../../../../engine/index.ts';
import type { Affinity, LabelSelector, PodAffinityTerm } from '../../../../apiserver/machinery/index.ts';
import {
  compareText,
  formatLabelSelection,
  keptIn,
  labelMatcher,
  labelSelectorAsSelection,
  NOTHING,
} from '../../../../schema/values/index.ts';
import type { GroupView } from '../pod-groups.ts';
import type { SchedulerView } from '../plugin.ts';

export interface Term {
  readonly topologyKey: string;
  /** Everything that `matches` depends on, as text. */
  readonly name: string;
  matches(pod: GroupView): boolean;
}

const selectorTexts = memo(new WeakMap<LabelSelector, string>());

/** A selector as text; selectors with equal texts select the same pods. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '!';
  return keptIn(selectorTexts, selector, () => {
    const { value = NOTHING } = labelSelectorAsSelection(selector);
    return value.nothing ? '!' : `:${formatLabelSelection(value)}`;
  });
}

/** The namespaces of a term: those listed, those selected, or the pod's own. */
function namespacesOf({ namespaces, namespaceSelector }: PodAffinityTerm, owner: string, view: SchedulerView): ReadonlySet<string> {
  const listed = namespaces ?? [];
  if (namespaceSelector === undefined) return new Set(listed.length === 0 ? [owner] : listed);
  const selects = labelMatcher(namespaceSelector);
  const found = new Set(listed);
  for (const { metadata } of view.cache.list('Namespace')) if (selects(metadata.labels)) found.add(metadata.name);
  return found;
}

type Side = 'podAffinity' | 'podAntiAffinity';

export const requiredTerms = (affinity: Affinity | undefined, side: Side, namespace: string, view: SchedulerView): readonly Term[] =>
  affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution?.map((term) => compileTerm(term, namespace, view)) ?? NO_TERMS;

/** The preferred terms with weights; those of anti-affinity are negative. */
export function preferredTerms(
  affinity: Affinity | undefined,
  namespace: string,
  view: SchedulerView,
): readonly { readonly term: Term; readonly weight: number }[] {
  const of = (side: Side, sign: 1 | -1) =>
    (affinity?.[side]?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) => ({
      term: compileTerm(podAffinityTerm, namespace, view),
      weight: sign * weight,
    }));
  return [...of('podAffinity', 1), ...of('podAntiAffinity', -1)];
}

export const matchesAll = (terms: readonly Term[], pod: GroupView): boolean => terms.length > 0 && terms.every((term) => term.matches(pod));

const NO_TERMS: readonly Term[] = [];
const compiled = memo(new WeakMap<PodAffinityTerm, Map<string, Term>>());

/** A term of a pod in a namespace. Compiled once, unless it depends on the existing namespaces. */
function compileTerm(term: PodAffinityTerm, owner: string, view: SchedulerView): Term {
  if (term.namespaceSelector !== undefined) return makeTerm(term, owner, view);
  const byOwner = keptIn(compiled, term, () => new Map<string, Term>());
  return keptIn(byOwner, owner, () => makeTerm(term, owner, view));
}

function makeTerm(term: PodAffinityTerm, owner: string, view: SchedulerView): Term {
  const namespaces = namespacesOf(term, owner, view);
  const selects = labelMatcher(term.labelSelector);
  return {
    topologyKey: term.topologyKey,
    name: `${[...namespaces].sort(compareText).join('+')}/${selectorText(term.labelSelector)}`,
    matches: ({ namespace, labels }) => namespaces.has(namespace) && selects(labels),
  };
}

/**
 * The topology spread constraints of a pod, its own or the default ones, with their counts. Models: v1.24 plugins/podtopologyspread
 * common.go.
 */
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import { labelMatcher, type LabelMatcher } from '../../../../schema/values/index.ts';
import { createTally, type Tally } from '../tally.ts';
import type { SchedulerView } from '../view.ts';
import { selectorText } from './affinity-terms.ts';
import { likenessOf, type Likeness } from './default-spreading.ts';

export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number | undefined;
  readonly matches: LabelMatcher;
  /** Matching pods of the namespace, without terminating ones. */
  readonly tally: Tally;
}

const NOTHING: Tally = createTally(() => undefined);

/** The counts of a selector in a namespace. As in upstream, a selector that selects everything counts nothing. */
function tallyFor(namespace: string, { name, matches }: Likeness, view: SchedulerView): Tally {
  if (name === ':') return NOTHING;
  return view.groups.count(
    `spread ${namespace}/${name}`,
    (group) => group.namespace === namespace && !group.terminating && matches(group.labels),
  );
}

/** The pod's own constraints, hard or soft. */
export function ownConstraints(
  { spec, metadata }: Pod,
  how: 'DoNotSchedule' | 'ScheduleAnyway',
  view: SchedulerView,
): readonly Constraint[] {
  return (spec.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === how)
    .map(({ maxSkew, topologyKey, labelSelector, minDomains }) => {
      const matches = labelMatcher(labelSelector);
      return {
        maxSkew,
        topologyKey,
        minDomains,
        matches,
        tally: tallyFor(metadata.namespace ?? '', { name: selectorText(labelSelector), matches }, view),
      };
    });
}

/** The soft constraints of pods without any: maximum skew three per node, five per zone. */
export function defaultConstraints(pod: Pod, view: SchedulerView): readonly Constraint[] {
  const likeness = likenessOf(pod, view);
  if (likeness === undefined) return [];
  const tally = tallyFor(pod.metadata.namespace ?? '', likeness, view);
  const of = (topologyKey: string, maxSkew: number): Constraint => ({
    maxSkew,
    topologyKey,
    minDomains: undefined,
    matches: likeness.matches,
    tally,
  });
  return [of(view.names.key('', 'hostname'), 3), of(view.names.key('topology', 'zone'), 5)];
}

/** Whether a node has the labels of all constraints. */
export const hasAllKeys = (node: Node | undefined, constraints: readonly Constraint[]): boolean => {
  const labels = node?.metadata.labels;
  for (const { topologyKey } of constraints) if (labels?.[topologyKey] === undefined) return false;
  return true;
};

/**
 * The topology spread constraints of a pod, its own or the defaults (pods of the same service or owner are spread), and their domains with
 * the number of pods in each. Models: v1.24 plugins/podtopologyspread common.go, common.go, plugins/helper DefaultSelector;
 * plugins/podtopologyspread preFilterState.
 */
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import { labelMatcher, type LabelMatcher, compareText } from '../../../../schema/values/index.ts';
import { Tally, type ValueCounts } from '../pod-groups.ts';
import type { SchedulerView } from '../plugin.ts';
import { selectorText } from './affinity-terms.ts';
import { controllerOf, type LabelSelector } from '../../../../apiserver/machinery/index.ts';

export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number | undefined;
  readonly matches: LabelMatcher;
  /** Matching pods of the namespace, without terminating ones. */
  readonly tally: Tally;
}

const NOTHING: Tally = new Tally(() => undefined);

/** The counts of a selector in a namespace. As in upstream, a selector that selects everything counts nothing. */
function tallyFor(namespace: string, { name, matches }: Likeness, view: SchedulerView): Tally {
  if (name === ':') return NOTHING;
  return view.model.groups.count(
    `spread ${namespace}/${name}`,
    (group) => group.namespace === namespace && !group.terminating && matches(group.labels),
  );
}

export function ownConstraints(
  { spec: { topologySpreadConstraints = [] }, metadata }: Pod,
  how: 'DoNotSchedule' | 'ScheduleAnyway',
  view: SchedulerView,
): readonly Constraint[] {
  return topologySpreadConstraints
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

const NO_CONSTRAINTS: readonly Constraint[] = [];

/** The soft constraints of pods without any: maximum skew three per node, five per zone. */
export function defaultConstraints(pod: Pod, view: SchedulerView): readonly Constraint[] {
  const likeness = likenessOf(pod, view);
  if (likeness === undefined) return NO_CONSTRAINTS;
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

export const hasAllKeys = (node: Node | undefined, constraints: readonly Constraint[]): boolean => {
  const labels = node?.metadata.labels;
  for (const { topologyKey } of constraints) if (labels?.[topologyKey] === undefined) return false;
  return true;
};

type Labels = Readonly<Record<string, string>>;
interface Selecting {
  readonly spec?: { readonly selector?: unknown };
}

/** The pods to spread, with a text of everything that it depends on. */
interface Likeness {
  readonly name: string;
  readonly matches: LabelMatcher;
}

const selects = (selector: Labels, labels: Labels): boolean => {
  for (const key in selector) if (labels[key] !== selector[key]) return false;
  return true;
};

/** The labels by which services, and a ReplicationController that owns the pod, select it. */
function selectedBy({ metadata, metadata: { labels = {} } }: Pod, view: SchedulerView): Labels {
  const merged: Record<string, string> = {};
  for (const { spec } of view.cache.list('Service', metadata.namespace ?? '')) {
    const { selector } = spec;
    if (selector !== undefined && selects(selector, labels)) Object.assign(merged, selector);
  }
  const owner = controllerOf({ metadata });
  if (owner?.kind === 'ReplicationController' && owner.apiVersion === 'v1') {
    const controller = view.cache.get('ReplicationController', metadata.namespace, owner.name) as Selecting | undefined;
    Object.assign(merged, controller?.spec?.selector);
  }
  return merged;
}

function ownerSelector(pod: Pod, view: SchedulerView): LabelSelector | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined || !owner.apiVersion.startsWith('apps/') || (owner.kind !== 'ReplicaSet' && owner.kind !== 'StatefulSet'))
    return undefined;
  const found = view.cache.get(owner.kind, pod.metadata.namespace, owner.name) as Selecting | undefined;
  return found?.spec?.selector as LabelSelector | undefined;
}

/** The pods that a pod is spread with; undefined: nothing selects it. */
function likenessOf(pod: Pod, view: SchedulerView): Likeness | undefined {
  const labels = selectedBy(pod, view);
  const selector = ownerSelector(pod, view);
  const keys = Object.keys(labels).sort(compareText);
  if (keys.length === 0 && (selector === undefined || selectorText(selector) === ':')) return undefined;
  const bySelector = selector === undefined ? undefined : labelMatcher(selector);
  return {
    name: `${keys.map((key) => `${key}=${labels[key] ?? ''}`).join(',')}${selector === undefined ? '' : selectorText(selector)}`,
    matches: (other) => selects(labels, other ?? {}) && bySelector?.(other) !== false,
  };
}

/**
 * Matching pods by value of a constraint's key. Where all nodes count, these are the shared counts of the topology's values; otherwise the
 * values have their own. The first change makes a copy.
 */
export class Domains {
  private readonly values: ReadonlyMap<string, number>;
  private readonly shared: ValueCounts | undefined;
  private own: Map<string, number> | undefined;
  private smallest: number | undefined;

  constructor(values: ReadonlyMap<string, number>, shared?: ValueCounts) {
    this.values = values;
    this.shared = shared;
  }

  get size(): number {
    return this.values.size;
  }

  get(value: string): number {
    return (this.own ?? this.shared ?? this.values).get(value) ?? 0;
  }

  add(value: string, by: number): void {
    if (!this.values.has(value)) return;
    this.own ??= new Map([...this.values].map(([each, count]) => [each, this.shared?.get(each) ?? count]));
    this.own.set(value, (this.own.get(value) ?? 0) + by);
    this.smallest = undefined;
  }

  /** The smallest count; infinite without domains. */
  least(): number {
    if (this.own === undefined && this.shared !== undefined) return this.shared.least(this.values.size);
    if (this.smallest === undefined) {
      this.smallest = Infinity;
      for (const count of (this.own ?? this.values).values()) if (count < this.smallest) this.smallest = count;
    }
    return this.smallest;
  }

  clone(): Domains {
    return this.own === undefined ? new Domains(this.values, this.shared) : new Domains(new Map(this.own));
  }
}

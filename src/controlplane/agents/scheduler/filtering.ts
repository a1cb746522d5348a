/**
 * Filtering: the feasible nodes of a pod, by the filters of all plugins, over as many nodes as needed. Models: v1.24 pkg/scheduler
 * generic_scheduler findNodesThatFitPod, framework/runtime.
 */
import { memo } from '../../../engine/index.ts';
import type { Nominator } from './queue.ts';
import { cloneNodeInfo, addPod, type NodeInfo, type PodInfo } from './node-info.ts';
import type { NodeMemory } from './node-memory.ts';
import type { NodeFilter, NodeRefusal, Plugin, Refusal, RefusalCode, SchedulerView } from './plugin.ts';

export interface NamedFilter {
  readonly plugin: string;
  readonly filter: NodeFilter;
}

/** The filters for a pod; the first `local` of them belong to local plugins. */
export interface PodFilters {
  readonly filters: readonly NamedFilter[];
  readonly local: number;
  readonly onlyNodes: ReadonlySet<string> | undefined;
}

const RANK: Readonly<Record<RefusalCode, number>> = { unschedulable: 1, unresolvable: 2, error: 3 };

/** Whether a pod has what a plugin filters by. Most pods have none of it, so their plugins are not called. */
function has(what: Plugin['filtersBy'], { pod: { spec } }: PodInfo, { model, nominator }: SchedulerView): boolean {
  switch (what) {
    case undefined:
      return true;
    case 'volumes':
      return spec.volumes !== undefined && spec.volumes.length > 0;
    case 'spread':
      return spec.topologySpreadConstraints !== undefined && spec.topologySpreadConstraints.length > 0;
    case 'affinity':
      // A nominated pod may have terms of its own, which `add` applies later.
      return (
        spec.affinity?.podAffinity !== undefined ||
        spec.affinity?.podAntiAffinity !== undefined ||
        model.groups.hasHolders ||
        nominator.size > 0
      );
  }
}

/** Calls every plugin for its filter; the first plugin that refuses all nodes ends it. */
export function filtersFor(
  plugins: readonly Plugin[],
  pod: PodInfo,
  view: SchedulerView,
  offers: NodeMemory['offers'],
): PodFilters | NodeRefusal {
  const filters: NamedFilter[] = [];
  let onlyNodes: ReadonlySet<string> | undefined;
  let local = 0;
  for (let at = 0; at < plugins.length; at++) {
    const plugin = plugins[at];
    if (plugin?.filterFor === undefined || !has(plugin.filtersBy, pod, view)) continue;
    const filter = plugin.local === true ? offered(plugin, at, pod, view, offers) : plugin.filterFor(pod, view);
    if (filter === undefined) continue;
    if ('code' in filter) return { ...filter, plugins: [plugin.name] };
    if (filter.onlyNodes !== undefined) onlyNodes = filter.onlyNodes;
    if (plugin.local === true && local === filters.length) local++;
    filters.push({ plugin: plugin.name, filter });
  }
  return { filters, local, onlyNodes };
}

/** The filter of a local plugin, computed once for all pods of a spec. */
function offered(
  plugin: Plugin,
  at: number,
  pod: PodInfo,
  view: SchedulerView,
  offers: NodeMemory['offers'],
): NodeFilter | Refusal | undefined {
  let offer = offers[at];
  if (offer === undefined) offers[at] = offer = plugin.filterFor?.(pod, view) ?? null;
  return offer ?? undefined;
}

const alone = memo(new WeakMap<Refusal, NodeRefusal>());

/** The refusal of a plugin as a node's refusal; a plugin reuses its refusals for many nodes, so these are reused too. */
function refusedBy(plugin: string, refusal: Refusal): NodeRefusal {
  let made = alone.get(refusal);
  if (made === undefined) alone.set(refusal, (made = { ...refusal, plugins: [plugin] }));
  return made;
}

/** Combines two refusals of a node; the plugins with the more severe code are named. */
function both(a: NodeRefusal, b: NodeRefusal): NodeRefusal {
  const plugins = RANK[a.code] === RANK[b.code] ? [...a.plugins, ...b.plugins] : RANK[a.code] > RANK[b.code] ? a.plugins : b.plugins;
  return { code: RANK[b.code] > RANK[a.code] ? b.code : a.code, reasons: [...a.reasons, ...b.reasons], plugins };
}

export const checkNode = (filters: readonly NamedFilter[], node: NodeInfo): NodeRefusal | undefined =>
  checkSome(filters, 0, filters.length, node, undefined);

function checkSome(
  filters: readonly NamedFilter[],
  from: number,
  to: number,
  node: NodeInfo,
  before: NodeRefusal | undefined,
): NodeRefusal | undefined {
  let refusal = before;
  for (let i = from; i < to; i++) {
    const named = filters[i];
    const found = named?.filter.check(node);
    if (named !== undefined && found !== undefined)
      refusal = refusal === undefined ? refusedBy(named.plugin, found) : both(refusal, refusedBy(named.plugin, found));
  }
  return refusal;
}

/** The same for nodes by index; results of local plugins are cached. */
export function rememberingCheck(
  { filters, local }: PodFilters,
  memory: NodeMemory,
): (node: NodeInfo, at: number) => NodeRefusal | undefined {
  const compute = (node: NodeInfo): NodeRefusal | undefined => checkSome(filters, 0, local, node, undefined);
  if (local === filters.length) return (_node, at) => memory.refusal(at, compute);
  return (node, at) => checkSome(filters, local, filters.length, node, memory.refusal(at, compute));
}

/** The same with nominated pods of at least this priority counted on the node; the pod must also fit without them. */
export function checkWithNominated(
  filters: readonly NamedFilter[],
  node: NodeInfo,
  pod: PodInfo,
  nominator: Nominator,
): NodeRefusal | undefined {
  if (nominator.size > 0) {
    const promised = [...nominator.on(node.name)].filter((other) => other.priority >= pod.priority && other.uid !== pod.uid);
    if (promised.length > 0) {
      const imagined = cloneNodeInfo(node);
      const copies = cloneFilters(filters);
      for (const other of promised) {
        addPod(imagined, other);
        for (const { filter } of copies) filter.add?.(other, imagined);
      }
      const refusal = checkNode(copies, imagined);
      if (refusal !== undefined) return refusal;
    }
  }
  return checkNode(filters, node);
}

export const cloneFilters = (filters: readonly NamedFilter[]): readonly NamedFilter[] =>
  filters.map((named) => (named.filter.clone === undefined ? named : { ...named, filter: named.filter.clone() }));

const MIN_NODES = 100;
const MIN_PERCENT = 5;

/** The number of feasible nodes that is enough: all of few nodes, a decreasing percentage of many. */
export function enoughNodes(all: number): number {
  if (all < MIN_NODES) return all;
  const percent = Math.max(50 - Math.trunc(all / 125), MIN_PERCENT);
  return Math.max(Math.trunc((all * percent) / 100), MIN_NODES);
}

interface Feasible {
  readonly nodes: readonly NodeInfo[];
  readonly places: readonly number[];
}

/** Feasible nodes in the order in which they are found; refusals are added to `refused`. */
export function feasibleNodes(
  nodes: readonly NodeInfo[],
  startAt: number,
  check: (node: NodeInfo, at: number) => NodeRefusal | undefined,
  refused: Map<string, NodeRefusal>,
): Feasible {
  const enough = enoughNodes(nodes.length);
  // Allocated at full length: a growing array is copied several times.
  const found = new Array<NodeInfo>(enough);
  const places = new Array<number>(enough);
  let count = 0;
  let next = startAt;
  for (let i = 0; i < nodes.length && count < enough; i++) {
    const at = next;
    const node = nodes[at];
    if (++next >= nodes.length) next = 0;
    if (node === undefined) continue;
    const refusal = check(node, at);
    if (refusal !== undefined) {
      refused.set(node.name, refusal);
      continue;
    }
    found[count] = node;
    places[count++] = at;
  }
  found.length = count;
  places.length = count;
  return { nodes: found, places };
}

/** One attempt to find a node for a pod. Models: v1.24 pkg/scheduler generic_scheduler Schedule. */
import type { RandomStream } from '../../../engine/random.ts';
import { compareText } from '../../../schema/values/index.ts';
import { checkNode, checkWithNominated, feasibleNodes, filtersFor, rememberingCheck, type PodFilters } from './filtering.ts';
import type { NodeInfo, PodInfo } from './node-info.ts';
import { NodeMemory } from './node-memory.ts';
import type { NodeRefusal, Plugin, SchedulerView } from './plugin.ts';
import { pickBest, scoreNodes, type Recall } from './scoring.ts';

/** A node was found; `scores` unless there was only one feasible node. */
export interface Placed {
  readonly type: 'placed';
  readonly node: string;
  /** Its place among the feasible ones. */ readonly at: number;
  readonly visited: number;
  readonly feasible: readonly NodeInfo[];
  readonly scores: readonly number[] | undefined;
  /** The scenario states the node. */
  readonly isStated?: true;
}
/** No node was found; `filters` unless all nodes were refused at once. */
export interface Refused {
  readonly type: 'refused';
  readonly refused: ReadonlyMap<string, NodeRefusal>;
  readonly refusedBy: readonly string[];
  readonly filters: PodFilters | undefined;
}
export interface Failed {
  readonly type: 'failed';
  readonly message: string;
}
export type Placement = Placed | Refused | Failed;

interface Options {
  readonly plugins: readonly Plugin[];
  readonly view: SchedulerView;
  readonly random: RandomStream;
}

const refusedAll = (refusal: NodeRefusal, nodes: readonly NodeInfo[]): Placement =>
  refusal.code === 'error'
    ? { type: 'failed', message: `running PreFilter plugin "${refusal.plugins[0] ?? ''}": ${refusal.reasons.join(', ')}` }
    : { type: 'refused', refused: new Map(nodes.map(({ name }) => [name, refusal])), refusedBy: refusal.plugins, filters: undefined };

function checking({ filters }: PodFilters, pod: PodInfo, nominator: SchedulerView['nominator']) {
  if (nominator.size === 0) return (node: NodeInfo): NodeRefusal | undefined => checkNode(filters, node);
  return (node: NodeInfo): NodeRefusal | undefined => checkWithNominated(filters, node, pod, nominator);
}

/** The nodes of these names; or the name of one that is unknown. */
function named(names: Iterable<string>, view: SchedulerView): readonly NodeInfo[] | string {
  const nodes: NodeInfo[] = [];
  for (const name of names) {
    const node = view.node(name);
    if (node === undefined) return name;
    nodes.push(node);
  }
  return nodes;
}

export class Placer {
  private readonly options: Options;
  private readonly memory = new NodeMemory();
  /** The refusals of the present attempt. Most attempts have none, and leave the table to the next. */
  private refused = new Map<string, NodeRefusal>();
  /** The index at which the next round of filtering starts. */
  startsAt = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** `stated`: the node that is taken if it passes every filter. */
  place(pod: PodInfo, stated?: string): Placement {
    const { memory } = this;
    const { plugins, view } = this.options;
    const { nominator } = view;
    const all = view.nodes();
    memory.turnTo(pod.pod.spec, all, view.takeStale());
    const filters = filtersFor(plugins, pod, view, memory.offers);
    if ('code' in filters) return refusedAll(filters, all);
    const refused = this.refused.size === 0 ? this.refused : (this.refused = new Map<string, NodeRefusal>());
    const check = checking(filters, pod, nominator);
    // The nominated node is tried before any other.
    const { nominatedNodeName = '' } = pod.pod.status;
    const promised = nominatedNodeName === '' ? undefined : view.node(nominatedNodeName);
    if (promised !== undefined) {
      const refusal = check(promised);
      if (refusal === undefined) return this.choose(pod, [promised], 1);
      refused.set(promised.name, refusal);
    }
    const wanted = stated === undefined ? undefined : view.node(stated);
    if (wanted !== undefined && check(wanted) === undefined)
      return { type: 'placed', node: wanted.name, at: 0, visited: 1, feasible: [wanted], scores: undefined, isStated: true };
    const { onlyNodes } = filters;
    const candidates = onlyNodes === undefined ? all : named(onlyNodes, view);
    if (typeof candidates === 'string') return { type: 'failed', message: `nodeinfo not found for node name "${candidates}"` };
    const recalls = onlyNodes === undefined && nominator.size === 0 ? rememberingCheck(filters, memory) : check;
    const { nodes: feasible, places } = feasibleNodes(candidates, this.startsAt, recalls, refused);
    const visited = feasible.length + refused.size;
    this.startsAt = candidates.length === 0 ? 0 : (this.startsAt + visited) % candidates.length;
    if (refused.size > 0)
      for (const { code, reasons } of refused.values()) if (code === 'error') return { type: 'failed', message: reasons.join(', ') };
    if (feasible.length > 0) return this.choose(pod, feasible, visited, onlyNodes === undefined ? { memory, places } : undefined);
    const refusedBy = [...new Set([...new Set(refused.values())].flatMap((refusal) => refusal.plugins))].sort(compareText);
    this.refused = new Map();
    return { type: 'refused', refused, refusedBy, filters };
  }

  private choose(pod: PodInfo, feasible: readonly NodeInfo[], visited: number, recall?: Recall): Placement {
    const { plugins, view, random } = this.options;
    const [only] = feasible;
    if (feasible.length === 1 && only !== undefined)
      return { type: 'placed', node: only.name, at: 0, visited, feasible, scores: undefined };
    const scores = scoreNodes(plugins, pod, view, feasible, recall);
    const at = pickBest(scores, random);
    const best = feasible[at];
    return best === undefined
      ? { type: 'failed', message: 'empty priorityList' }
      : { type: 'placed', node: best.name, at, visited, feasible, scores };
  }
}

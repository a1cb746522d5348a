/**
 * Results of local plugins for each node, for the pods of one spec. Thousands of such pods are scheduled one after the other; each visits
 * hundreds of nodes and changes one. The results are in arrays by the node's index, because reading as many scattered objects takes longer.
 */
import type { PodSpec } from '../../../apiserver/machinery/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeFilter, NodeRefusal, Refusal } from './plugin.ts';

/** Whether all fields that local plugins may read are equal. */
const isEquivalent = (a: PodSpec, b: PodSpec): boolean =>
  a === b ||
  (a.containers === b.containers &&
    a.initContainers === b.initContainers &&
    a.overhead === b.overhead &&
    a.tolerations === b.tolerations &&
    a.nodeSelector === b.nodeSelector &&
    a.affinity === b.affinity &&
    a.nodeName === b.nodeName);

const CHECKED = 1;
const SCORED = 2;

export class NodeMemory {
  /** The filters of local plugins for pods of this spec, by the plugin's index; null: none. Filled in by the caller. */
  readonly offers: (NodeFilter | Refusal | null | undefined)[] = [];
  private of: PodSpec | undefined;
  private nodes: readonly NodeInfo[] = [];
  private readonly places = new Map<NodeInfo, number>();
  private known = new Uint8Array(0);
  private refusals: (NodeRefusal | undefined)[] = [];
  private scores = new Int32Array(0);

  /** Switches to pods of a spec; results for other specs, and for changed nodes, are dropped. */
  turnTo(spec: PodSpec, given: readonly NodeInfo[], changed: readonly NodeInfo[]): void {
    const isOther = this.of === undefined || !isEquivalent(this.of, spec);
    if (isOther) this.offers.length = 0;
    if (given !== this.nodes) {
      this.nodes = given;
      this.places.clear();
      for (const [at, node] of given.entries()) this.places.set(node, at);
      this.known = new Uint8Array(given.length);
      this.refusals = Array.from({ length: given.length });
      this.scores = new Int32Array(given.length);
    } else if (isOther) this.known.fill(0);
    else
      for (let which = 0; which < changed.length; which++) {
        const at = this.places.get(changed[which] as NodeInfo);
        if (at !== undefined) this.known[at] = 0;
      }
    this.of = spec;
  }
  refusal(at: number, compute: (node: NodeInfo) => NodeRefusal | undefined): NodeRefusal | undefined {
    const node = this.nodes[at];
    const flags = this.known[at] ?? 0;
    if ((flags & CHECKED) === 0 && node !== undefined) {
      this.refusals[at] = compute(node);
      this.known[at] = flags | CHECKED;
    }
    return this.refusals[at];
  }
  /** Scores are integers. */
  score(at: number, compute: (node: NodeInfo) => number): number {
    const node = this.nodes[at];
    const flags = this.known[at] ?? 0;
    if ((flags & SCORED) === 0 && node !== undefined) {
      this.scores[at] = compute(node);
      this.known[at] = flags | SCORED;
    }
    return this.scores[at] ?? 0;
  }
}

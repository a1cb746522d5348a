/**
 * Results of local plugins for each node, for the pods of one spec. Thousands of such pods are scheduled one after the other; each visits
 * hundreds of nodes and changes one. The results are in arrays by the node's index, because reading as many scattered objects takes longer.
 */
import type { PodSpec } from '../../../apiserver/machinery/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeRefusal, PreFilterResult } from './plugin.ts';

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

export type NodeMemory = ReturnType<typeof createNodeMemory>;

export function createNodeMemory() {
  let of: PodSpec | undefined;
  let nodes: readonly NodeInfo[] = [];
  const places = new Map<NodeInfo, number>();
  let known = new Uint8Array(0);
  let refusals: (NodeRefusal | undefined)[] = [];
  let scores = new Int32Array(0);
  /** The filters of local plugins for pods of this spec, by the plugin's index; null: none. Filled in by the caller. */
  const offers: (PreFilterResult | null | undefined)[] = [];

  return {
    offers,
    /** Switches to pods of a spec; results for other specs, and for changed nodes, are dropped. */
    turnTo(spec: PodSpec, given: readonly NodeInfo[], changed: readonly NodeInfo[]): void {
      if (of === undefined || !isEquivalent(of, spec)) offers.length = 0;
      if (given !== nodes) {
        nodes = given;
        places.clear();
        for (const [at, node] of given.entries()) places.set(node, at);
        known = new Uint8Array(given.length);
        refusals = Array.from({ length: given.length });
        scores = new Int32Array(given.length);
      } else if (of === undefined || !isEquivalent(of, spec)) known.fill(0);
      else
        for (let which = 0; which < changed.length; which++) {
          const at = places.get(changed[which] as NodeInfo);
          if (at !== undefined) known[at] = 0;
        }
      of = spec;
    },
    refusal(at: number, compute: (node: NodeInfo) => NodeRefusal | undefined): NodeRefusal | undefined {
      const node = nodes[at];
      const flags = known[at] ?? 0;
      if ((flags & CHECKED) === 0 && node !== undefined) {
        refusals[at] = compute(node);
        known[at] = flags | CHECKED;
      }
      return refusals[at];
    },
    /** Scores are integers. */
    score(at: number, compute: (node: NodeInfo) => number): number {
      const node = nodes[at];
      const flags = known[at] ?? 0;
      if ((flags & SCORED) === 0 && node !== undefined) {
        scores[at] = compute(node);
        known[at] = flags | SCORED;
      }
      return scores[at] ?? 0;
    },
  };
}

/** Nodes on which a pod of the set failed: the first is replaced at once, the next only after a while that doubles. Models: v1.24 client-go util/flowcontrol Backoff as pkg/controller/daemon uses it. */

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;
/** A node that has been well for so long begins anew. */
const FORGOTTEN_MS = 2 * LONGEST_MS;

interface NodeBackoff {
  readonly at: number;
  readonly delayMs: number;
}

/** By node; another generation of the set begins anew. */
export interface Backoffs {
  readonly generation: number;
  readonly nodes: Readonly<Record<string, NodeBackoff>>;
}

export const backoffsOf = (known: Backoffs | undefined, generation: number): Backoffs =>
  known?.generation === generation ? known : { generation, nodes: {} };

/** How long a sync now would put off a look at the node, milliseconds; undefined: its pod may be replaced. */
export function putOffMs({ nodes }: Backoffs, node: string, now: number): number | undefined {
  const last = recent(nodes[node], now);
  return last !== undefined && now - last.at < last.delayMs ? last.delayMs : undefined;
}

/** What is remembered when pods on these nodes are replaced now. */
export function afterFailures({ generation, nodes }: Backoffs, failed: readonly string[], now: number): Backoffs {
  const result: Record<string, NodeBackoff> = {};
  for (const [node, backoff] of Object.entries(nodes)) if (recent(backoff, now) !== undefined) result[node] = backoff;
  for (const node of failed) {
    const last = recent(nodes[node], now);
    result[node] = { at: now, delayMs: last === undefined ? FIRST_MS : Math.min(LONGEST_MS, last.delayMs * 2) };
  }
  return { generation, nodes: result };
}

const recent = (backoff: NodeBackoff | undefined, now: number): NodeBackoff | undefined =>
  backoff === undefined || now - backoff.at > FORGOTTEN_MS ? undefined : backoff;

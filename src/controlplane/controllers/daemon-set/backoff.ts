/**
 * Back-off of nodes on which a pod of the set failed: the first is replaced at once, the next only after a delay that doubles. Models:
 * v1.24 client-go util/flowcontrol Backoff as pkg/controller/daemon uses it. Nodes are kept in partitions, each with the time at which its
 * first node is due, so that a sync neither visits nor copies all nodes.
 */
import { accessors } from '../../../engine/index.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 15 * 60_000;
/** A node without failures for this long starts again at the shortest delay. */
const FORGOTTEN_MS = 2 * LONGEST_MS;
const PARTS = 256;

interface NodeBackoff {
  readonly at: number;
  readonly delayMs: number;
  /** Its pod has failed again, and is replaced later. */
  readonly waits: boolean;
}
type Nodes = ReadonlyMap<string, NodeBackoff>;

/** A partition of the nodes; with the earliest due time of its waiting nodes, and their shortest delay. */
interface Part {
  readonly nodes: Nodes;
  readonly dueAt: number;
  readonly leastMs: number;
}

/** The memory from sync to sync. A different set or generation starts with an empty one. */
export interface Backoffs {
  readonly uid: string;
  readonly generation: number;
  readonly parts: ReadonlyMap<number, Part>;
  /** Nodes whose failed pods the last sync replaced. */
  readonly replaced: readonly string[];
  /** The mark of the last sync. */
  readonly mark: Mark | undefined;
}

/** The remembered back-offs of a set, or empty ones for another set or generation. */
export const backoffsOf = (known: Backoffs | undefined, uid: string, generation: number): Backoffs =>
  known?.generation === generation && known.uid === uid ? known : { uid, generation, parts: new Map(), replaced: [], mark: undefined };

/** The back-offs during a sync. */
export interface BackoffDraft {
  /** How long the node has to wait since its last failure, milliseconds; undefined: its pod may be replaced now. */
  putOffMs(node: string): number | undefined;
  /** Sets whether the node has a failed pod that waits. */
  setWaiting(node: string, waits: boolean): void;
  replace(node: string): void;
  /** Nodes whose wait ends by then. */
  waitingUntil(due: number): readonly string[];
  /** The shortest wait; undefined: no node waits. */
  leastMs(): number | undefined;
  finished(mark: Mark): Backoffs;
}

/** The partition of a node: any deterministic hash of its name. */
function partOf(node: string): number {
  let hash = 0;
  for (let at = 0; at < node.length; at++) hash = (Math.imul(hash, 31) + node.charCodeAt(at)) >>> 0;
  return hash % PARTS;
}

const isRecent = ({ at }: NodeBackoff, now: number): boolean => now - at <= FORGOTTEN_MS;

function summed(nodes: Nodes): Part {
  let [dueAt, leastMs] = [Infinity, Infinity];
  for (const { at, delayMs, waits } of nodes.values())
    if (waits) {
      dueAt = Math.min(dueAt, at + delayMs);
      leastMs = Math.min(leastMs, delayMs);
    }
  return { nodes, dueAt, leastMs };
}

/** A mutable view of back-offs for one sync. */
export function draftOf(backoffs: Backoffs, now: number): BackoffDraft {
  const changed = new Map<number, Map<string, NodeBackoff>>();
  const replaced: string[] = [];
  const last = (node: string): NodeBackoff | undefined => {
    const part = partOf(node);
    const found = (changed.get(part) ?? backoffs.parts.get(part)?.nodes)?.get(node);
    return found !== undefined && isRecent(found, now) ? found : undefined;
  };
  const set = (node: string, backoff: NodeBackoff): void => {
    const part = partOf(node);
    let nodes = changed.get(part);
    if (nodes === undefined) changed.set(part, (nodes = new Map(backoffs.parts.get(part)?.nodes)));
    nodes.set(node, backoff);
  };
  const partsNow = (): Map<number, Part> => {
    const parts = new Map(backoffs.parts);
    for (const [part, all] of changed) {
      for (const [node, backoff] of all) if (!isRecent(backoff, now)) all.delete(node);
      if (all.size === 0) parts.delete(part);
      else parts.set(part, summed(all));
    }
    return parts;
  };
  return {
    putOffMs(node) {
      const backoff = last(node);
      return backoff !== undefined && now - backoff.at < backoff.delayMs ? backoff.delayMs : undefined;
    },
    setWaiting(node, waits) {
      const backoff = last(node);
      if (backoff !== undefined && backoff.waits !== waits) set(node, { ...backoff, waits });
    },
    replace(node) {
      const backoff = last(node);
      const delayMs = backoff === undefined ? FIRST_MS : Math.min(LONGEST_MS, backoff.delayMs * 2);
      set(node, { at: now, delayMs, waits: false });
      replaced.push(node);
    },
    waitingUntil(due) {
      const found: string[] = [];
      for (const { nodes, dueAt } of backoffs.parts.values())
        if (dueAt <= due) for (const [node, { at, delayMs, waits }] of nodes) if (waits && at + delayMs <= due) found.push(node);
      return found;
    },
    leastMs() {
      let least = Infinity;
      for (const { leastMs } of partsNow().values()) least = Math.min(least, leastMs);
      return least === Infinity ? undefined : least;
    },
    finished: (mark) => ({ ...backoffs, parts: partsNow(), replaced, mark }),
  };
}

const withSizeMark = accessors('size', 'mark');

/** Nodes where the only thing to do is to replace a failed pod, and which of them changed since when: a sync visits only those. */
export interface Failing {
  readonly size: number;
  has(node: string): boolean;
  /** The position of a node; earlier ones are lower. */
  place(node: string): number;
  /** Adds or removes a node. */
  turn(node: string, fails: boolean): void;
  /** The mark of this view at this moment; a later sync passes it to `since`. */
  readonly mark: Mark;
  /** Nodes that were added or removed since a mark; for an unknown mark all nodes. */
  since(mark: Mark | undefined): readonly string[];
}

/** A moment in the history of a view. */
interface Mark {
  /** The number of the view; 0: the view is not cached. */
  readonly view: number;
  readonly turns: number;
}

/** The number of recorded changes beyond the present number of nodes. */
const SPARE = 256;

/** An empty set, for the view with this number. */
export function createFailing(view: number): Failing {
  const places = new Map<string, number>();
  let turned: string[] = [];
  let forgotten = 0;
  let last = 0;
  return withSizeMark(
    {
      size: () => places.size,
      mark: () => ({ view, turns: forgotten + turned.length }),
    },
    {
      has: (node) => places.has(node),
      place: (node) => places.get(node) ?? 0,
      turn(node, fails) {
        if (fails) places.set(node, ++last);
        else places.delete(node);
        turned.push(node);
        if (turned.length <= 2 * (places.size + SPARE)) return;
        // Visiting all nodes costs no more than this many changes.
        forgotten += turned.length;
        turned = [];
      },
      since(mark) {
        if (mark === undefined || view === 0 || mark.view !== view || mark.turns < forgotten) return [...places.keys()];
        return turned.slice(mark.turns - forgotten);
      },
    },
  );
}

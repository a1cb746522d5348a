/**
 * Back-off of nodes on which a pod of the set failed: the first is replaced at once, the next only after a delay that doubles. Models:
 * v1.24 client-go util/flowcontrol Backoff as pkg/controller/daemon uses it. Nodes are kept in partitions, each with the time at which its
 * first node is due, so that a sync neither visits nor copies all nodes.
 */
import { keptIn } from '../../../schema/values/index.ts';

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
  readonly mark: Mark | undefined;
}

export const backoffsOf = (known: Backoffs | undefined, uid: string, generation: number): Backoffs =>
  known?.generation === generation && known.uid === uid ? known : { uid, generation, parts: new Map(), replaced: [], mark: undefined };

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

export class BackoffDraft {
  readonly #backoffs: Backoffs;
  readonly #now: number;
  readonly #changed = new Map<number, Map<string, NodeBackoff>>();
  readonly #replaced: string[] = [];

  constructor(backoffs: Backoffs, now: number) {
    this.#backoffs = backoffs;
    this.#now = now;
  }
  /** How long the node has to wait since its last failure, milliseconds; undefined: its pod may be replaced now. */
  putOffMs(node: string): number | undefined {
    const backoff = this.#last(node);
    return backoff !== undefined && this.#now - backoff.at < backoff.delayMs ? backoff.delayMs : undefined;
  }
  /** Sets whether the node has a failed pod that waits. */
  setWaiting(node: string, waits: boolean): void {
    const backoff = this.#last(node);
    if (backoff !== undefined && backoff.waits !== waits) this.#set(node, { ...backoff, waits });
  }
  replace(node: string): void {
    const backoff = this.#last(node);
    const delayMs = backoff === undefined ? FIRST_MS : Math.min(LONGEST_MS, backoff.delayMs * 2);
    this.#set(node, { at: this.#now, delayMs, waits: false });
    this.#replaced.push(node);
  }
  /** Nodes whose wait ends by then. */
  waitingUntil(due: number): readonly string[] {
    const found: string[] = [];
    for (const { nodes, dueAt } of this.#backoffs.parts.values())
      if (dueAt <= due) for (const [node, { at, delayMs, waits }] of nodes) if (waits && at + delayMs <= due) found.push(node);
    return found;
  }
  /** The shortest wait; Infinity: no node waits. */
  leastMs(): number {
    return Math.min(Infinity, ...[...this.#parts().values()].map(({ leastMs }) => leastMs));
  }
  finished(mark: Mark): Backoffs {
    return { ...this.#backoffs, parts: this.#parts(), replaced: this.#replaced, mark };
  }

  #last(node: string): NodeBackoff | undefined {
    const part = partOf(node);
    const found = (this.#changed.get(part) ?? this.#backoffs.parts.get(part)?.nodes)?.get(node);
    return found !== undefined && isRecent(found, this.#now) ? found : undefined;
  }
  #set(node: string, backoff: NodeBackoff): void {
    const part = partOf(node);
    keptIn(this.#changed, part, () => new Map(this.#backoffs.parts.get(part)?.nodes)).set(node, backoff);
  }
  #parts(): Map<number, Part> {
    const parts = new Map(this.#backoffs.parts);
    for (const [part, all] of this.#changed) {
      for (const [node, backoff] of all) if (!isRecent(backoff, this.#now)) all.delete(node);
      if (all.size === 0) parts.delete(part);
      else parts.set(part, summed(all));
    }
    return parts;
  }
}

/** A moment in the history of a view. */
interface Mark {
  /** The number of the view; 0: the view is not cached. */
  readonly view: number;
  readonly turns: number;
}

/** The number of recorded changes beyond the present number of nodes. */
const SPARE = 256;

/** Nodes where the only thing to do is to replace a failed pod, and which of them changed since when: a sync visits only those. */
export class Failing {
  readonly #view: number;
  readonly #places = new Map<string, number>();
  #turned: string[] = [];
  #forgotten = 0;
  #last = 0;

  constructor(view: number) {
    this.#view = view;
  }
  has(node: string): boolean {
    return this.#places.has(node);
  }
  /** The position of a node; earlier ones are lower. */
  place(node: string): number {
    return this.#places.get(node) ?? 0;
  }
  turn(node: string, fails: boolean): void {
    if (fails) this.#places.set(node, ++this.#last);
    else this.#places.delete(node);
    this.#turned.push(node);
    if (this.#turned.length <= 2 * (this.#places.size + SPARE)) return;
    // Visiting all nodes costs no more than this many changes.
    this.#forgotten += this.#turned.length;
    this.#turned = [];
  }
  /** The mark of this view at this moment; a later sync passes it to `since`. */
  get mark(): Mark {
    return { view: this.#view, turns: this.#forgotten + this.#turned.length };
  }
  /** Nodes that were added or removed since a mark; for an unknown mark all nodes. */
  since(mark: Mark | undefined): readonly string[] {
    if (mark === undefined || this.#view === 0 || mark.view !== this.#view || mark.turns < this.#forgotten) return [...this.#places.keys()];
    return this.#turned.slice(mark.turns - this.#forgotten);
  }
}

/** Nodes where the only thing to do is to replace a failed pod, and which of them changed since when: a sync visits only those. */
import { accessors } from '../../../engine/index.ts';

const withSizeMark = accessors('size', 'mark');

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
export interface Mark {
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

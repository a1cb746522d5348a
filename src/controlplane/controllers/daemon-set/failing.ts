/** Nodes where a pod has failed and nothing else is to be done, and which of them changed since when: a sync asks for those alone. */
import { accessors } from '../../../engine/index.ts';

const withSizeMark = accessors('size', 'mark');

export interface Failing {
  readonly size: number;
  has(node: string): boolean;
  /** Those that came earlier have a lower one. */
  place(node: string): number;
  /** A node becomes one of them, or is none any more. */
  turn(node: string, fails: boolean): void;
  /** What tells this view and moment from others; a later sync asks what changed since. */
  readonly mark: Mark;
  /** Nodes that have become one of them or ceased to be since then; of a moment that is not known all that are. */
  since(mark: Mark | undefined): readonly string[];
}

/** A moment in the life of a view. */
export interface Mark {
  /** By which views of a set differ; 0: the view is not kept. */
  readonly view: number;
  readonly turns: number;
}

/** Changes that are remembered beside the current count nodes. */
const SPARE = 256;

/** None, for the view of this number. */
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
        // Then going through all of them is no dearer.
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

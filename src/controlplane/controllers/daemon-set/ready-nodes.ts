/** Nodes by how long their pod has been ready, so that counting available pods visits only the others. */
import { placeAmong } from '../../../schema/values/index.ts';
import { accessors } from '../../../engine/index.ts';

const withSizeReady = accessors('size', 'ready');

export interface ReadyNodes {
  readonly size: number;
  /** Nodes whose pod is ready, for any time. */
  readonly ready: number;
  /** @param since when its pod became ready, milliseconds since the epoch; Infinity: its status has no time; undefined: it is not ready. */
  add(node: string, since: number | undefined): void;
  remove(node: string, since: number | undefined): void;
  /** The number of nodes whose pod has been ready for longer than that, milliseconds. */
  available(minReadyMs: number, now: number): number;
  /** At most so many of these nodes, the longest ready first. */
  oldest(minReadyMs: number, now: number, most: number): readonly string[];
  /** All other nodes. */
  lacking(minReadyMs: number, now: number): readonly string[];
  /** The nodes as plain data. */
  describe(): unknown;
}

/** No nodes. */
export function createReadyNodes(): ReadyNodes {
  const unready = new Set<string>();
  const bySince = new Map<number, Set<string>>();
  /** In ascending order; pods become ready in order of time, so new entries nearly always go to the end. */
  const times: number[] = [];
  let ready = 0;

  /** Times from this index on are too recent; without a minimum none is. */
  const tooShort = (minReadyMs: number, now: number): number => (minReadyMs === 0 ? times.length : placeAmong(times, now - minReadyMs));
  const at = (index: number): ReadonlySet<string> => bySince.get(times[index] ?? 0) ?? new Set();

  return withSizeReady(
    {
      size: () => unready.size + ready,
      ready: () => ready,
    },
    {
      add(node, since) {
        if (since === undefined) {
          unready.add(node);
          return;
        }
        let nodes = bySince.get(since);
        if (nodes === undefined) {
          bySince.set(since, (nodes = new Set()));
          times.splice(placeAmong(times, since), 0, since);
        }
        nodes.add(node);
        ready++;
      },
      remove(node, since) {
        if (since === undefined) {
          unready.delete(node);
          return;
        }
        const nodes = bySince.get(since);
        if (nodes?.delete(node) !== true) return;
        ready--;
        if (nodes.size > 0) return;
        bySince.delete(since);
        times.splice(placeAmong(times, since), 1);
      },
      available(minReadyMs, now) {
        let count = ready;
        for (let index = tooShort(minReadyMs, now); index < times.length; index++) count -= at(index).size;
        return count;
      },
      oldest(minReadyMs, now, most) {
        const found: string[] = [];
        const end = tooShort(minReadyMs, now);
        for (let index = 0; index < end && found.length < most; index++)
          for (const node of at(index)) {
            if (found.length === most) break;
            found.push(node);
          }
        return found;
      },
      lacking(minReadyMs, now) {
        const found = [...unready];
        for (let index = tooShort(minReadyMs, now); index < times.length; index++) found.push(...at(index));
        return found;
      },
      describe: () => [unready, bySince],
    },
  );
}

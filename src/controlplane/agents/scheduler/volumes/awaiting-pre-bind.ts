/** Pods that have a node and wait for their claims (PreBind), by pod and by claim. */
import type { WaitingForVolumes } from './prebind.ts';
import { withSize } from '../../../../engine/index.ts';

export interface AwaitingPreBind {
  readonly size: number;
  get(key: string): WaitingForVolumes | undefined;
  add(waiting: WaitingForVolumes): void;
  remove(key: string): void;
  /** The pods that wait for a claim. */
  waitingFor(claim: string): readonly WaitingForVolumes[];
  /** The waiting pods as plain data. */
  describe(): unknown;
}

const NONE: readonly WaitingForVolumes[] = [];

/** No waiting pods. */
export function createAwaitingPreBind(): AwaitingPreBind {
  const pods = new Map<string, WaitingForVolumes>();
  const byClaim = new Map<string, Set<WaitingForVolumes>>();
  return withSize(
    { size: () => pods.size },
    {
      get: (key) => pods.get(key),
      add(waiting) {
        pods.set(waiting.info.key, waiting);
        for (const claim of waiting.claims.keys()) {
          const there = byClaim.get(claim);
          if (there === undefined) byClaim.set(claim, new Set([waiting]));
          else there.add(waiting);
        }
      },
      remove(key) {
        const waiting = pods.get(key);
        if (waiting === undefined) return;
        pods.delete(key);
        for (const claim of waiting.claims.keys()) {
          const there = byClaim.get(claim);
          there?.delete(waiting);
          if (there?.size === 0) byClaim.delete(claim);
        }
      },
      waitingFor: (claim) => {
        const there = byClaim.get(claim);
        return there === undefined ? NONE : [...there];
      },
      describe: () => pods,
    },
  );
}

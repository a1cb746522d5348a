/** What whoever drives a cluster has planned: a pending event names it by number. */
import type { Kernel } from '../../engine/index.ts';
import type { Tell } from './described.ts';
import type { ClusterEvent } from './pending.ts';

interface Planned {
  readonly act: (causes: readonly number[]) => void;
  /** All that it will do, with its label, as plain data. */
  readonly what: unknown;
}

export interface Operations {
  plan(at: number, label: string, act: (causes: readonly number[]) => void, what: unknown): void;
  /** The one that a pending event names is due. */
  run(id: number, causes: readonly number[]): void;
  /** Tells of each in its order. */
  describe(tell: Tell): void;
}

/** Nothing planned. */
export function createOperations(kernel: Kernel<ClusterEvent>): Operations {
  const planned = new Map<number, Planned>();
  let last = 0;
  return {
    plan(at, label, act, what) {
      const id = ++last;
      planned.set(id, { act, what });
      kernel.schedule(at, { type: 'operation', id, label });
    },
    run(id, causes) {
      const found = planned.get(id);
      planned.delete(id);
      found?.act(causes);
    },
    describe(tell) {
      let nth = 0;
      for (const { event, at } of kernel.pending())
        if (event.type === 'operation') tell(`operation ${++nth}`, [at, event.label, planned.get(event.id)?.what]);
    },
  };
}

/** Operations: functions that the driver of a cluster has planned. A pending event names each by number. */
import type { Kernel } from '../../engine/index.ts';
import type { ReportPart } from './described.ts';
import type { ClusterEvent } from './pending.ts';

interface Planned {
  readonly act: (causes: readonly number[]) => void;
  /** A complete description of the operation and its label, as plain data. */
  readonly what: unknown;
}

export interface Operations {
  plan(at: number, label: string, act: (causes: readonly number[]) => void, what: unknown): void;
  /** Runs the operation that a due event names. */
  run(id: number, causes: readonly number[]): void;
  /** Reports each operation, in order. */
  describe(report: ReportPart): void;
}

/** No operations yet. */
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
    describe(report) {
      let nth = 0;
      for (const { event, at } of kernel.pending())
        if (event.type === 'operation') report(`operation ${++nth}`, [at, event.label, planned.get(event.id)?.what]);
    },
  };
}

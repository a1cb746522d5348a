/** Machines that must not change while a decision is made: agents decide from the state of a machine, and act afterwards. */
import { createWorld, type Machine, type World } from '../../src/controlplane/agents/index.ts';

export interface FrozenWorld {
  readonly world: World;
  /** Runs a decision, during which every change of a machine is an error. */
  guard<Result>(decide: () => Result): Result;
}

export function frozenWorld(leastStartMs: number): FrozenWorld {
  const inner = createWorld(leastStartMs);
  let deciding = false;
  const allow = (action: string): void => {
    if (deciding) throw new Error(`a decision does '${action}' to a machine; list it among the actions of the outcome`);
  };
  const guarded = (machine: Machine): Machine => ({
    ...machine,
    run: (uid) => {
      const run = machine.run(uid);
      return run === undefined ? undefined : Object.freeze(run);
    },
    put(uid, run) {
      allow('put');
      machine.put(uid, run);
    },
    use(uid, volumes) {
      allow('use');
      machine.use(uid, volumes);
    },
    forget(uid, at) {
      allow('forget');
      machine.forget(uid, at);
    },
  });
  const machines = new Map<string, Machine>();
  return {
    world: {
      begins: undefined,
      unthrottled: new Set(),
      shared: {},
      evictionOf: () => undefined,
      describe: () => undefined,
      insideOf: () => undefined,
      runOf: () => undefined,
      contents: () => undefined,
      machine(node) {
        const machine = machines.get(node) ?? guarded(inner.machine(node));
        machines.set(node, machine);
        return machine;
      },
    },
    guard(decide) {
      deciding = true;
      try {
        return decide();
      } finally {
        deciding = false;
      }
    },
  };
}

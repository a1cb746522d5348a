/** Controllers with a planted bug: the real controller with a changed input, or with changed writes. */
import type { KindRegistry } from '../../src/apiserver/kinds/index.ts';
import { controllers, type ControllerOptions } from '../../src/controlplane/controllers/index.ts';
import type { Controller, Outcome, ReconcileInput, Write } from '../../src/controlplane/runtime/index.ts';

type Input<Self> = ReconcileInput<Self>;

/** Returns the controller with a changed object (or other input). */
export function seeing<Self>(of: unknown, change: (input: Input<Self>) => object): Controller {
  const real = of as Controller;
  const changed = (input: object): never => change(input as Input<Self>) as never;
  return { ...real, reconcile: (input) => real.reconcile(changed(input)) };
}

/** Returns the controller with some of its writes changed, doubled or dropped. */
export function writing<Self>(of: unknown, change: (write: Write, input: Input<Self>) => Write | readonly Write[] | undefined): Controller {
  const real = of as Controller;
  const changed = (outcome: Outcome, input: object): Outcome => ({
    ...outcome,
    writes: outcome.writes.flatMap((write) => change(write, input as Input<Self>) ?? []),
  });
  return {
    ...real,
    reconcile: (input) => changed(real.reconcile(input), input),
    resume: (input, answer) => changed(real.resume?.(input, answer) ?? { why: 'nothing is left', writes: [] }, input),
    recover: (input, failure) => {
      const next = real.recover?.(input, failure);
      return next === undefined ? undefined : changed(next, input);
    },
  };
}

/** Returns the controller that writes nothing, and clears its memory, in place of some writes. */
export function idleInsteadOf(of: unknown, avoids: (write: Write) => boolean): Controller {
  const real = of as Controller;
  return {
    ...real,
    reconcile: (input) => {
      const outcome = real.reconcile(input);
      return outcome.writes.some(avoids) ? { why: 'planted bug: no write', writes: [], memory: null } : outcome;
    },
  };
}

/** Returns all registered controllers, with the mutant in place of its original. */
export const withMutant =
  (mutant: Controller | undefined) =>
  (kinds: KindRegistry, options?: ControllerOptions): readonly Controller[] =>
    controllers(kinds, options).map((each) => (each.name === mutant?.name ? mutant : each));

/** Changes the status that a write stores; other writes are unchanged. */
export const inStatus =
  (change: (status: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) =>
  (write: Write): Write =>
    write.op === 'update' && write.subresource === 'status'
      ? { ...write, object: { ...write.object, status: change((write.object['status'] ?? {}) as Readonly<Record<string, unknown>>) } }
      : write;

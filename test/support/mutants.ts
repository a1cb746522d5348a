/** Controllers with a bug planted: the real one, shown something else than there is, or writing something else than it decided. */
import type { KindRegistry } from '../../src/apiserver/kinds/index.ts';
import { controllers } from '../../src/controlplane/controllers/index.ts';
import type { Controller, Outcome, ReconcileInput, Write } from '../../src/controlplane/runtime/index.ts';

type Input<Self> = ReconcileInput<Self>;

/** The controller, given another object (or more of its input changed) to decide about. */
export function seeing<Self>(of: unknown, change: (input: Input<Self>) => object): Controller {
  const real = of as Controller;
  const changed = (input: object): never => change(input as Input<Self>) as never;
  return { ...real, reconcile: (input) => real.reconcile(changed(input)) };
}

/** The controller, some of its writes changed, doubled or left out, whenever it decides. */
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

/** The controller, idle and forgetful whenever it should make a write of some sort. */
export function idleInsteadOf(of: unknown, avoids: (write: Write) => boolean): Controller {
  const real = of as Controller;
  return {
    ...real,
    reconcile: (input) => {
      const outcome = real.reconcile(input);
      return outcome.writes.some(avoids) ? { why: 'it looks away', writes: [], memory: null } : outcome;
    },
  };
}

/** All registered controllers, the mutant in the place of its original. */
export const withMutant =
  (mutant: Controller | undefined) =>
  (kinds: KindRegistry): readonly Controller[] =>
    controllers(kinds).map((each) => (each.name === mutant?.name ? mutant : each));

/** The status that a write stores, changed; other writes stay as they are. */
export const inStatus =
  (change: (status: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) =>
  (write: Write): Write =>
    write.op === 'update' && write.subresource === 'status'
      ? { ...write, object: { ...write.object, status: change((write.object['status'] ?? {}) as Readonly<Record<string, unknown>>) } }
      : write;

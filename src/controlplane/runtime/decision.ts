/** Calls controllers for decisions, and limits the number of decisions at one instant. */
import { LimitTripped } from '../../engine/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Outcome } from './contract.ts';
import type { KeyState } from './key-state.ts';
import type { RuntimeState } from './runtime-state.ts';
import { expectationsSatisfied } from './expectations.ts';
import type { Running } from './process.ts';

const GONE: Outcome = { why: 'it is gone', writes: [] };

/** The input of a decision about a key. */
export function inputOf(
  { context, renewalInterval }: RuntimeState,
  { process, controller, state: component, random }: Running,
  state: KeyState,
) {
  const elapsed = context.kernel.now;
  // Without skew both clocks share one number: a sum would be allocated anew.
  const now = state.decidedAt ?? (process.skewMs === 0 ? elapsed : elapsed + process.skewMs);
  return {
    key: state.key,
    self: controller.reconciles === undefined ? undefined : process.cache.byKey(controller.reconciles, state.key),
    now,
    elapsed,
    wall: now,
    names: context.names,
    gates: process.spec.gates ?? context.gates,
    rules: context.rules,
    cache: process.cache,
    memory: state.memory,
    state: component,
    expectationsSatisfied: expectationsSatisfied(state),
    failures: state.failures,
    random,
    process: process.spec.name,
    renewalInterval,
  };
}

/** Returns the controller's decision about a key. */
export function decide(runtimeState: RuntimeState, running: Running, state: KeyState): Outcome {
  const { controller } = running;
  const input = inputOf(runtimeState, running, state);
  // A controller without `reconciles` is called without an object, as its contract says.
  if (input.self !== undefined || controller.reconciles === undefined)
    return controller.reconcile(input as typeof input & { readonly self: ApiObject });
  state.memory = undefined;
  return controller.reconcileAbsent?.(input) ?? GONE;
}

/** Counts a decision. Too many about one key at one instant end the run with an error that names the controller and its last reason. */
export function guardAgainstLoops({ context, lastWhys }: RuntimeState, { controller }: Running, state: KeyState): void {
  const { kernel, sameInstantLimit } = context;
  if (state.loopsAt !== kernel.now) {
    state.loopsAt = kernel.now;
    state.loops = 0;
  }
  if (++state.loops > sameInstantLimit) {
    throw new LimitTripped(
      'sameInstant',
      `${controller.name} reconciled ${state.key} ${state.loops} times at one instant; last why: ${lastWhys.get(state) ?? 'unknown'}`,
      controller.name,
    );
  }
}

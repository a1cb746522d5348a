/**
 * Calls controllers for decisions, and limits the number of decisions at one instant; whether a process's caches show what a key has
 * written; and waits by a monotonic clock. Go's timers, and instants that a program keeps for itself, use monotonic time: when the wall
 * clock is set back they are neither late nor early. Only the times in objects are compared with the wall clock. Models: v1.24
 * pkg/controller expectations, with revisions instead of counts.
 */
import { LimitTripped, type Pending } from '../../engine/index.ts';
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import type { Outcome, Write } from './outcome.ts';
import type { ClusterEvent } from './pending.ts';
import type { Process, Running } from './process.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { KeyState } from './work-queue.ts';
import type { Store } from '../../apiserver/store/index.ts';

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
    kinds: context.kinds,
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

/** Asks the strategy about a decision. Whether it is made now; false: it is postponed, or its process crashed. */
export function isDecidedNow(runtimeState: RuntimeState, running: Running, keyId: number, pending: Pending<ClusterEvent>): boolean {
  const { points, held, context } = runtimeState;
  const { process, controller, queue } = running;
  const state = points === undefined || held.delete(pending) ? undefined : queue.at(keyId);
  if (state === undefined) return true;
  const verdict = points?.decide({ process: process.spec.name, controller: controller.name, key: state.key });
  if (verdict === undefined) return true;
  if ('hold' in verdict) {
    held.add(pending);
    context.kernel.postpone(pending, context.kernel.now + verdict.hold);
    return false;
  }
  // The key leaves the queue first, because a crash cancels all that is still waiting.
  queue.begin(keyId);
  runtimeState.crash(process, pending.causes);
  return false;
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

/** The kind whose cache must show this write before expectations are satisfied; undefined: none. */
function awaitedKind(write: Write): string | undefined {
  switch (write.op) {
    case 'create':
      return write.object.kind;
    case 'delete':
      return write.kind;
    case 'patch':
      return write.awaited === true ? write.kind : undefined;
    case 'update':
      return write.awaited === true ? write.object.kind : undefined;
    default:
      return undefined;
  }
}

/** Records the revision of a write as an expectation. */
export function remember(store: Store, process: Process, state: KeyState, write: Write, object: ApiObject | undefined): void {
  const kind = awaitedKind(write);
  const stream = kind === undefined ? undefined : process.streams.get(kind);
  if (kind === undefined || stream === undefined) return;
  // A deletion (also the removal of the last finalizer) returns a Status, or the object as it was before: its revision is the store's.
  const left =
    object === undefined ||
    write.op === 'delete' ||
    (write.op !== 'create' && store.get(kind, keyOf(object))?.metadata.uid !== object.metadata.uid);
  const revision = left ? store.revision : Number(object.metadata.resourceVersion);
  const { expectations } = state;
  if (expectations === undefined) {
    state.expectations = [{ stream, revision }];
    return;
  }
  for (const known of expectations)
    if (known.stream === stream) {
      known.revision = Math.max(revision, known.revision);
      return;
    }
  expectations.push({ stream, revision });
}

/** Whether the caches show everything that the key created or deleted. */
function expectationsSatisfied(state: KeyState): boolean {
  if (state.expectations === undefined) return true;
  for (const { stream, revision } of state.expectations) if (stream.seenRevision < revision) return false;
  state.expectations = undefined;
  return true;
}

/**
 * Releases keys whose expectations are satisfied. Most of them belong to deleted objects, which nothing reconciles again, so their state
 * would be held indefinitely.
 */
export function release({ queue, awaiting: line }: Running, state: KeyState): void {
  if (state.expectations !== undefined) line.keys.push(state);
  for (let first = line.keys[line.head]; first !== undefined && expectationsSatisfied(first); first = line.keys[++line.head])
    queue.rest(first);
  if (line.head > 64 && line.head * 2 > line.keys.length) {
    line.keys = line.keys.slice(line.head);
    line.head = 0;
  }
}

interface Clocks {
  readonly now: number;
  readonly elapsed: number;
  readonly wall: number;
}

/**
 * Wraps the hook of a controller so that its `now` is elapsed time, as are the instants that it remembers and its `wakeAt`; `wall` is the
 * process's wall clock, for times written into objects.
 */
export function onElapsed<I extends Clocks, R extends [] | [unknown], O extends Outcome | undefined>(
  decide: (input: I, ...rest: R) => O,
): (input: I, ...rest: R) => O {
  // Two parameters instead of a rest parameter, which would allocate a list for each decision.
  const decideOn = decide as never as (input: I, answer?: unknown) => O;
  const hook = (input: I, answer?: unknown): O => {
    const { wall, elapsed } = input;
    if (wall === elapsed) return decideOn(input, answer);
    const outcome = decideOn({ ...input, now: elapsed }, answer);
    return outcome?.wakeAt === undefined ? outcome : { ...outcome, wakeAt: outcome.wakeAt + wall - elapsed };
  };
  return hook;
}

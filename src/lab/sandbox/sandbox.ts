/**
 * The sandbox of what a user defines: an exception, a return value that is no outcome, an undeclared write or read, and a use of the host
 * become findings with a position.
 */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { idle, watchOnly, withHandledKinds } from '../../controlplane/runtime/index.ts';
import type { CacheView, Controller, Outcome, Watch } from '../../controlplane/runtime/index.ts';
import { present } from '../../schema/values/index.ts';
import type { Fault } from '../faults/index.ts';
import { type Checker, type Facts, type Invariant, withExercised } from '../invariants/index.ts';
import { declaredView, outcomeProblem } from './contract.ts';
import { HostUse, withoutHost } from './host.ts';

/** A violation by a user's controller, as it is reported to the run. */
export interface ControllerFault {
  readonly controller: Controller;
  /** The key of the decision, where there is one. */
  readonly key: string | undefined;
  readonly message: string;
  readonly detail: readonly string[];
  readonly thrown?: unknown;
}

export function inSandbox(controller: Controller, kinds: KindRegistry, report: (fault: ControllerFault) => void): Controller {
  const guard: Guard = (hook, key, instead, act) => {
    const ended = withoutHost(act);
    if ('answer' in ended) return ended.answer;
    const { thrown } = ended;
    const message = messageOf(thrown, hook);
    report({ controller, key, message, detail: hintOn(thrown), thrown });
    return instead(message);
  };
  const checked = (hook: string, { key, now }: Asked, outcome: Outcome): Outcome => {
    const problem = outcomeProblem(outcome, { kinds, writes: controller.writes, now });
    if (problem === undefined) {
      freezeWhole(outcome.writes, new Set());
      return outcome;
    }
    const message = `its ${hook} ${problem}`;
    report({ controller, key, message, detail: [] });
    return idle(message);
  };
  const decided: Decided = (hook, asked, act) => guard(hook, asked.key, idle, () => checked(hook, asked, act()));
  const seeing = seeingBy(declaredView(controller));
  const watched: Controller = { ...controller, ...decisions(controller, decided, seeing), ...upkeep(controller, guard, seeing) };
  originals.set(watched, controller);
  return watched;
}

const originals = new WeakMap<object, Controller>();

export const outOfSandbox = (controller: Controller): Controller => originals.get(controller) ?? controller;

/** The part of an input that identifies the decision. */
interface Asked {
  readonly key: string;
  readonly now: number;
}

type Decided = (hook: string, asked: Asked, act: () => Outcome) => Outcome;

/** Returns an input or context with the declared view of its cache. */
type Seeing = <I extends { readonly cache: CacheView }>(input: I) => I;

const seeingBy =
  (view: (cache: CacheView) => CacheView): Seeing =>
  (input) => ({ ...input, cache: view(input.cache) });

const messageOf = (thrown: unknown, hook: string): string =>
  thrown instanceof HostUse
    ? `it used ${thrown.what} in ${hook}`
    : `it threw in ${hook}: ${thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)}`;

/** Hooks that a controller may leave out. */
type Hooks = { readonly [K in keyof Controller]?: Controller[K] | undefined };

function decisions(controller: Controller, decided: Decided, seeing: Seeing) {
  const { reconcile, reconcileAbsent, resume, recover } = controller;
  return present<Hooks>({
    reconcile: (input) => decided('reconcile', input, () => reconcile.call(controller, seeing(input))),
    reconcileAbsent:
      reconcileAbsent && ((input) => decided('reconcileAbsent', input, () => reconcileAbsent.call(controller, seeing(input)))),
    resume: resume && ((input, answer) => decided('resume', input, () => resume.call(controller, seeing(input), answer))),
    recover:
      recover &&
      ((input, failure) => {
        let none = false;
        const outcome = decided('recover', input, () => {
          const answer = recover.call(controller, seeing(input), failure);
          none = answer === undefined;
          return answer ?? idle('it leaves the failure alone');
        });
        return none ? undefined : outcome;
      }),
  });
}

type Guard = <T>(hook: string, key: string | undefined, instead: (message: string) => T, act: () => T) => T;

function upkeep(controller: Controller, guard: Guard, seeing: Seeing) {
  const { observe, start, startKeys, stop, act, watches, self } = controller;
  const nothing = (): undefined => undefined;
  const noKeys = (): readonly never[] => [];
  const mapped = (watch: Watch): Watch => {
    const { kind, enqueue } = watch;
    if (enqueue === undefined || enqueue === watchOnly) return watch;
    return {
      ...watch,
      enqueue: (delta, context) => guard(`enqueue of ${kind}`, delta.key, noKeys, () => enqueue.call(watch, delta, seeing(context))),
    };
  };
  return present<Hooks>({
    watches: watches?.map(mapped),
    self: self?.enqueue === undefined ? undefined : mapped({ ...self, kind: controller.reconciles ?? '' }),
    observe:
      observe &&
      withHandledKinds(
        (delta, context) => guard(`observe of ${delta.kind}`, delta.key, nothing, () => observe.call(controller, delta, seeing(context))),
        observe,
      ),
    start: start && ((context) => guard('start', undefined, nothing, () => start.call(controller, context))),
    startKeys: startKeys && ((context) => guard('startKeys', undefined, noKeys, () => startKeys.call(controller, seeing(context)))),
    stop: stop && ((context) => guard('stop', undefined, noKeys, () => stop.call(controller, seeing(context)))),
    act: act && ((action, context) => guard('act', undefined, nothing, () => act.call(controller, action, context))),
  });
}

/** Returns the remedy, and a hint for the most common exception of beginners. */
const hintOn = (thrown: unknown): readonly string[] =>
  thrown instanceof HostUse
    ? [`  ${thrown.remedy}`]
    : thrown instanceof TypeError && /read only|not extensible|Cannot delete property|Cannot add property/.test(thrown.message)
      ? ['  objects of a cache are shared and frozen: update(object, (draft) => { … }) changes a copy']
      : [];

/** Freezes also the members of an object that is frozen already, because its author may hold references to them. */
function freezeWhole(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeWhole(inner, seen);
}

/** Runs a function behind the traps; throws its exception, or its first use of the host. */
function ended<T>(act: () => T): T {
  const end = withoutHost(act);
  if ('thrown' in end) throw end.thrown;
  return end.answer;
}

/** Returns a fault that runs behind the traps. */
export const faultInSandbox = <F extends Pick<Fault, 'name' | 'apply'>>(fault: F): F => ({
  ...fault,
  apply: (cluster, call, causes) => ended(() => fault.apply(cluster, call, causes)),
});

export const invariantInSandbox = (invariant: Invariant): Invariant => ({
  ...invariant,
  check: () => checkerInSandbox(ended(() => invariant.check())),
});

function checkerInSandbox(checker: Checker): Checker {
  const { onChange, onTime, deadline, onEnd, describe } = checker;
  return withExercised<Checker>(
    { exercised: () => checker.exercised },
    present({
      describe: describe && (() => describe.call(checker)),
      deadline: deadline && (() => ended(() => deadline.call(checker))),
      onChange: onChange && ((...given: Parameters<typeof onChange>) => ended(() => onChange.apply(checker, given))),
      onTime: onTime && ((facts: Facts) => ended(() => onTime.call(checker, facts))),
      onEnd: onEnd && ((facts: Facts, settled: boolean) => ended(() => onEnd.call(checker, facts, settled))),
    }),
  );
}

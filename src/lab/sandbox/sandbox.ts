/**
 * The sandbox of a user's controller: an exception, a return value that is no outcome, an undeclared write or read, and a use of the host
 * are reported as findings, and make no decision. What the controller returns is deeply frozen, so that nothing it keeps can change the
 * store later.
 */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import {
  withHandledKinds,
  watchOnly,
  type CacheView,
  type Controller,
  type Outcome,
  type Watch,
} from '../../controlplane/runtime/index.ts';
import { declaredView } from './declared.ts';
import type { ControllerFault } from './fault.ts';
import { HostUse, withoutHost } from './host.ts';
import { outcomeProblem } from './outcome.ts';

/** The outcome in place of an invalid one. */
const failed = (message: string): Outcome => ({ why: message, writes: [] });

/** The same controller in the sandbox; `report` is called with everything that it does and may not. */
export function onBench(controller: Controller, kinds: KindRegistry, report: (fault: ControllerFault) => void): Controller {
  const guard = <T>(hook: string, key: string | undefined, instead: (message: string) => T, act: () => T): T => {
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
    return failed(message);
  };
  const decided = (hook: string, asked: Asked, act: () => Outcome): Outcome =>
    guard(hook, asked.key, failed, () => checked(hook, asked, act()));
  const seeing = seeingBy(declaredView(controller));
  const watched: Controller = { ...controller, ...decisions(controller, decided, seeing), ...upkeep(controller, guard, seeing) };
  originals.set(watched, controller);
  return watched;
}

const originals = new WeakMap<object, Controller>();

/** The controller inside the sandbox; any other controller itself. */
export const offBench = (controller: Controller): Controller => originals.get(controller) ?? controller;

/** What of an input says when it was asked, and about what. */
interface Asked {
  readonly key: string;
  readonly now: number;
}

type Decided = (hook: string, asked: Asked, act: () => Outcome) => Outcome;

/** The same input or context, with the view of its cache that the controller declares. */
type Seeing = <I extends { readonly cache: CacheView }>(input: I) => I;

const seeingBy =
  (view: (cache: CacheView) => CacheView): Seeing =>
  (input) => ({ ...input, cache: view(input.cache) });

/** One line: what it threw, or what it used of the host. */
const messageOf = (thrown: unknown, hook: string): string =>
  thrown instanceof HostUse
    ? `it used ${thrown.what} in ${hook}`
    : `it threw in ${hook}: ${thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)}`;

function decisions(controller: Controller, decided: Decided, seeing: Seeing): Partial<Controller> & Pick<Controller, 'reconcile'> {
  const { reconcile, reconcileAbsent, resume, recover } = controller;
  return {
    reconcile: (input) => decided('reconcile', input, () => reconcile.call(controller, seeing(input))),
    ...(reconcileAbsent === undefined
      ? {}
      : { reconcileAbsent: (input) => decided('reconcileAbsent', input, () => reconcileAbsent.call(controller, seeing(input))) }),
    ...(resume === undefined
      ? {}
      : { resume: (input, answer) => decided('resume', input, () => resume.call(controller, seeing(input), answer)) }),
    ...(recover === undefined
      ? {}
      : {
          recover(input, failure) {
            let none = false;
            const outcome = decided('recover', input, () => {
              const answer = recover.call(controller, seeing(input), failure);
              none = answer === undefined;
              return answer ?? failed('it leaves the failure alone');
            });
            return none ? undefined : outcome;
          },
        }),
  };
}

type Guard = <T>(hook: string, key: string | undefined, instead: (message: string) => T, act: () => T) => T;

function upkeep(controller: Controller, guard: Guard, seeing: Seeing): Partial<Controller> {
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
  return {
    ...(watches === undefined ? {} : { watches: watches.map(mapped) }),
    ...(self?.enqueue === undefined ? {} : { self: mapped({ ...self, kind: controller.reconciles ?? '' }) }),
    ...(observe === undefined
      ? {}
      : {
          observe: withHandledKinds(
            (delta, context) =>
              guard(`observe of ${delta.kind}`, delta.key, nothing, () => observe.call(controller, delta, seeing(context))),
            observe,
          ),
        }),
    ...(start === undefined ? {} : { start: (context) => guard('start', undefined, nothing, () => start.call(controller, context)) }),
    ...(startKeys === undefined
      ? {}
      : { startKeys: (context) => guard('startKeys', undefined, noKeys, () => startKeys.call(controller, seeing(context))) }),
    ...(stop === undefined ? {} : { stop: (context) => guard('stop', undefined, noKeys, () => stop.call(controller, seeing(context))) }),
    ...(act === undefined
      ? {}
      : { act: (action, context) => guard('act', undefined, nothing, () => act.call(controller, action, context)) }),
  };
}

/** What to do instead, and what helps with the exception that beginners meet first. */
const hintOn = (thrown: unknown): readonly string[] =>
  thrown instanceof HostUse
    ? [`  ${thrown.remedy}`]
    : thrown instanceof TypeError && /read only|not extensible|Cannot delete property|Cannot add property/.test(thrown.message)
      ? ['  what a cache holds is shared and frozen: update(object, (draft) => { … }) changes a copy']
      : [];

/** Freezes also what lies beneath a shell that is frozen already: its author may have kept what is in it. */
function freezeWhole(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeWhole(inner, seen);
}

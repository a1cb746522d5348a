/**
 * A controller of somebody's own, put on the bench: it decides as it did, but an exception, an answer that is none and a write that cannot
 * be are told as what they are, and count as no decision; and what it hands over is frozen to the ground, so that nothing it keeps can
 * change the store later.
 */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { asListening, type Controller, type Outcome } from '../../controlplane/runtime/index.ts';
import type { ControllerFault } from './fault.ts';
import { outcomeProblem } from './outcome.ts';

/** What becomes of a decision that is none. */
const failed = (message: string): Outcome => ({ why: message, writes: [] });

/** The same controller, watched; `report` hears of everything it does that none may. */
export function onBench(controller: Controller, kinds: KindRegistry, report: (fault: ControllerFault) => void): Controller {
  const guard = <T>(hook: string, key: string | undefined, instead: (message: string) => T, act: () => T): T => {
    try {
      return act();
    } catch (thrown) {
      const message = `it threw in ${hook}: ${thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)}`;
      report({ controller, key, message, detail: hintOn(thrown), thrown });
      return instead(message);
    }
  };
  const checked = (hook: string, key: string, outcome: Outcome): Outcome => {
    const problem = outcomeProblem(outcome, kinds);
    if (problem === undefined) {
      freezeWhole(outcome.writes, new Set());
      return outcome;
    }
    const message = `its ${hook} ${problem}`;
    report({ controller, key, message, detail: [] });
    return failed(message);
  };
  const decided = (hook: string, key: string, act: () => Outcome): Outcome => guard(hook, key, failed, () => checked(hook, key, act()));
  const watched: Controller = { ...controller, ...decisions(controller, decided), ...upkeep(controller, guard) };
  originals.set(watched, controller);
  return watched;
}

const originals = new WeakMap<object, Controller>();

/** The controller that was put on the bench; any other itself. */
export const offBench = (controller: Controller): Controller => originals.get(controller) ?? controller;

type Decided = (hook: string, key: string, act: () => Outcome) => Outcome;

function decisions(controller: Controller, decided: Decided): Partial<Controller> & Pick<Controller, 'reconcile'> {
  const { reconcile, reconcileAbsent, resume, recover } = controller;
  return {
    reconcile: (input) => decided('reconcile', input.key, () => reconcile.call(controller, input)),
    ...(reconcileAbsent === undefined
      ? {}
      : { reconcileAbsent: (input) => decided('reconcileAbsent', input.key, () => reconcileAbsent.call(controller, input)) }),
    ...(resume === undefined
      ? {}
      : { resume: (input, answer) => decided('resume', input.key, () => resume.call(controller, input, answer)) }),
    ...(recover === undefined
      ? {}
      : {
          recover(input, failure) {
            let none = false;
            const outcome = decided('recover', input.key, () => {
              const answer = recover.call(controller, input, failure);
              none = answer === undefined;
              return answer ?? failed('it leaves the failure alone');
            });
            return none ? undefined : outcome;
          },
        }),
  };
}

type Guard = <T>(hook: string, key: string | undefined, instead: (message: string) => T, act: () => T) => T;

function upkeep(controller: Controller, guard: Guard): Partial<Controller> {
  const { observe, start, startKeys, stop, act } = controller;
  const nothing = (): undefined => undefined;
  const noKeys = (): readonly never[] => [];
  return {
    ...(observe === undefined
      ? {}
      : {
          observe: asListening(
            (delta, context) => guard(`observe of ${delta.kind}`, delta.key, nothing, () => observe.call(controller, delta, context)),
            observe,
          ),
        }),
    ...(start === undefined ? {} : { start: (context) => guard('start', undefined, nothing, () => start.call(controller, context)) }),
    ...(startKeys === undefined
      ? {}
      : { startKeys: (context) => guard('startKeys', undefined, noKeys, () => startKeys.call(controller, context)) }),
    ...(stop === undefined ? {} : { stop: (context) => guard('stop', undefined, noKeys, () => stop.call(controller, context)) }),
    ...(act === undefined ? {} : { act: (deed, context) => guard('act', undefined, nothing, () => act.call(controller, deed, context)) }),
  };
}

/** What helps with the exception that beginners meet first. */
const hintOn = (thrown: unknown): readonly string[] =>
  thrown instanceof TypeError && /read only|not extensible|Cannot delete property|Cannot add property/.test(thrown.message)
    ? ['  what a cache holds is shared and frozen: update(object, (draft) => { … }) changes a copy']
    : [];

/** Freezes also what lies beneath a shell that is frozen already: its author may have kept what is in it. */
function freezeWhole(value: unknown, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeWhole(inner, seen);
}

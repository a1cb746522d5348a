/** Steps of random scenarios: operations of users at relative times, and the conditions at the end. */
import fc from 'fast-check';
import type { Action, Manifest, Step, WritingAction } from '../scenario/index.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

type Doing = Action & Pick<Step, 'note'>;
/** Returns the step of an action at a time after the end of the step before it. */
export const later = (afterMs: number, { timing: _, ...action }: Doing & { readonly timing?: unknown }): Step => ({
  timing: { when: 'after', afterMs },
  ...action,
});
/** The delay between two steps: often none, or so short that the effects of the first are not observed when the second happens. */
export const waits: fc.Arbitrary<number> = fc.constantFrom(0, 3, 400, SECOND, 2500, 7 * SECOND, 20 * SECOND);

export const patching = (target: object, patch: unknown, subresource?: 'status'): Step =>
  later(0, {
    verb: 'patch',
    target,
    type: 'merge',
    patch,
    ignoreNotFound: true,
    ...(subresource === undefined ? {} : { subresource }),
  } as Action);
/** A patch of a spec that merges lists by their keys, and keeps what it does not name. */
export const respecifying = (target: object, spec: unknown): Step => ({ ...patching(target, { spec }), type: 'strategic' }) as Step;
export const deleting = (target: object, more: Partial<Extract<WritingAction, { verb: 'delete' }>> = {}): Step =>
  later(0, { verb: 'delete', target, ignoreNotFound: true, ...more } as Action);
export const writing = (verb: 'apply' | 'create', ...objects: readonly Manifest[]): Step => ({
  timing: { when: 'next' },
  verb,
  objects: objects.map((object) => ({ object })),
});

export const delayed = (ms: number, step: Step): Step =>
  step.timing.when === 'after' ? later(ms + step.timing.afterMs, step) : later(ms, step);
export const expecting = (...conditions: readonly string[]): Step =>
  later(0, { verb: 'expect', expectations: conditions.map((cel) => ({ expect: 'cel', expression: { cel } })) });
export const expectingAtRest = (...conditions: readonly string[]): Step => ({
  ...expecting(...conditions),
  timing: { when: 'settled' },
});

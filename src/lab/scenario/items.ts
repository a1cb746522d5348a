/** Steps as a file writes them: what must be true right after an action stands beside it, in one item. */
import type { Step } from './types.ts';

type ExpectStep = Extract<Step, { readonly verb: 'expect' }>;

export interface Item {
  readonly step: Step;
  /** What is checked at the instant at which the step has ended. */
  readonly beside?: ExpectStep;
  /** How many steps of the scenario have been taken when this item has ended. */
  readonly taken: number;
}

/** Checks only, at once, and tells nothing: so it may stand beside the step before it. */
const isBeside = (step: Step | undefined): step is ExpectStep =>
  step?.verb === 'expect' &&
  step.timing.when === 'next' &&
  [step.before, step.note, step.about, step.assertions, step.ask, step.look, step.tries].every((prose) => prose === undefined);

const acts = ({ verb }: Step): boolean => verb !== 'note' && verb !== 'expect';

/** The items of a scenario's steps, in order. */
export function itemsOf(steps: readonly Step[]): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (step === undefined) break;
    const beside = steps[at + 1];
    if (acts(step) && isBeside(beside)) {
      at++;
      items.push({ step, beside, taken: at + 1 });
    } else items.push({ step, taken: at + 1 });
  }
  return items;
}

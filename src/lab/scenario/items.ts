/** Steps as a file writes them: expectations right after an action are in the action's item. */
import type { Step } from './types.ts';

type ExpectStep = Extract<Step, { readonly verb: 'expect' }>;

/** An item of a scenario file: a step, and the expectations beside it. */
export interface Item {
  readonly step: Step;
  /** The expectations at the end of the step. */
  readonly beside?: ExpectStep;
  /** The number of steps of the scenario that have been taken at the end of this item. */
  readonly taken: number;
}

/** Whether a step only checks, at once, and has no narration: then it is written in the item of the previous step. */
const isBeside = (step: Step | undefined): step is ExpectStep =>
  step?.verb === 'expect' &&
  step.timing.when === 'next' &&
  [step.before, step.note, step.about, step.assertions, step.ask, step.look, step.tries].every((prose) => prose === undefined);

const acts = ({ verb }: Step): boolean => verb !== 'note' && verb !== 'expect';

/** Returns the items of a scenario's steps, in order. */
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

/** The later operations and faults of a scenario, at the instants of its run, so that a fork differs from it in one step only. */
import type { Item, Step } from '../scenario/index.ts';
import type { Trace } from '../trace/index.ts';

type Writing = Extract<Step, { readonly verb: 'patch' | 'delete' | 'evict' | 'scale' }>;

/**
 * Returns operations and faults as steps with their instants, and the steps after the last of them. A write or start that had to be refused
 * is left out, because it may succeed in the fork. A missing target does not fail the fork.
 */
export function laterOperations(
  later: readonly Item[],
  { narrationSteps = [] }: Trace,
): { readonly operations: readonly Step[]; readonly rest: readonly Item[] } {
  const operations: Step[] = [];
  let behind = 0;
  for (const [index, { step, taken }] of later.entries()) {
    if (!DOES.has(step.verb)) continue;
    behind = index + 1;
    const narrationStep = narrationSteps.find((each) => each.taken === taken);
    if (narrationStep === undefined || step.verb === 'expectError' || step.verb === 'refusedStart') continue;
    operations.push({ ...bare(step), timing: { when: 'at', atMs: narrationStep.sinceStartMs } });
  }
  return { operations, rest: later.slice(behind) };
}

const DOES: ReadonlySet<string> = new Set<Step['verb']>([
  'apply',
  'create',
  'replace',
  'patch',
  'delete',
  'evict',
  'cordon',
  'uncordon',
  'scale',
  'drain',
  'fault',
  'expectError',
  'refusedStart',
]);
const isAboutOne = (step: Step): step is Step & Writing =>
  step.verb === 'patch' || step.verb === 'delete' || step.verb === 'evict' || step.verb === 'scale';

/** Removes notes, assertions and questions, which describe the original run. */
function bare(step: Step): Step {
  const { before: _before, note: _note, about: _about, assertions: _assertions, ask: _ask, look: _look, tries: _tries, ...rest } = step;
  return isAboutOne(rest) ? { ...rest, ignoreNotFound: true } : rest;
}

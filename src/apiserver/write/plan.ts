/**
 * The plan of a write: the stages of a verb for a kind, in upstream's order, compiled once. Running it skips each stage that reads nothing
 * of what the write changes; that is the whole fast path, so no kind and no plug-in can be forgotten in one.
 */
import type { Admitting } from '../admission/index.ts';
import type { Kind } from '../machinery/index.ts';
import { absence, committingNew, naming, ownersOnce, preparing, stamping, validatingNew } from './creation.ts';
import { completing, defaulting, mutating, specification, type Stage, tracking, validating, warnings } from './stages.ts';
import { committing, counting, identity, isolation, precondition, restoring, sharing, validatingChange } from './update.ts';
import type { Write } from './write.ts';

/** The stages of a write, in order. */
export type Plan = readonly Stage[];

/** Returns the plan of creating objects of a kind. */
export const creationPlan = (kind: Kind, admission: Admitting): Plan => [
  ...defaulting(kind),
  tracking,
  naming,
  ...admission.mutating.map((plugin) => mutating(plugin, 'create')),
  ownersOnce,
  stamping,
  ...preparing(kind),
  completing,
  validatingNew,
  specification,
  ...admission.validating.map((plugin) => validating(plugin, 'create')),
  absence,
  ...warnings(kind, 'create'),
  committingNew,
];

/** Returns the plan of updating objects of a kind, or their status. */
export function updatePlan(kind: Kind, subresource: string | undefined, admission: Admitting): Plan {
  const isStatus = subresource === 'status';
  return [
    ...defaulting(kind),
    tracking,
    ...admission.mutating.map((plugin) => mutating(plugin, 'update')),
    precondition,
    ...(isStatus && kind.prepareForStatusUpdate === undefined ? [isolation] : []),
    identity,
    ...restoring(kind, subresource),
    ...(isStatus ? [] : [sharing, ...counting(kind)]),
    completing,
    validatingChange,
    specification,
    ...admission.validating.map((plugin) => validating(plugin, 'update')),
    ...warnings(kind, 'update'),
    committing,
  ];
}

/** The plans of a kind by the writes that they carry out, for people. */
export function plansOf(kind: Kind, pluginsFor: (verb: 'create' | 'update', subresource?: string) => Admitting): ReadonlyMap<string, Plan> {
  const plans = new Map([
    ['create', creationPlan(kind, pluginsFor('create'))],
    ['update', updatePlan(kind, undefined, pluginsFor('update'))],
  ]);
  if (kind.subresources.includes('status')) plans.set('update of the status', updatePlan(kind, 'status', pluginsFor('update', 'status')));
  return plans;
}

/**
 * Runs the stages that read what the write changes.
 * @throws {Refusal} where a stage refuses the write.
 */
export function run(plan: Plan, write: Write): void {
  for (let at = 0; at < plan.length; at++) {
    const stage = plan[at];
    if (stage !== undefined && (stage.reads & write.changed) !== 0) stage.run(write);
  }
}

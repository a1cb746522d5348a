/**
 * The plan of a write: the stages of a verb for a kind, in upstream's order, compiled once. Running it skips each stage that reads nothing
 * of what the write changes; that is the whole fast path, so no kind and no plug-in can be forgotten in one.
 */
import type { Admitting } from '../admission/index.ts';
import type { Kind, ManagedFieldsEntry } from '../machinery/index.ts';
import type { ApiResponse } from '../request/index.ts';
import type { Scope, ServedResource } from './scope.ts';
import { absence, committingNew, naming, ownersOnce, preparing, stamping, validatingNew } from './create.ts';
import { completing, defaulting, mutating, type Plan, specification, tracking, validating, warnings } from './stages.ts';
import { committing, counting, identity, isolation, precondition, restoring, sharing, validatingChange } from './update.ts';
import { type Change, type Place, Write } from './write.ts';

const creationPlan = (kind: Kind, admission: Admitting): Plan => [
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

function updatePlan(kind: Kind, subresource: string | undefined, admission: Admitting): Plan {
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

/** Returns the plan of a write, compiled once for its resource. */
function planOf({ admission, planned }: Scope, { resource, verb, subresource }: Place): Plan {
  const { plans } = resource as ServedResource;
  const which = subresource === 'status' ? 'status' : verb;
  const known = plans[which];
  if (known !== undefined) return known;
  const plugins = admission.pluginsFor({ resource, verb, subresource });
  const plan = verb === 'create' ? creationPlan(resource.kind, plugins) : updatePlan(resource.kind, subresource, plugins);
  return (plans[which] = planned?.(plan) ?? plan);
}

/** Runs the stages that read what the write changes, each of which may refuse it. */
export function run(plan: Plan, write: Write): void {
  for (let at = 0; at < plan.length; at++) {
    const stage = plan[at];
    if (stage !== undefined && (stage.reads & write.changed) !== 0) stage.run(write);
  }
}

/** Carries out a write by the plan of its kind and verb, and returns the response; throws the refusal of a stage. */
export function carryOut(scope: Scope, place: Place, change: Change, managers?: readonly ManagedFieldsEntry[]): ApiResponse {
  const write = new Write(scope, place, change, managers);
  run(planOf(scope, place), write);
  const { result, warnings: texts, unenforced } = write;
  if (result === undefined) throw new TypeError('the last stage of a plan commits');
  const code = place.verb === 'create' ? 201 : 200;
  if (texts === undefined && unenforced.length === 0) return { ok: true, code, object: result };
  return { ok: true, code, object: result, warnings: [...(texts ?? []), ...unenforced] };
}

/**
 * A controller under supervision: every decision is made twice from frozen input and compared, and its writes are checked against its
 * declarations. Otherwise it behaves like the controller itself.
 */
import { deepFreeze } from '../../src/schema/shape/index.ts';
import type { ApiObject } from '../../src/apiserver/machinery/index.ts';
import { recount, type CacheView, type Controller, type Outcome, type Write } from '../../src/controlplane/runtime/index.ts';

interface Input {
  readonly key: string;
  readonly now: number;
  readonly cache: CacheView;
  readonly random: { state(): unknown };
  readonly self?: ApiObject;
}

/** `complain` gets each violation as a sentence; decisions are made within `guard`. */
export function supervised(
  controller: Controller,
  complain: (breach: string) => void,
  guard: (decide: () => Outcome) => Outcome = (decide) => decide(),
): Controller {
  const say = (key: string, breach: string): void => complain(`${controller.name} ${key}: ${breach}`);

  const check = (input: Input, outcome: Outcome): void => {
    if (outcome.why.trim() === '') say(input.key, 'a decision without a why');
    if (outcome.wakeAt !== undefined && outcome.wakeAt <= input.now)
      say(input.key, `wakes at ${outcome.wakeAt}, which is not after ${input.now}`);
    // A set being deleted still records its template, as in the recordings.
    const creates = outcome.writes.filter((write) => write.op === 'create' && write.object.kind !== 'ControllerRevision');
    if (creates.length > 0 && input.self?.metadata.deletionTimestamp !== undefined)
      say(input.key, 'creates for an object that is being deleted');
    for (const write of outcome.writes) {
      const kind = kindOf(write);
      if (kind !== undefined && !controller.writes.includes(kind)) say(input.key, `writes ${kind}, which it does not declare`);
    }
  };

  const countAgain = (input: Input): void => {
    for (const aggregate of controller.aggregates ?? []) {
      const objects = input.cache.list(aggregate.kind);
      for (const group of new Set(objects.map((object) => aggregate.groupOf(object)))) {
        if (group === undefined) continue;
        const kept = JSON.stringify(aggregate.plain(input.cache.aggregate(aggregate, group)));
        if (kept !== JSON.stringify(recount(aggregate, objects, group)))
          say(input.key, `its aggregate of ${group} is not what a recount gives`);
      }
    }
  };

  /** Makes a second, identical decision, unless the first drew random numbers. */
  const twice = (input: Input, decide: () => Outcome): Outcome => {
    if (input.self !== undefined) deepFreeze(input.self);
    const before = JSON.stringify(input.random.state());
    const first = guard(decide);
    if (JSON.stringify(input.random.state()) === before && JSON.stringify(guard(decide)) !== JSON.stringify(first))
      say(input.key, 'decided differently on the same input');
    check(input, first);
    countAgain(input);
    return first;
  };

  const { reconcileAbsent, recover, resume } = controller;
  return {
    ...controller,
    reconcile: (input) => twice(input, () => controller.reconcile(input)),
    ...(reconcileAbsent === undefined ? {} : { reconcileAbsent: (input) => twice(input, () => reconcileAbsent.call(controller, input)) }),
    ...(recover === undefined
      ? {}
      : {
          recover: (input, failure) => {
            const rescue = recover.call(controller, input, failure);
            return rescue === undefined
              ? undefined
              : twice(input as unknown as Input, () => recover.call(controller, input, failure) ?? rescue);
          },
        }),
    ...(resume === undefined
      ? {}
      : { resume: (input, answer) => twice(input as unknown as Input, () => resume.call(controller, input, answer)) }),
  };
}

function kindOf(write: Write): string | undefined {
  if (write.op === 'event' || write.op === 'get' || write.op === 'list' || write.op === 'check') return undefined;
  return write.op === 'create' || write.op === 'update' ? write.object.kind : write.kind;
}

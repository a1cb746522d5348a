/** A Job that has not finished: it is suspended, lacks pods, waits for its pods, or has a deadline. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer, Situation, Wait } from '../contract.ts';
import { at, controlledBy, instantOf, isDone, listed, nameOf, plural } from '../words.ts';

export const job: Explainer = {
  name: 'job',
  kinds: ['Job'],
  explain(object, situation) {
    if (!isOf('Job', object)) return [];
    if (isDone(object)) return ended(object, situation);
    if (object.metadata.deletionTimestamp !== undefined) return [];
    if (object.spec.suspend) return [{ text: 'is suspended: nothing runs before spec.suspend is false' }];
    return [...pods(object, situation), ...deadline(object, situation)];
  },
};

function pods(object: Job, situation: Situation): readonly Wait[] {
  const { parallelism = 1, completions, backoffLimit = 6 } = object.spec;
  const { succeeded = 0, failed = 0 } = object.status;
  const open = controlledBy(situation, 'Pod', object).filter((pod) => !isDone(pod));
  const going = open.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const left = completions === undefined ? (succeeded > 0 ? 0 : parallelism) : Math.max(0, completions - succeeded);
  const wanted = Math.min(parallelism, left);
  const failures = failed === 0 ? '' : `; ${plural(failed, 'pod')} failed, and ${Math.max(0, backoffLimit + 1 - failed)} more fail the Job`;
  const score = `${succeeded}${completions === undefined ? '' : ` of ${completions}`} succeeded${failures}`;
  if (parallelism === 0) return [{ text: `runs no pods (spec.parallelism: 0), ${score}` }];
  const waits: Wait[] = [];
  if (open.length < wanted) waits.push({ text: `has ${plural(open.length, 'pod')} and wants ${wanted}: ${score}` });
  if (open.length > 0)
    waits.push({
      text: `waits for ${plural(open.length, 'pod')} to end (${listed(open.map(({ metadata }) => metadata.name))}): ${score}`,
      leadsTo: open.map(nameOf),
    });
  else if (left === 0) waits.push({ text: `waits for its final status to be written: ${score}` });
  if (going.length > 0 && going.length < open.length) waits.push({ text: `includes ${plural(going.length, 'pod')} that is being deleted` });
  return waits;
}

function deadline({ spec: { activeDeadlineSeconds }, status: { startTime } }: Job, situation: Situation): readonly Wait[] {
  if (activeDeadlineSeconds === undefined || startTime === undefined) return [];
  const until = Date.parse(startTime) + activeDeadlineSeconds * 1000;
  return [
    { text: `fails at ${at(situation, until)} unless it finishes before (spec.activeDeadlineSeconds: ${activeDeadlineSeconds})`, until },
  ];
}

function ended({ spec: { ttlSecondsAfterFinished: ttl }, status: { conditions = [] } }: Job, situation: Situation): readonly Wait[] {
  const end = conditions.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
  const endedAt = instantOf(end?.lastTransitionTime);
  if (end === undefined || endedAt === undefined) return [];
  const how = [end.reason, end.message].filter((text) => text !== undefined && text !== '').join(', ');
  const until = ttl === undefined ? undefined : endedAt + ttl * 1000;
  return [
    {
      text: `${end.type === 'Complete' ? 'is complete' : 'has failed'} since ${at(situation, endedAt)}${how === '' ? '' : `: ${how}`}`,
      ended: true,
    },
    ...(until === undefined ? [] : [{ text: `is deleted at ${at(situation, until)} (spec.ttlSecondsAfterFinished: ${ttl})`, until }]),
  ];
}

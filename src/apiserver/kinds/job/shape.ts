/** The schema of Jobs: fields, types, and the defaults that depend only on the object. */
import { bool, count32, count64, field, filled, mergeList, obj, ptr, req, setList, str, time } from '../../../schema/shape/index.ts';
import type { Complete, Infer, Schema } from '../../../schema/shape/index.ts';
import { conditionReason, conditionType, kindFields, labelSelector, lastProbeTime, podTemplateSpec } from '../../structs/index.ts';
import type { ObjectOf } from '../../structs/index.ts';

/** Without completions and parallelism the Job runs one pod; with parallelism alone it is a work queue. */
const complete: Complete = (spec) => {
  const { completions, parallelism } = spec;
  if (parallelism !== undefined) return undefined;
  return completions === undefined ? { completions: 1, parallelism: 1 } : { parallelism: 1 };
};

const limits = {
  parallelism: field(
    1,
    'The maximum number of running pods. 0 pauses the Job. Near the end it is lower: only as many as are still needed.',
    ptr(count32),
  ),
  completions: field(
    2,
    'The number of pods that must succeed. Absent: a work queue, which the success of any pod ends. 1 limits parallelism to 1.',
    ptr(count32),
  ),
  activeDeadlineSeconds: field(
    3,
    'Seconds from the start for which the Job may be active; then its pods are deleted and it fails. The time does not run for a suspended Job, and starts again when it is resumed.',
    ptr(count64),
  ),
} as const;
const selection = {
  selector: field(4, 'The pods of the Job; normally generated.', labelSelector),
  manualSelector: field(5, 'Confirms that the selector was set on purpose.', ptr(bool)),
  template: field(6, 'The template of the pods. Their restartPolicy is Never or OnFailure.', req(podTemplateSpec)),
  ttlSecondsAfterFinished: field(
    8,
    'Seconds after its end at which it is deleted; 0: at once, absent: never. Finalizers are respected.',
    ptr(count32),
  ),
} as const;

/** The template is validated as that of every kind with one. */
const BOUNDED = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'completionMode'];

/** Returns the spec of a Job; in a CronJob only the pod template has defaults, the Job made from it gets the others. */
const specWith = <const B extends Schema, const M extends Schema, const S extends Schema>(
  backoffLimit: B,
  completionMode: M,
  suspend: S,
  complete?: Complete,
) =>
  obj(
    'JobSpec',
    'The specification of the work.',
    {
      ...limits,
      backoffLimit: field(7, 'The number of failures before the Job fails.', backoffLimit),
      ...selection,
      completionMode: field(
        9,
        'NonIndexed: pods are interchangeable. Indexed: each has an index from 0 to completions-1, in an annotation and in its host name, and the Job is complete when every index has succeeded.',
        completionMode,
        { among: ['NonIndexed', 'Indexed'] },
      ),
      suspend: field(10, 'True: no pods are created, and running ones are deleted. Resuming sets a new start time.', suspend),
    },
    { order: BOUNDED, ...(complete === undefined ? {} : { complete }) },
  );

const mode = ptr(str('CompletionMode'));
const jobSpec = specWith(filled(ptr(count32), 6), filled(mode, 'NonIndexed'), filled(ptr(bool), false), complete);
export const bareJobSpec = specWith(ptr(count32), mode, ptr(bool));
export type BareJobSpec = Infer<typeof bareJobSpec>;
export type JobSpec = Infer<typeof jobSpec>;

const jobCondition = obj('JobCondition', 'A condition of the Job.', {
  ...conditionType('Complete, Failed or Suspended', 'JobConditionType'),
  lastProbeTime,
  ...conditionReason(4),
});
export type JobCondition = Infer<typeof jobCondition>;

export const jobStatus = obj('JobStatus', 'The progress of the work.', {
  conditions: field(1, 'Complete, Failed or Suspended. The first two are final.', {
    ...mergeList(jobCondition, 'type'),
    listType: 'atomic',
  } as const),
  startTime: field(
    2,
    'When the controller started the Job; a Job that was created suspended has none until it is resumed, and each resumption sets it again.',
    ptr(time),
  ),
  completionTime: field(3, 'When it completed; a failed Job has none.', ptr(time)),
  active: field(4, 'Pods that are pending or running.', count32),
  succeeded: field(5, 'Pods that succeeded.', count32),
  failed: field(6, 'Pods that failed.', count32),
  completedIndexes: field(
    7,
    'Indexes that have succeeded, as in 1,3-5,7: numbers in order, three or more consecutive ones as first-last.',
    str(),
  ),
  uncountedTerminatedPods: field(
    8,
    'Terminated pods that are not in the counters yet; they keep their finalizer until then. Null for a Job without tracking by finalizers.',
    obj('UncountedTerminatedPods', 'Uids of terminated pods that are not in the counters yet.', {
      succeeded: field(1, 'Of pods that succeeded.', setList(str('types.UID'))),
      failed: field(2, 'Of pods that failed.', setList(str('types.UID'))),
    }),
  ),
  ready: field(9, 'Ready pods.', ptr(count32)),
});
export type JobStatus = Infer<typeof jobStatus>;

export const jobSchema = obj('Job', 'Work that runs to completion, done by pods.', kindFields({ spec: jobSpec, status: jobStatus }));
/** A stored Job: defaulted, validated and frozen. */
export type Job = ObjectOf<'Job', Infer<typeof jobSchema>>;

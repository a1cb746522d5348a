/** The schema of Jobs: fields, types, and the defaults that depend only on the object. */
import {
  always,
  bool,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  mergeList,
  obj,
  ptr,
  req,
  setList,
  str,
  time,
  field,
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

/** Without completions and parallelism the Job runs one pod; with parallelism alone it is a work queue. */
const complete: Complete = (spec) => {
  const { completions, parallelism } = spec;
  if (parallelism !== undefined) return undefined;
  return completions === undefined ? { completions: 1, parallelism: 1 } : { parallelism: 1 };
};

const limits = {
  parallelism: field(
    1,
    'How many pods may run at a time. 0 pauses the Job. Towards the end there are fewer: only as many as are still needed.',
    ptr(int32),
  ),
  completions: field(
    2,
    'How many pods have to succeed. Absent: a work queue, the success of any pod ends it. 1 limits parallelism to 1.',
    ptr(int32),
  ),
  activeDeadlineSeconds: field(
    3,
    'Seconds from the start for which the Job may be active; then its pods are ended and it fails. The time of a suspended Job stands still, and begins anew when it is resumed.',
    ptr(int64),
  ),
} as const;
const selection = {
  selector: field(4, 'The pods that count as its own; normally left to the system.', labelSelector),
  manualSelector: field(5, 'Says that the selector was chosen by hand and that this is meant.', ptr(bool)),
  template: field(6, 'The pods it makes. Their restartPolicy is Never or OnFailure.', req(podTemplateSpec)),
  ttlSecondsAfterFinished: field(
    8,
    'Seconds after its end at which it is deleted; 0: at once, absent: never. Finalizers are honoured.',
    ptr(int32),
  ),
} as const;

export const jobSpec = obj(
  'JobSpec',
  'How the work is to be done.',
  {
    ...limits,
    backoffLimit: field(7, 'How many failures are tolerated before the Job fails.', filled(ptr(int32), 6)),
    ...selection,
    completionMode: field(
      9,
      'NonIndexed: pods are alike. Indexed: each has an index from 0 to completions-1, in an annotation and in its host name, and the Job is complete when every index has succeeded.',
      filled(ptr(str('CompletionMode')), 'NonIndexed'),
    ),
    suspend: field(10, 'True: no pods are made, and those that run are deleted. Resuming sets a new start time.', filled(ptr(bool), false)),
  },
  { complete },
);
/** The spec in a CronJob: only the pod template has defaults; the Job made from it gets the others. */
export const bareJobSpec = obj('JobSpec', 'How the work is to be done.', {
  ...limits,
  backoffLimit: field(7, 'How many failures are tolerated before the Job fails.', ptr(int32)),
  ...selection,
  completionMode: field(
    9,
    'NonIndexed: pods are alike. Indexed: each has an index from 0 to completions-1, in an annotation and in its host name, and the Job is complete when every index has succeeded.',
    ptr(str('CompletionMode')),
  ),
  suspend: field(10, 'True: no pods are made, and those that run are deleted. Resuming sets a new start time.', ptr(bool)),
});
export type BareJobSpec = Infer<typeof bareJobSpec>;
export type JobSpec = Infer<typeof jobSpec>;

const jobCondition = obj('JobCondition', 'How it stands with the Job.', {
  type: field(1, 'What is judged: Complete, Failed or Suspended. One condition a type.', req(str('JobConditionType'))),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastProbeTime: field(3, 'When it was last looked at.', always(time)),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', always(time)),
  reason: field(5, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(6, 'Why, as a sentence, for people.', str()),
});
export type JobCondition = Infer<typeof jobCondition>;

const jobStatus = obj('JobStatus', 'How far the work is.', {
  conditions: field(1, 'Complete, Failed or Suspended. The first two are final.', {
    ...mergeList(jobCondition, 'type'),
    listType: 'atomic',
  } as const),
  startTime: field(
    2,
    'When the controller began; a Job that was created suspended has none before it is resumed, and each resumption sets it anew.',
    ptr(time),
  ),
  completionTime: field(3, 'When it was done; a Job that failed has none.', ptr(time)),
  active: field(4, 'Pods that are pending or running.', int32),
  succeeded: field(5, 'Pods that ended well.', int32),
  failed: field(6, 'Pods that ended badly.', int32),
  completedIndexes: field(7, 'Indexes that have succeeded, as in 1,3-5,7: numbers in order, three and more in a row as first-last.', str()),
  uncountedTerminatedPods: field(
    8,
    'Pods that ended and are not yet part of the counters: they have their finalizer until they are. Null for a Job that does not track in this way.',
    obj('UncountedTerminatedPods', 'Uids of pods on their way into the counters.', {
      succeeded: field(1, 'Of pods that ended well.', setList(str('types.UID'))),
      failed: field(2, 'Of pods that ended badly.', setList(str('types.UID'))),
    }),
  ),
  ready: field(9, 'Pods that are ready.', ptr(int32)),
});
export type JobStatus = Infer<typeof jobStatus>;

export const jobSchema = obj('Job', 'Work that runs to completion, done by pods.', {
  ...typeMeta,
  spec: field(2, always(jobSpec)),
  status: field(3, always(jobStatus)),
});
/** A stored Job: defaulted, validated and frozen. */
export type Job = ObjectOf<'Job', Infer<typeof jobSchema>>;

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
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, podTemplateSpec, typeMeta } from '../../machinery/index.ts';

/** Without completions and parallelism the Job runs one pod; with parallelism alone it is a work queue. */
const complete: Complete = (spec) => {
  const { completions, parallelism } = spec;
  if (parallelism !== undefined) return undefined;
  return completions === undefined ? { completions: 1, parallelism: 1 } : { parallelism: 1 };
};

const limits = { parallelism: ptr(int32), completions: ptr(int32), activeDeadlineSeconds: ptr(int64) } as const;
const selection = {
  selector: labelSelector,
  manualSelector: ptr(bool),
  template: req(podTemplateSpec),
  ttlSecondsAfterFinished: ptr(int32),
} as const;

export const jobSpec = obj(
  'JobSpec',
  {
    ...limits,
    backoffLimit: filled(ptr(int32), 6),
    ...selection,
    completionMode: filled(ptr(str('CompletionMode')), 'NonIndexed'),
    suspend: filled(ptr(bool), false),
  },
  { complete },
);
/** The spec in a CronJob: only the pod template has defaults; the Job made from it gets the others. */
export const bareJobSpec = obj('JobSpec', {
  ...limits,
  backoffLimit: ptr(int32),
  ...selection,
  completionMode: ptr(str('CompletionMode')),
  suspend: ptr(bool),
});
export type BareJobSpec = Infer<typeof bareJobSpec>;
export type JobSpec = Infer<typeof jobSpec>;

const jobCondition = obj('JobCondition', {
  type: req(str('JobConditionType')),
  status: req(str('ConditionStatus')),
  lastProbeTime: always(time),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});
export type JobCondition = Infer<typeof jobCondition>;

const jobStatus = obj('JobStatus', {
  conditions: { ...mergeList(jobCondition, 'type'), listType: 'atomic' } as const,
  startTime: ptr(time),
  completionTime: ptr(time),
  active: int32,
  succeeded: int32,
  failed: int32,
  completedIndexes: str(),
  uncountedTerminatedPods: obj('UncountedTerminatedPods', { succeeded: setList(str('types.UID')), failed: setList(str('types.UID')) }),
  ready: ptr(int32),
});
export type JobStatus = Infer<typeof jobStatus>;

export const jobSchema = obj('Job', { ...typeMeta, spec: always(jobSpec), status: always(jobStatus) });
/** A stored Job: defaulted, validated and frozen. */
export type Job = ObjectOf<'Job', Infer<typeof jobSchema>>;

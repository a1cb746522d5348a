/** Descriptions of Jobs and their fields, in our words. Source: spec, "Job". */
import { conditionTexts, LAST_PROBE, type Texts } from '../../machinery/index.ts';

export const jobTexts: Texts = {
  Job: { '': 'Work that runs to completion, done by pods.' },
  JobStatus: {
    '': 'The progress of the work.',
    conditions: 'Complete, Failed or Suspended. The first two are final.',
    startTime:
      'When the controller started the Job; a Job that was created suspended has none until it is resumed, and each resumption sets it again.',
    completionTime: 'When it completed; a failed Job has none.',
    active: 'Pods that are pending or running.',
    succeeded: 'Pods that succeeded.',
    failed: 'Pods that failed.',
    completedIndexes: 'Indexes that have succeeded, as in 1,3-5,7: numbers in order, three or more consecutive ones as first-last.',
    uncountedTerminatedPods:
      'Terminated pods that are not in the counters yet; they keep their finalizer until then. Null for a Job without tracking by finalizers.',
    ready: 'Ready pods.',
  },
  JobCondition: { ...LAST_PROBE, ...conditionTexts('A condition of the Job.', 'Complete, Failed or Suspended') },
  UncountedTerminatedPods: {
    '': 'Uids of terminated pods that are not in the counters yet.',
    succeeded: 'Of pods that succeeded.',
    failed: 'Of pods that failed.',
  },
};

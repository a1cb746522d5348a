/** Descriptions of Jobs and their fields, in our words. Source: spec, "Job". */
import { conditionTexts, LAST_PROBE, type Texts } from '../../machinery/index.ts';

export const jobTexts: Texts = {
  Job: { '': 'Work that runs to completion, done by pods.' },
  JobStatus: {
    '': 'How far the work is.',
    conditions: 'Complete, Failed or Suspended. The first two are final.',
    startTime:
      'When the controller began; a Job that was created suspended has none before it is resumed, and each resumption sets it anew.',
    completionTime: 'When it was done; a Job that failed has none.',
    active: 'Pods that are pending or running.',
    succeeded: 'Pods that ended well.',
    failed: 'Pods that ended badly.',
    completedIndexes: 'Indexes that have succeeded, as in 1,3-5,7: numbers in order, three and more in a row as first-last.',
    uncountedTerminatedPods:
      'Pods that ended and are not yet part of the counters: they have their finalizer until they are. Null for a Job that does not track in this way.',
    ready: 'Pods that are ready.',
  },
  JobCondition: { ...LAST_PROBE, ...conditionTexts('How it stands with the Job.', 'Complete, Failed or Suspended') },
  UncountedTerminatedPods: {
    '': 'Uids of pods on their way into the counters.',
    succeeded: 'Of pods that ended well.',
    failed: 'Of pods that ended badly.',
  },
};

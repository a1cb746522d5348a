/** The Job controller, with wrong counts. */
import { inFile, type Mutant } from '../mutant.ts';

const room = 'src/controlplane/controllers/job';

export const job: readonly Mutant[] = [
  ...inFile(`${room}/manage.ts`, {
    'job/500-a-sync': ['Math.min(Math.max(0, wanted - active), MOST_PER_SYNC)', 'Math.max(0, wanted - active)'],
    'job/500-deleted-a-sync': ['surplus.slice(0, MOST_PER_SYNC)', 'surplus'],
    'job/suspension-deletes-all': ['isSuspended(job) ? surplus : surplus.slice', 'surplus.slice'],
    'job/work-queue-stops-at-success': ['return succeeded > 0 ? active : parallelism;', 'return parallelism;'],
    'job/wanted-counts-succeeded': ['Math.min(completions - succeeded, parallelism)', 'Math.min(completions, parallelism)'],
    'job/finalizer-before-deletion': [
      'hasTrackingFinalizer(pod) ? [dropFinalizers(pod, tracking), deletePodOf(job, pod)] : [deletePodOf(job, pod)]',
      '[deletePodOf(job, pod)]',
    ],
  }),
  ...inFile(`${room}/manage.ts`, {
    'job/unscheduled-go-first': ['if (scheduled !== 0) return scheduled;', 'if (scheduled !== 0) return -scheduled;'],
    'job/pending-go-first': ['if (phase !== 0) return phase;', ''],
    'job/unready-go-first': ['if (ready !== 0) return ready;', ''],
    'job/latest-ready-goes-first': ['readySince(b) - readySince(a)', 'readySince(a) - readySince(b)'],
    'job/most-restarted-goes-first': ['mostRestarts(b) - mostRestarts(a)', '0'],
    'job/youngest-goes-first': [
      'parseTime(b.metadata.creationTimestamp) - parseTime(a.metadata.creationTimestamp)',
      'parseTime(a.metadata.creationTimestamp) - parseTime(b.metadata.creationTimestamp)',
    ],
    'job/index-beyond-completions': ['index >= completions) {', 'index > completions) {'],
    'job/surplus-of-an-index': ['surplus.push(...same);', ''],
  }),
  ...inFile(`${room}/indexes.ts`, {
    'job/index-at-an-edge': ['interval.last < index) low', 'interval.last <= index) low'],
    'job/neighbours-are-written-apart': ["last === first + 1 ? ',' : '-'", "last === first + 2 ? ',' : '-'"],
    'job/spent-indexes': ['candidate = Math.max(candidate, next.last + 1);', 'candidate = Math.max(candidate, next.last);'],
    'job/merged-neighbours': [
      'first > previous.last + 1) merged',
      'first > previous.last) merged',
      { tests: ['test/controlplane/controllers/job/'] },
    ],
    'job/long-name-is-cut': ['MAX_PREFIX_LENGTH - suffix.length', 'MAX_PREFIX_LENGTH'],
  }),
  ...inFile(`${room}/owned.ts`, {}),
  ...inFile(`${room}/observe.ts`, {
    'job/most-uncounted': ['if (taken >= MOST_UNCOUNTED) break;', ''],
    'job/waits-for-expectations': ['if (!expectationsSatisfied)\n    return', 'if (false)\n    return'],
    'job/counted-once': ["known.has(uid) ? 'counted' : roleOf", "false ? 'counted' : roleOf"],
    'job/deleted-counts-as-failed': ['|| pod.metadata.deletionTimestamp !== undefined || ending;', '|| ending;'],
    'job/recorded-index-again': ['invalid || hasIndex(recorded, index)', 'invalid'],
  }),
  ...inFile(`${room}/template.ts`, {
    'job/host-name-of-an-index': ['hostname: `${job.metadata.name}-${index}`', 'hostname: job.metadata.name'],
    'job/own-index-variable-stays': ['container.env?.some(({ name }) => name === INDEX_VARIABLE) === true', 'false'],
    'job/finalizer-once': ['tracked && !finalizers.includes(tracking)', 'tracked'],
    'job/common-of-another-job': ['known.uid === job.metadata.uid && ', ''],
  }),
  ...inFile(`${room}/conditions.ts`, {
    'job/first-retry-at-once': ['requeues <= 0 ? 0', 'requeues < 0 ? 0'],
    'job/backoff-limit': ['maxMs: 360_000', 'maxMs: 640_000'],
  }),
];

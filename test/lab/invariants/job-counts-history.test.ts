/** Invariants of the counts of Jobs, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, objectOf, put, remove, tells } from './history.ts';

const TRACKED = { annotations: { 'batch.orch.io/job-tracking': '' } };
const HELD = { finalizers: ['batch.orch.io/job-tracking'] };
const job = (spec: object = {}, status: object = {}, metadata: object = TRACKED): ApiObject =>
  objectOf('Job', 'j', { metadata, spec, status });
const status = (members: object) => edit('Job', 'default/j', { status: members });
const finished = (type: string, is = 'True'): object => ({ conditions: [{ type, status: is }] });

describe('the counts of a Job', () => {
  it('never shrink while its pods are tracked', () => {
    tells('job/counts-never-shrink', [
      [put(job()), '-'],
      [status({ succeeded: 1 }), 'holds'],
      [status({ succeeded: 1 }), 'holds'],
      [edit('Job', 'default/j', { metadata: { labels: {} } }), '-'],
      [status({ succeeded: 0 }), 'Job default/j: status.succeeded went from 1 down to 0'],
      [status({ failed: 2 }), 'holds'],
      [status({ failed: 1 }), 'Job default/j: status.failed went from 2 down to 1'],
      [status({ failed: undefined }), 'Job default/j: status.failed went from 1 down to 0'],
      [status({ succeeded: 3 }), 'holds'],
      [edit('Job', 'default/j', { metadata: { annotations: {} } }), '-'],
      [status({ succeeded: 0 }), '-'],
      [remove('Job', 'default/j'), '-'],
    ]);
  });

  it('keep successes, not failures, without tracking', () => {
    tells('job/no-success-is-lost', [
      [put(job({}, { succeeded: 2, failed: 2 }, {})), '-'],
      [status({ failed: 1 }), 'holds'],
      [status({ succeeded: 1 }), 'Job default/j: status.succeeded went from 2 down to 1'],
      [edit('Job', 'default/j', { spec: { parallelism: 2 } }), '-'],
    ]);
  });
});

describe('the completed indexes of a Job', () => {
  const from = (before: string | undefined, after: string | undefined, verdict: string, metadata = TRACKED as object): void =>
    tells('job/completed-indexes-only-grow', [
      [put(job({}, { completedIndexes: before }, metadata)), '-'],
      [status({ completedIndexes: after }), verdict],
    ]);

  it.each([
    [undefined, '1'],
    ['', '0'],
    ['0', '0,1'],
    ['0,1', '0-3'],
    ['0-3', '0-1,2-3,5'],
    ['3,5', '2-6'],
    ['0,2,4', '0-4'],
    ['4-5', '0-5,2'],
    ['0-1,7-8', '0-1,3-4,6-9'],
  ])('grow from %s to %s', (before, after) => {
    from(before, after, 'holds');
  });

  it.each([
    ['0', '1'],
    ['1-5', '1-2,4-5'],
    ['0-3', '0-2,4'],
    ['0-3', '1-3'],
    ['2', '3'],
  ])('do not shrink from %s to %s', (before, after) => {
    from(before, after, `Job default/j: completedIndexes went from ${before} to ${after}`);
  });

  it('do not vanish', () => {
    from('0-3', undefined, 'Job default/j: completedIndexes went from 0-3 to none');
  });

  it('count for nothing when they stay, or when the pods are not tracked', () => {
    from('0', '0', '-');
    from('0', '1', '-', {});
  });
});

describe('a Job becomes Complete', () => {
  const completes = (spec: object, members: object, verdict: string): void =>
    tells('job/complete-means-done', [
      [put(job(spec)), '-'],
      [status({ ...members, ...finished('Complete', 'False') }), '-'],
      [status({ ...members, ...finished('Complete') }), verdict],
      [status({ ...members, ...finished('Complete') }), '-'],
    ]);

  it.each([
    [{ completions: 3 }, { succeeded: 3 }],
    [{ completions: 3 }, { succeeded: 4 }],
    [{}, { succeeded: 1 }],
    [{ completionMode: 'Indexed', completions: 0 }, {}],
    [
      { completionMode: 'Indexed', completions: 3 },
      { succeeded: 3, completedIndexes: '0-2' },
    ],
    [
      { completionMode: 'Indexed', completions: 1 },
      { succeeded: 1, completedIndexes: '0' },
    ],
  ])('of %j with %j', (spec, members) => {
    completes(spec, members, 'holds');
  });

  it.each([
    [{ completions: 3 }, { succeeded: 2 }, 'it is Complete with 2 of 3 successes'],
    [{ completions: 1 }, {}, 'it is Complete with 0 of 1 successes'],
    [{}, {}, 'a work queue is Complete without one success'],
    [{ completionMode: 'Indexed', completions: 3 }, { succeeded: 3, completedIndexes: '0,1' }, 'it is Complete with the indexes 0,1 of 3'],
    [{ completionMode: 'Indexed', completions: 2 }, { succeeded: 2 }, 'it is Complete with the indexes none of 2'],
  ])('not of %j with %j', (spec, members, clause) => {
    completes(spec, members, `Job default/j: ${clause}`);
  });

  it('or Failed, which proves nothing', () => {
    tells('job/complete-means-done', [
      [put(job({ completions: 3 })), '-'],
      [status(finished('Failed')), '-'],
    ]);
  });
});

describe('job/pods-counted-once', () => {
  const NAME = 'job/pods-counted-once';
  const pod = (name: string, metadata: object = HELD): ApiObject => objectOf('Pod', name, { metadata });
  const release = (name: string) => edit('Pod', `default/${name}`, { metadata: { finalizers: ['other'] } });
  const uncounted = (succeeded: readonly string[], failed: readonly string[] = []): object => ({
    uncountedTerminatedPods: { succeeded, failed },
  });

  it('is exercised when a pod is listed with its finalizer and counted without it', () => {
    tells(NAME, [
      [put(job()), '-'],
      [put(pod('a')), '-'],
      [put(pod('b')), '-'],
      [status(uncounted(['uid-a'], ['uid-b'])), '-'],
      [edit('Job', 'default/j', { metadata: { labels: {} } }), '-'],
      [described, new Set(['uid-a', 'uid-b'])],
      [release('a'), '-'],
      [remove('Pod', 'default/b'), '-'],
      [described, new Set()],
      [status({ ...uncounted([]), succeeded: 1, failed: 1 }), 'holds'],
    ]);
  });

  it.each([
    [
      'succeeded',
      { succeeded: 1, uncountedTerminatedPods: {} },
      'pod uid-a was counted as succeeded while it still has the finalizer, so it may be counted again',
    ],
    [
      'succeeded',
      uncounted(['uid-a', 'uid-z']),
      'pod uid-z is to be counted as succeeded, but has no finalizer any more: it was counted before, or its pod does not exist',
    ],
    ['succeeded', { succeeded: 1 }, 'status.succeeded grew by 1 while 0 pods left the list of uncounted pods'],
    [
      'failed',
      { failed: 1, uncountedTerminatedPods: {} },
      'pod uid-a was counted as failed while it still has the finalizer, so it may be counted again',
    ],
    [
      'failed',
      uncounted([], ['uid-a', 'uid-z']),
      'pod uid-z is to be counted as failed, but has no finalizer any more: it was counted before, or its pod does not exist',
    ],
    ['failed', { failed: 2 }, 'status.failed grew by 2 while 0 pods left the list of uncounted pods'],
  ])('notices a %s pod that is counted badly: %j', (list, members, clause) => {
    const before = list === 'succeeded' ? uncounted(['uid-a']) : uncounted([], ['uid-a']);
    tells(NAME, [
      [put(job()), '-'],
      [put(pod('a')), '-'],
      [status(before), '-'],
      [status(members), `Job default/j: ${clause}`],
    ]);
  });

  it('counts the successes of an Indexed Job by index, and its failures by pod', () => {
    tells(NAME, [
      [put(job({ completionMode: 'Indexed' }, uncounted([]))), '-'],
      [status({ succeeded: 2 }), 'holds'],
      [status({ failed: 1 }), 'Job default/j: status.failed grew by 1 while 0 pods left the list of uncounted pods'],
    ]);
  });

  it('is not about Jobs without tracking, nor about those that are being deleted', () => {
    tells(NAME, [
      [put(job({}, uncounted([]), {})), '-'],
      [status({ succeeded: 1 }), '-'],
      [edit('Job', 'default/j', { metadata: { ...TRACKED, deletionTimestamp: 'x' } }), '-'],
      [status({ succeeded: 3 }), '-'],
      [remove('Job', 'default/j'), '-'],
    ]);
  });
});

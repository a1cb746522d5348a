/** Adoption by a Job, also while the Job is being deleted. */
import { describe, expect, it } from 'vitest';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import { createPod } from '../../../../src/controlplane/controllers/job/owned.ts';
import { getBackoff } from '../../../../src/controlplane/controllers/job/observe.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { AT, at, barePod, jobOf, podOf } from '../../../support/objects.ts';
import { decide, phrase } from '../../../support/reconcile.ts';

const phrases = (situation: Parameters<typeof decide>[1]): readonly string[] => decide(job, situation).writes.map(phrase);
const labels = jobOf('a').spec.template.metadata?.labels;

describe('a pod without a controller', () => {
  it('is not adopted by a Job that is being deleted', () => {
    const dying = jobOf('a', {}, {}, { deletionTimestamp: AT, finalizers: ['foregroundDeletion'] });
    expect(phrases({ objects: [dying, barePod('found', 'Running', { meta: { labels } })] })).not.toContain('patch Pod found');
  });

  it('is not adopted while it is being deleted', () => {
    const found = barePod('found', 'Running', { meta: { labels, deletionTimestamp: AT } });
    expect(phrases({ objects: [jobOf('a'), found] })).toEqual(['create Pod a-', 'update Job/status a']);
  });
});

describe('a pod of a Job that is being deleted', () => {
  it('stays its own, whatever its labels are', () => {
    const dying = jobOf('a', {}, {}, { deletionTimestamp: AT, finalizers: ['foregroundDeletion'] });
    expect(phrases({ objects: [dying, podOf(dying, 'stray', 'Running', { meta: { labels: {} } })] })).not.toContain('patch Pod stray');
  });
});

describe("the pod of a Job's template", () => {
  const INDEX = 'JOB_COMPLETION_INDEX';
  const indexed = (template: object) => jobOf('a', { completionMode: 'Indexed', template } as never);
  const created = (objects: Parameters<typeof decide>[1]['objects'], gates = {}): readonly object[] =>
    decide(job, { objects, gates }).writes.flatMap((write) => (write.op === 'create' ? [write.object] : []));

  it('keeps an index variable that a container has already', () => {
    const env = [{ name: INDEX, value: 'mine' }];
    const template = { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1', env }] } };
    expect(created([indexed(template)])).toMatchObject([{ spec: { containers: [{ env }] } }]);
    expect(JSON.stringify(created([indexed(template)])).split(INDEX)).toHaveLength(2);
  });

  it('has the finalizer once', () => {
    const tracking = 'batch.kubernetes.io/job-tracking';
    const template = {
      metadata: { labels, finalizers: [tracking] },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] },
    };
    const a = jobOf('a', { template } as never, {}, { annotations: { [tracking]: '' } });
    expect(created([a], { JobTrackingWithFinalizers: true })).toMatchObject([{ metadata: { finalizers: [tracking] } }]);
  });

  it('is not that of another Job with the same template', () => {
    const names = namesFor('k8s.io');
    const { template } = jobOf('a').spec;
    const of = (name: string) => createPod({ ...jobOf(name), spec: { ...jobOf(name).spec, template } }, undefined, false, names);
    expect(of('a')).toMatchObject({ object: { metadata: { generateName: 'a-', ownerReferences: [{ uid: 'uid-a' }] } } });
    expect(of('b')).toMatchObject({ object: { metadata: { generateName: 'b-', ownerReferences: [{ uid: 'uid-b' }] } } });
  });
});

describe('the back-off of a Job', () => {
  it('doubles from ten seconds to six minutes', () => {
    expect([0, 1, 2, 3, 6, 7, 100].map((n) => getBackoff(n) / 1000)).toEqual([0, 10, 20, 40, 320, 360, 360]);
  });
});

describe('counting with finalizers', () => {
  const FINALIZER = 'batch.kubernetes.io/job-tracking';
  const gates = { JobReadyPods: true, JobTrackingWithFinalizers: true };
  const held = { meta: { finalizers: [FINALIZER] } };
  const marked = { annotations: { [FINALIZER]: '' } };

  it('waits until the cache shows the finalizers removed', () => {
    const a = jobOf('a', {}, { startTime: AT, ready: 0, uncountedTerminatedPods: { succeeded: ['uid-p'] } }, marked);
    const objects = [a, podOf(a, 'p', 'Succeeded', held)];
    expect(phrases({ objects, gates, now: at(1) })).toContain('patch Pod p');
    expect(phrases({ objects, gates, now: at(1), expectationsSatisfied: false })).not.toContain('patch Pod p');
  });

  it('counts an index once, however many pods complete it', () => {
    const status = { startTime: AT, ready: 0, succeeded: 1, completedIndexes: '0', uncountedTerminatedPods: {} };
    const a = jobOf('a', { completionMode: 'Indexed', completions: 2, parallelism: 1 }, status, marked);
    const again = podOf(a, 'again', 'Succeeded', {
      meta: { finalizers: [FINALIZER], annotations: { 'batch.kubernetes.io/job-completion-index': '0' } },
    });
    expect(phrases({ objects: [a, again], gates })).toContain('patch Pod again');
  });
});

/** Which pods lose the finalizer of their Job without being counted. */
import { describe, expect, it } from 'vitest';
import { jobOrphanPods } from '../../../../src/controlplane/controllers/job/owned.ts';
import { jobOf, podOf } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, type Situation } from '../../../support/reconcile.ts';

const FINALIZER = 'batch.kubernetes.io/job-tracking';
const gates = { JobTrackingWithFinalizers: true };
const tracked = (status: object = {}) => jobOf('j', {}, status, { annotations: { [FINALIZER]: '' } });
const free = (name: string, phase: string) => podOf(jobOf('j'), name, phase);
const held = (name: string, phase: string) => podOf(jobOf('j'), name, phase, { meta: { finalizers: [FINALIZER] } });
const FREES = [
  'no Job tracks it any more: remove its tracking finalizer',
  `patch Pod p {metadata:{uid:uid-p,$deleteFromPrimitiveList/finalizers:[${FINALIZER}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}`,
];

describe('a pod with the finalizer', () => {
  const finished = tracked({ conditions: [{ type: 'Complete', status: 'True' }] });
  const p = held('p', 'Running');
  const pods = [p, held('q', 'Failed'), free('z', 'Failed')];
  it.each<readonly [string, Situation['objects'], Parameters<typeof enqueued>[2], readonly string[]]>([
    ['of a Job that runs is left alone', [tracked()], { type: 'ADDED', object: p }, []],
    ['of a finished Job is freed', [finished], { type: 'ADDED', object: p }, ['default/p']],
    ['of no Job is freed', [], { type: 'MODIFIED', object: p, old: p }, ['default/p']],
    ['that is gone is left alone', [], { type: 'DELETED', object: p }, []],
    ['is freed when its Job finishes', pods, { type: 'MODIFIED', object: finished }, ['default/p', 'default/q']],
    ['is not freed when its Job changes', pods, { type: 'MODIFIED', object: tracked() }, []],
    ['not having it is left alone', [], { type: 'ADDED', object: free('p', 'Running') }, []],
  ])('%s', (_, objects, delta, keys) => {
    expect(enqueued(jobOrphanPods, { objects, gates }, delta)).toEqual(keys);
  });

  it.each<readonly [string, Situation['objects'], readonly string[]]>([
    ['loses it', [p], FREES],
    ['loses it when its Job has finished', [finished, p], FREES],
    ['keeps it while its Job tracks it', [tracked(), p], ['its Job tracks it']],
    ['has lost it', [free('p', 'Running')], ['it has no tracking finalizer']],
    ['is gone', [], ['it has no tracking finalizer']],
  ])('%s', (_, objects, expected) => {
    expect(linesOf(decide(jobOrphanPods, { objects, key: 'default/p', gates }))).toEqual(expected);
  });
});

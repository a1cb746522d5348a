/** A finished Job is deleted when its time has come, if the server still says so. */
import { expect, it } from 'vitest';
import { jobTtl } from '../../../../src/controlplane/controllers/job-ttl/controller.ts';
import { living } from '../lives.ts';

it('a Job is read and deleted when its time-to-live has passed', () => {
  const { cluster, make, patch, pass, writes } = living([jobTtl]);
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  make('Job', 'a', { apiVersion: 'batch/v1', spec: { ttlSecondsAfterFinished: 9, template } }, 'default');
  const time = '2024-03-01T00:00:01Z';
  const conditions = [{ type: 'Complete', status: 'True', lastProbeTime: time, lastTransitionTime: time }];
  patch('Job', 'a', { status: { conditions } }, 'status', 'default');
  pass(9_999);
  expect([writes(), cluster.store.get('Job', 'default/a')?.metadata.deletionTimestamp]).toEqual([[], undefined]);
  pass(1);
  expect([writes(), cluster.store.get('Job', 'default/a')?.metadata.finalizers]).toEqual([
    ['10000 job-ttl: delete Job default/a'],
    ['foregroundDeletion'],
  ]);
});

/** How many pods a Job creates or deletes in one sync, and which. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import { AT, jobOf, podOf } from '../../../support/objects.ts';
import { decide, phrase } from '../../../support/reconcile.ts';

const INDEX = 'batch.kubernetes.io/job-completion-index';
const J = jobOf('j');
const pod = (name: string, phase = 'Running', index?: number): Pod =>
  podOf(J, name, phase, index === undefined ? {} : { meta: { annotations: { [INDEX]: String(index) } } });
const planned = (spec: object, ...pods: readonly Pod[]): string => {
  const made = jobOf('j', spec, { startTime: AT });
  const { writes } = decide(job, { objects: [made, ...pods], gates: {} });
  return writes.map((write) => phrase(write).replace(/ Pod| Job\/status j/, '')).join(', ');
};
/** A work queue: it has no number of completions. */
const queue = (parallelism: number, ...pods: readonly Pod[]): string => planned({ parallelism, completions: undefined }, ...pods);
const indexed = (parallelism: number, ...pods: readonly Pod[]): string =>
  planned({ parallelism, completions: 3, completionMode: 'Indexed' }, ...pods);

describe('a sync', () => {
  it.each<readonly [string, () => string, string]>([
    ['starts the pods of a work queue', () => queue(2), 'create j-, create j-, update'],
    ['starts those that are missing', () => queue(2, pod('a'), pod('f', 'Failed')), 'create j-, update'],
    ['starts none after the first success', () => queue(3, pod('a'), pod('s', 'Succeeded')), 'update'],
    ['deletes what is beyond its parallelism', () => queue(1, pod('a'), pod('b', 'Pending')), 'delete b, update'],
    [
      'deletes what it cannot use',
      () => indexed(3, pod('a', 'Running', 0), pod('b', 'Pending', 0), pod('c', 'Running', 3)),
      'delete c, delete b, update',
    ],
    [
      'deletes what it cannot use first, then others',
      () => indexed(1, pod('a', 'Running', 0), pod('b', 'Pending', 0), pod('c', 'Pending', 1)),
      'delete b, delete c, update',
    ],
    ['deletes no more than it must', () => indexed(1, pod('a', 'Running', 0), pod('b', 'Pending', 0)), 'delete b, update'],
    ['fills free indexes', () => indexed(3, pod('a', 'Running', 1)), 'create j-0-, create j-2-, update'],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toBe(expected);
  });
});

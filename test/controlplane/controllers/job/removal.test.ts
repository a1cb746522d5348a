/** The order in which a Job's surplus pods are deleted, one rule at a time: by pairs that differ in one property. */
import { describe, expect, it } from 'vitest';
import { job } from '../../../../src/controlplane/controllers/job/controller.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { jobOf, podOf } from '../../../support/objects.ts';
import { decide, phrase } from '../../../support/reconcile.ts';

const EARLY = '2024-01-01T00:00:00Z';
const LATE = '2024-01-01T00:05:00Z';
const a = jobOf('a', { parallelism: 1, completions: 9 });
const readyAt = (lastTransitionTime: string): object => ({ conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] });
const restarted = (restartCount: number): object => ({ ...readyAt(EARLY), containerStatuses: [{ name: 'c', restartCount }] });

const pairs: readonly (readonly [what: string, goes: Pod, stays: Pod])[] = [
  ['one without a node', podOf(a, 'goes', 'Running', { spec: { nodeName: '' } }), podOf(a, 'stays', 'Pending')],
  ['one that is pending', podOf(a, 'goes', 'Pending'), podOf(a, 'stays', 'Running', { status: { conditions: [] } })],
  ['one that is not ready', podOf(a, 'goes', 'Running', { status: { conditions: [] } }), podOf(a, 'stays')],
  [
    'the one that has been ready for less long',
    podOf(a, 'goes', 'Running', { status: readyAt(LATE) }),
    podOf(a, 'stays', 'Running', { status: readyAt(EARLY) }),
  ],
  [
    'the one that restarted more often',
    podOf(a, 'goes', 'Running', { status: restarted(3) }),
    podOf(a, 'stays', 'Running', { status: restarted(2) }),
  ],
  [
    'the younger one',
    podOf(a, 'goes', 'Running', { meta: { creationTimestamp: LATE } }),
    podOf(a, 'stays', 'Running', { meta: { creationTimestamp: EARLY } }),
  ],
];

describe('of two pods of a Job that wants one', () => {
  it.each(pairs)('%s goes', (_what, goes, stays) => {
    for (const objects of [
      [a, goes, stays],
      [a, stays, goes],
    ])
      expect(decide(job, { objects }).writes.map(phrase)).toEqual(['delete Pod goes', 'update Job/status a']);
  });
});

describe('an Indexed Job', () => {
  const indexed = jobOf('a', { parallelism: 3, completions: 3, completionMode: 'Indexed' });
  const at = (name: string, index: number): Pod =>
    podOf(indexed, name, 'Running', { meta: { annotations: { 'batch.kubernetes.io/job-completion-index': String(index) } } });

  it('has no use for the index that equals its completions', () => {
    const objects = [indexed, at('p0', 0), at('p1', 1), at('p3', 3)];
    expect(decide(job, { objects }).writes.map(phrase)).toContain('delete Pod p3');
  });
});

describe('one sync of a Job', () => {
  const many = (count: number) => (of: typeof a) => Array.from({ length: count }, (_, i) => podOf(of, `p${i}`));
  const count = (verb: string, objects: readonly (typeof a | Pod)[]): number =>
    decide(job, { objects })
      .writes.map(phrase)
      .filter((each) => each.startsWith(verb)).length;

  it('creates at most 500 pods', () => {
    expect(count('create Pod', [jobOf('a', { parallelism: 700, completions: 700 })])).toBe(500);
  });

  it('deletes at most 500 pods', () => {
    const shrunk = jobOf('a', { parallelism: 100, completions: 900 });
    expect(count('delete Pod', [shrunk, ...many(700)(shrunk)])).toBe(500);
  });

  it('deletes all of them when it is suspended', () => {
    const suspended = jobOf('a', { parallelism: 700, completions: 900, suspend: true });
    expect(count('delete Pod', [suspended, ...many(700)(suspended)])).toBe(700);
  });
});

/** The order of attempts, and how long unschedulable pods wait. */
import { describe, expect, it } from 'vitest';
import { podInfo, type PodInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { SchedulingQueue } from '../../../../src/controlplane/agents/scheduler/queue.ts';
import { barePod } from '../../../support/objects.ts';

const pod = (name: string, priority = 0): PodInfo => podInfo(barePod(name, 'Pending', { spec: { priority } }));
const queue = () => new SchedulingQueue({ startedAt: 0, maxRefusedMs: 300_000, helps: () => true });

describe('unscheduled pods', () => {
  it('are tried by priority, then by their time in the queue, then in order of arrival', () => {
    const waiting = queue();
    waiting.add(pod('late'), 20);
    waiting.add(pod('early'), 10);
    waiting.add(pod('also-early'), 10);
    waiting.add(pod('vital', 5), 30);
    expect([1, 2, 3, 4, 5].map(() => waiting.pop()?.info.pod.metadata.name)).toEqual(['vital', 'early', 'also-early', 'late', undefined]);
  });

  it('wait a second after the first attempt, twice as long after each, ten at most', () => {
    const waiting = queue();
    waiting.add(pod('p'), 0);
    const waits = [1, 2, 3, 4, 5, 6].map((attempt) => {
      const now = attempt * 100_000;
      const tried = waiting.pop();
      if (tried === undefined) throw new Error('nothing waits');
      waiting.refuse(tried, ['x'], now, true);
      const at = waiting.wakeAt(tried)?.at ?? 0;
      waiting.tick(at);
      return (at - now) / 1000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('are retried at the first flush after more than five minutes', () => {
    const flushed = (refusedAt: number): number | undefined => {
      const waiting = queue();
      waiting.add(pod('p'), 0);
      const tried = waiting.pop();
      if (tried === undefined) throw new Error('nothing waits');
      waiting.refuse(tried, ['x'], refusedAt);
      return waiting.wakeAt(tried)?.at;
    };
    expect([29_999, 30_000].map(flushed)).toEqual([330_000, 360_000]);
  });
});

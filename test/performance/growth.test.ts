/** The cost of a pod does not depend on the number of pods: it is counted, not timed. */
import { describe, expect, it } from 'vitest';
import { runJobs, type Counts } from './workloads.ts';

const perPod = ({ pods, commits, deliveries, reconciles, events }: Counts): Readonly<Record<string, number>> => ({
  commits: commits / pods,
  deliveries: deliveries / pods,
  reconciles: reconciles / pods,
  events: events / pods,
});

describe('one Job of many pods', () => {
  const small = runJobs({ jobs: 1, pods: 500, parallelism: 100 });
  const large = runJobs({ jobs: 1, pods: 2_500, parallelism: 100 });

  it.each(['commits', 'deliveries', 'reconciles', 'events'])('takes the same %s a pod for 500 and for 2,500 completions', (what) => {
    expect(perPod(large)[what]).toBeLessThanOrEqual((perPod(small)[what] ?? 0) * 1.05);
  });

  it('is a bounded number of kernel events a pod', () => {
    // Create, bind, running, finished, counted: five writes with an event each, fourteen deliveries, the Scheduled event, one timer, four
    // decisions.
    expect(perPod(large)['events']).toBeLessThan(28);
    expect(perPod(large)['commits']).toBeLessThan(6.3);
  });

  it('visits each pod a constant number of times', () => {
    expect(small.visited / small.pods).toBeLessThan(8);
    expect(large.visited / large.pods).toBeLessThanOrEqual((small.visited / small.pods) * 1.1);
  });
});

describe('pods divided among Jobs', () => {
  it('take the same deliveries in Jobs of 10 as in one of 1,000', () => {
    const many = perPod(runJobs({ jobs: 100, pods: 10, parallelism: 10 }));
    const one = perPod(runJobs({ jobs: 1, pods: 1_000, parallelism: 1_000 }));
    // A Job has a few writes and deliveries of its own.
    expect(many['deliveries']).toBeLessThanOrEqual((one['deliveries'] ?? 0) * 1.1);
    expect(many['events']).toBeLessThanOrEqual((one['events'] ?? 0) * 1.3);
  });

  it('are not visited by syncs of other Jobs', () => {
    const few = runJobs({ jobs: 10, pods: 10, parallelism: 5 });
    const many = runJobs({ jobs: 100, pods: 10, parallelism: 5 });
    expect(many.visited / many.pods).toBeLessThanOrEqual((few.visited / few.pods) * 1.1);
  });
});

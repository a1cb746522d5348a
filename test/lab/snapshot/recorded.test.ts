/**
 * The end states of the recordings, as dumps: a cluster that was at rest writes nothing. What is written is explained below, by what was going
 * on. Every sixth case; ORCHSIM_DUMPS_EVERY=1 takes all.
 */
import { expect, test } from 'vitest';
import { oracleCases, type OracleVersion } from '../../support/oracle.ts';
import { simulate, type FirstWrite } from '../../../src/lab/simulation/index.ts';
import { beginWith, dumpOf } from './setup.ts';

const EVERY = Number(process.env['ORCHSIM_DUMPS_EVERY'] ?? 6);
const GATES = { JobTrackingWithFinalizers: true, CronJobTimeZone: true, StatefulSetAutoDeletePVC: true, MaxUnavailableStatefulSet: true };
const VERSIONS: readonly OracleVersion[] = ['v1.24', 'v1.24-gates', 'v1.24-workloads'];

/** What was going on when a recording ended: the authors of the writes, and what the dump must show. */
const GOING_ON: readonly { readonly why: string; readonly authors: readonly string[]; readonly shows: RegExp }[] = [
  { why: 'a run is due within the minute', authors: ['cron-job', 'job', 'scheduler', 'pod-runner'], shows: /"kind":"CronJob"/ },
  {
    why: 'pods become available when minReadySeconds have passed',
    authors: ['replica-set', 'deployment', 'daemon-set', 'stateful-set', 'disruption'],
    shows: /"minReadySeconds":\d/,
  },
  {
    why: 'containers restart after a back-off',
    authors: ['pod-runner', 'replica-set', 'deployment', 'daemon-set', 'job', 'endpoints', 'endpoint-slice'],
    shows: /CrashLoopBackOff|"restartCount":[1-9]/,
  },
  {
    why: 'autoscalers had not reached their target',
    authors: ['horizontal-pod-autoscaler', 'deployment', 'replica-set', 'scheduler', 'pod-runner'],
    shows: /"HorizontalPodAutoscaler"/,
  },
  {
    why: 'volumes of claims that are gone are released',
    authors: ['volume-binder', 'reclaimer', 'volume-protection'],
    shows: /"kind":"PersistentVolume"/,
  },
  { why: 'claims have lost their volumes', authors: ['claim-binder'], shows: /"kind":"PersistentVolumeClaim"/ },
  { why: 'volumes are being attached', authors: ['attach-detach'], shows: /"kind":"VolumeAttachment"/ },
  { why: 'a pod cannot be scheduled, and the message names other nodes', authors: ['scheduler'], shows: /"reason":"Unschedulable"/ },
  { why: 'a recording ends before its namespace is empty', authors: ['endpoints', 'endpoint-slice'], shows: /"kind":"Endpoints/ },
  { why: 'a deadline passes', authors: ['deployment'], shows: /"progressDeadlineSeconds":\d\b|"progressDeadlineSeconds":\d\d\b/ },
];

const unexplained = (dump: string, writes: readonly FirstWrite[]): readonly FirstWrite[] =>
  writes.filter(({ author }) => !GOING_ON.some(({ authors, shows }) => authors.includes(author) && shows.test(dump)));

test.each(VERSIONS)('the end states of %s restart silent, or what was going on goes on', (version) => {
  const cases = oracleCases(version).filter(({ trace }, at) => trace.length > 0 && at % EVERY === 0);
  let silent = 0;
  for (const recorded of cases) {
    const dump = dumpOf(recorded);
    if (dump.endsWith('"items":[]}')) continue;
    const read = beginWith(dump, { file: `${recorded.name}.json`, spec: version === 'v1.24-gates' ? { featureGates: GATES } : {} });
    if ('problems' in read) {
      // Pods on a node that was taken away: nothing else in these recordings contradicts itself.
      expect(
        read.problems.every((line) => line.includes('spec.nodeName: expected one of the')),
        recorded.name,
      ).toBe(true);
      continue;
    }
    const { firstWrites = [] } = simulate(read.scenario, { mayBeIdle: true, digest: false });
    if (firstWrites.length === 0) silent++;
    expect(unexplained(dump, firstWrites), recorded.name).toEqual([]);
  }
  expect(silent / cases.length, `${silent} of ${cases.length} are silent`).toBeGreaterThan(0.5);
});

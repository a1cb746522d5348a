/** Where a run of an incident and its log part. */
import { expect, it } from 'vitest';
import { judgeIncident } from '../../../src/lab/incident/index.ts';
import type { Recorded } from '../../../src/lab/scenario/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const BASE = scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: incident }
spec:
  domain: k8s.io
  startTime: 2024-03-01T00:00:00Z
  steps:
    - at: 1s
      create:
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: { name: web }
        spec:
          replicas: 2
          selector: { matchLabels: { app: web } }
          template:
            metadata: { labels: { app: web } }
            spec: { containers: [{ name: c, image: i }] }
`);
const POD = 'Pod of ReplicaSet default/web';
const write = (atMs: number, did: string, of = POD) => ({ atMs, of, did, by: 'replicaset-controller', log: `audit.log:${atMs}` });
const judged = (recorded?: Recorded) => judgeIncident({ ...BASE, untilMs: 40_000, ...(recorded === undefined ? {} : { recorded }) });

/** A line for each difference: what lacks it, the write of the run, that of the log, and the reason. */
const lines = ({ partings }: ReturnType<typeof judged>): readonly string[] =>
  partings.map(({ atMs, lacks, run, log, why }) => `${atMs} ${lacks}: ${run?.did ?? '-'} | ${log?.log ?? '-'} | ${why ?? '-'}`);

it('a run meets the writes of the log, and parts where one of them has others', () => {
  const found = judged({
    withinMs: 5000,
    untilMs: 30_000,
    covers: ['Pod created', 'Pod deleted'],
    writes: [write(1000, 'created'), write(1000, 'deleted'), write(20_000, 'created')],
  });
  expect(found.met).toBe(1);
  expect(lines(found)).toEqual([
    '1000 log: created | audit.log:20000 | 0 of 2 pods, 0 ready: 2 more pods to create',
    '1000 run: Ready True | audit.log:1000 | -',
    '20000 run: - | audit.log:20000 | -',
  ]);
});

it('writes of the run that the log should have are named with their reasons', () => {
  const found = judged({ withinMs: 5000, untilMs: 30_000, covers: ['Pod created'], writes: [] });
  expect([found.met, lines(found)]).toEqual([
    0,
    [
      '1000 log: created | - | 0 of 2 pods, 0 ready: 2 more pods to create',
      '1000 log: created | - | 0 of 2 pods, 0 ready: 2 more pods to create',
    ],
  ]);
});

it('without a record nothing is compared', () => {
  const { met, partings, run } = judged();
  expect([met, partings, run.lengthMs]).toEqual([0, [], 40_000]);
});

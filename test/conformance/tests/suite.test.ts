import { describe, expect, it } from 'vitest';
import { compare, DEVIATIONS, formatResult, verdictOf, replay, signature, tally } from '../index.ts';
import type { CaseRun, RecordedCase, TraceLine, TracedObject } from '../index.ts';
import { oracleCases } from '../../support/oracle.ts';

let revision = 0;
const change = (t: number, type: string, object: TracedObject): TraceLine => ({
  t,
  type,
  object: { ...object, metadata: { resourceVersion: `${++revision}`, namespace: 'ns', ...object.metadata } },
});
const job = (status: TracedObject['status'] = {}): TracedObject => ({ kind: 'Job', metadata: { name: 'a', uid: 'job' }, status });
const pod = (name: string, phase: string): TracedObject => ({
  kind: 'Pod',
  metadata: { name, uid: name, ownerReferences: [{ kind: 'Job', name: 'a', controller: true }] },
  status: { phase },
});
const event = (message: string): TracedObject => ({
  kind: 'Event',
  type: 'Normal',
  reason: 'SuccessfulCreate',
  message,
  involvedObject: { kind: 'Job' },
  source: { component: 'job-controller' },
});

const recorded = [
  change(0, 'ADDED', job()),
  change(0.1, 'ADDED', pod('a-x2x2x', 'Pending')),
  change(0.1, 'ADDED', event('Created pod: a-x2x2x')),
  change(1, 'MODIFIED', pod('a-x2x2x', 'Running')),
  change(20, 'MODIFIED', pod('a-x2x2x', 'Succeeded')),
  change(21, 'MODIFIED', job({ succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] })),
];
const differences = (simulated: readonly TraceLine[]): string[] => compare(signature(recorded), signature(simulated));
const but = (at: number, ...instead: TraceLine[]): TraceLine[] => recorded.toSpliced(at, 1, ...instead);

describe('comparing', () => {
  it('ignores random names and small shifts', () => {
    const renamed = recorded.map(
      (line): TraceLine => JSON.parse(JSON.stringify({ ...line, t: line.t + 1.9 }).replaceAll('x2x2x', 'zzzzz')) as TraceLine,
    );
    expect(differences(renamed)).toEqual([]);
  });

  it.each([
    [
      'a final state',
      but(5, change(21, 'MODIFIED', job({ succeeded: 2, conditions: [{ type: 'Complete', status: 'True' }] }))),
      [/^final {3}1 vs 0: Job a: .*succeeded=1/, /^final {3}0 vs 1: Job a: .*succeeded=2/],
    ],
    ['something that never happens', but(3), [/^happens 1 vs 0: Running Pod of a$/]],
    [
      'something that comes too late',
      but(5, change(25, 'MODIFIED', job({ succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] }))),
      [/^time {4}Job a Complete=True #1: 21 vs 25$/],
    ],
    ['a missing event', but(2), [/^event {3}missing: Normal SuccessfulCreate \[Job\] Created pod: <pod>$/]],
    [
      'an extra event',
      [...recorded, change(1, 'ADDED', event('Deleted pod: a-x2x2x'))],
      [/^event {3}extra: Normal SuccessfulCreate \[Job\] Deleted pod: <pod>$/],
    ],
  ])('sees %s', (_what, simulated, expected) => {
    expect(differences(simulated)).toEqual(expected.map((pattern): unknown => expect.stringMatching(pattern)));
  });
});

describe('verdicts', () => {
  const deviation = { case: 'a', folder: 'v1.24', reason: 'the specification wins', differences: [/^time /] } as const;

  it('accept only expected differences', () => {
    expect(verdictOf('v1.24', 'a', [], [deviation])).toEqual({ verdict: 'ok' });
    expect(verdictOf('v1.24', 'a', ['time    x'], [deviation])).toEqual({ verdict: 'deviation', reason: 'the specification wins' });
    expect(verdictOf('v1.24', 'a', ['time    x', 'final   y'], [deviation])).toEqual({ verdict: 'differs' });
    expect(verdictOf('v1.24', 'b', ['time    x'], [deviation])).toEqual({ verdict: 'differs' });
    expect(verdictOf('v1.24-gates', 'a', ['time    x'], [deviation])).toEqual({ verdict: 'differs' });
  });

  it('are listed for existing cases, each with a reason', () => {
    const names = new Set(
      [...oracleCases('v1.24'), ...oracleCases('v1.24-gates'), ...oracleCases('v1.24-workloads')].map(({ name }) => name),
    );
    for (const { case: name, reason, differences: patterns } of DEVIATIONS) {
      expect(reason, name).not.toBe('');
      expect(patterns.length, name).toBeGreaterThan(0);
      expect(names, name).toContain(name);
    }
  });
});

describe('a suite', () => {
  const one: RecordedCase = {
    name: 'a',
    actions: { namespace: 'ns', startWallClock: '2024-01-01T00:00:00Z', durationSeconds: 30, actions: [] },
    trace: recorded,
  };
  const options = { folder: 'v1.24', gates: false };
  const ran = (lines: readonly TraceLine[], ...failures: string[]): CaseRun => ({ lines, failures });

  it('reports the result of each case', () => {
    const results = [
      replay(one, () => ran(recorded), options),
      replay(one, () => ran(but(3)), options),
      replay(one, () => ran(recorded, '5 s: the server refused it'), options),
      replay(
        one,
        () => {
          throw new Error('no such kind');
        },
        options,
      ),
      replay({ ...one, actions: { actions: [] } }, () => ran([]), options),
    ];
    expect(results.map(({ verdict }) => verdict)).toEqual(['ok', 'differs', 'differs', 'crashed', 'skipped']);
    expect(tally(results)).toEqual({ passed: 1, failed: 3 });
    expect(results.map((result) => formatResult('v1.24', result).split('\n')[0])).toEqual([
      'ok        v1.24/a',
      'differs   v1.24/a  1 difference',
      'differs   v1.24/a  1 difference',
      'crashed   v1.24/a: Error: no such kind',
      'skipped   v1.24/a: it has no action that a scenario can express',
    ]);
  });

  it('shows the first differences, and how many more there are', () => {
    const text = formatResult('v1.24', { name: 'a', verdict: 'differs', differences: ['final   x', 'final   y', 'final   z'] }, 2);
    expect(text).toBe(
      'differs   v1.24/a  3 differences\n            final   x\n            final   y\n            … 1 more (--all shows them)',
    );
  });
});

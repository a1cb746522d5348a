/** Pending events can be put first in a fork, and then are; otherwise the reason is given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forkAt, readForkStep } from '../../../src/lab/fork/index.ts';
import { typedChoices, waitingAt, type Delay, type Waiting } from '../../../src/lab/order/index.ts';
import { formatScenario, type Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { shortKey, type Entry, type Trace } from '../../../src/lab/trace/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const root = join(import.meta.dirname, '../../..');
const shipped = (file: string): Scenario => scenarioIn(readFileSync(join(root, 'scenarios', file), 'utf8'));

function traced(scenario: Scenario): { readonly trace: Trace; readonly digest: string; readonly unused: readonly unknown[] } {
  const { trace, digest, unused } = simulate(scenario, { trace: true, tries: false });
  if (trace === undefined) throw new Error('no trace');
  return { trace, digest, unused };
}

/** A fork at a step of a run with some choices. */
function forked(scenario: Scenario, trace: Trace, step: number, choices: readonly Delay[]): Scenario {
  const read = readForkStep(typedChoices(choices));
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const at = trace.entries[step - 1]?.at ?? trace.startAt;
  return forkAt(scenario, trace, { step, at }, read, { name: 'fork', said: 'another order', keepLater: true }).scenario;
}

/** Describes an entry as a pending event is described; requests are left out, because their entries have no key. */
function calledOf(entry: Entry): string | undefined {
  if (entry.type === 'delivery') return `${entry.process} sees ${entry.kind} ${shortKey(entry.key)}, revision ${entry.revision}`;
  return entry.type === 'reconcile' ? `${entry.controller} decides about ${shortKey(entry.key)}` : undefined;
}

const called = ({ entries }: Trace, until = entries.length): readonly (string | undefined)[] => entries.slice(0, until).map(calledOf);

/** Returns the step of an event in another run, by the number of its earlier occurrences in this one. */
function placeIn(other: Trace, what: string, before: number): number {
  let left = before + 1;
  return called(other).findIndex((each) => each === what && --left === 0);
}

const isRequest = ({ what }: Waiting): boolean => what.includes(' writes for ');

describe.each([
  'lessons/03-crash-between-writes.yaml',
  'lessons/05-conflict.yaml',
  'lessons/07-identity.yaml',
  'daemon-set/01-one-on-each-node.yaml',
])('pending events in %s', (file) => {
  const scenario = shipped(file);
  const { trace, digest } = traced(scenario);
  const steps = [0.02, 0.12, 0.25, 0.5, 0.75].map((part) => Math.round(part * trace.entries.length));

  it('happen in order, and first in a fork where that is possible', () => {
    let gone = 0;
    for (const step of steps) {
      const all = waitingAt(scenario, scenario.seed, step);
      expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort((a, b) => a - b));
      for (const [index, each] of all.entries()) {
        expect((each.first === undefined) !== (each.because === undefined)).toBe(true);
        if (each.first === undefined || each.first.length === 0 || isRequest(each)) continue;
        const fork = forked(scenario, trace, step, each.first);
        const run = traced(fork);
        expect([each.what, run.unused]).toEqual([each.what, []]);
        expect(run.digest).not.toBe(digest);
        const before = called(trace, step);
        const place = ({ what }: Waiting): number => placeIn(run.trace, what, before.filter((one) => one === what).length);
        const mine = place(each);
        expect([each.what, mine >= 0]).toEqual([each.what, true]);
        for (const other of all.slice(0, index).filter((one) => !isRequest(one) && one.what !== each.what)) {
          const its = place(other);
          // In another order the event may not happen at all.
          if (its >= 0) expect([each.what, other.what, its > mine]).toEqual([each.what, other.what, true]);
        }
        gone++;
      }
    }
    expect(gone).toBeGreaterThan(3);
  });
});

describe('another order', () => {
  const scenario = shipped('lessons/03-crash-between-writes.yaml');
  const { trace } = traced(scenario);
  const second = (): Waiting => {
    const found = waitingAt(scenario, scenario.seed, 40)[1];
    if (found === undefined) throw new Error('nothing waits');
    return found;
  };

  it('is a file with the same contents', () => {
    const fork = forked(scenario, trace, 40, second().first ?? []);
    expect(fork.choices?.length).toBeGreaterThan(0);
    const text = formatScenario(fork, { faults: vocabulary().faults });
    expect(text).toContain('choices:');
    expect(traced(scenarioIn(text)).digest).toBe(traced(fork).digest);
  });

  it('can delay an event by any time', () => {
    const { later, what } = second();
    const fork = forked(scenario, trace, 40, later?.(5_000) ?? []);
    const run = traced(fork);
    expect(run.unused).toEqual([]);
    const faults = run.trace.entries.flatMap((entry) => (entry.type === 'fault' ? [`${entry.fault} ${entry.detail}`] : []));
    expect([what, faults.some((each) => /comes 5s late|5s late/.test(each))]).toEqual([what, true]);
  });

  it('holds longer what the scenario holds already', () => {
    const held = forked(scenario, trace, 40, second().later?.(300) ?? []);
    const [choice] = held.choices ?? [];
    const again = waitingAt(held, held.seed, 44).flatMap(({ later }) => later?.(200) ?? []);
    expect(again).toContainEqual({ at: choice?.at, injectedFault: { do: 'hold', ms: 500 } });
  });

  it('says why something cannot go first', () => {
    const text = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: two-jobs }
spec:
  cluster: { latency: { watch: 20ms } }
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: one }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: two }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 1s
      fault: { crash: controller-manager, restartAfter: 1s }
`;
    const twoJobs = scenarioIn(text);
    const run = traced(twoJobs);
    const jobs =
      run.trace.entries.findLastIndex((entry) => entry.type === 'write' && entry.change.kind === 'Job' && entry.change.type === 'ADDED') +
      1;
    const waits = waitingAt(twoJobs, 1, jobs);
    const of = (part: string): Waiting | undefined => waits.find(({ what }) => what.includes(part));
    expect(of('controller-manager sees Job one')?.first).toBeDefined();
    expect(of('controller-manager sees Job two')?.because).toBe('the events of one watch keep their order');
    // Actions of the scenario have fixed times.
    const crash = run.trace.entries.findIndex((entry) => entry.type === 'fault') + 1;
    const behind = waitingAt(twoJobs, 1, crash);
    expect(behind.map(({ what }) => what)).toContain('restart controller-manager');
  });

  it('is refused where it is none', () => {
    for (const [typed, reported] of [
      ['choices: [{ at: "nowhere in particular", hold: 5s }]', 'the address of a point'],
      ['choices: [{ at: "see a Pod x #1", late: 5s }]', 'a point at which late can be injected'],
      ['choices: 5', 'choices'],
    ] as const) {
      const read = readForkStep(typed);
      expect('problems' in read ? read.problems.join('\n') : 'it was read').toContain(reported);
    }
  });
});

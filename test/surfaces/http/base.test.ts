/** The summary of dropped entries in the trace of a served cluster. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { cursorAt, entryLine, readTrace, viewAt, viewsOf, type Entry, type Trace } from '../../../src/lab/trace/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';
import { createHistory } from '../../../src/surfaces/http/sim/history.ts';

const SCENARIO = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: two-jobs }
spec:
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 2s
      delete: Job/a
    - at: 3s
      apply: { apiVersion: batch/v1, kind: Job, metadata: { name: b }, spec: { completions: 2, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;

describe('the whole trace of a served cluster', () => {
  const read = readScenarios(SCENARIO);
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error(JSON.stringify(read));
  const [scenario] = read.scenarios;
  const entries: Entry[] = [];
  /** A server that keeps few entries. */
  const linesOf = (keep: number): readonly string[] => {
    const history = createHistory(keep);
    entries.length = 0;
    const run = simulate(scenario, {
      trace: true,
      onPrologue: history.onPrologue,
      onRenewalInterval: history.onRenewalInterval,
      onEntry: (entry) => {
        entries.push(entry);
        history.add(entry);
      },
    });
    whole = run.trace;
    let text = '';
    history
      .stream({
        from: 0,
        follow: false,
        events: false,
        head: { trace: 'orchsim/v1', scenario: 'two-jobs', seed: 1, startAt: scenario.startAt, domain: 'orch.io' },
        showSecrets: false,
      })
      .open({
        write(piece) {
          text += piece;
        },
        end: () => undefined,
      });
    return text.trim().split('\n');
  };
  let whole: Trace | undefined;

  it.each([1_000_000, 10])('ends with the objects that there are, whether it keeps %d entries or not', (keep) => {
    const lines = linesOf(keep);
    const reported = readTrace(lines);
    if ('error' in reported || whole === undefined) throw new Error(JSON.stringify(reported));
    // Deliveries exist only for kept entries.
    const deliveries = lines.filter((line) => line.includes('"type":"delivery"')).length;
    const all = entries.filter(({ type }) => type === 'delivery').length;
    expect(deliveries < all).toBe(keep === 10);
    const [here, there] = [reported.trace, whole].map((trace) => cursorAt(trace, trace.entries.length));
    for (const kind of there?.kinds() ?? []) if (kind !== 'Lease') expect(new Set(here?.list(kind))).toEqual(new Set(there?.list(kind)));
    expect(here?.kinds().toSorted()).toEqual(there?.kinds().toSorted());
    for (const process of viewsOf(whole)) {
      const [saw, sees] = [viewAt(reported.trace, process, reported.trace.entries.length), viewAt(whole, process, whole.entries.length)];
      expect(saw.kinds().toSorted()).toEqual(sees.kinds().toSorted());
      // Objects that were deleted and never delivered are not in the summary.
      if (keep !== 10) expect(saw.list('Pod')).toEqual(sees.list('Pod'));
      expect(saw.list('Job')).toEqual(sees.list('Job'));
    }
    // Kept entries are unchanged.
    const last = entries.at(-1);
    expect(last === undefined ? '' : entryLine(last)).toBe(lines.at(-1));
  });
});

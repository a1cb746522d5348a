import { assertHeld } from '../../../src/surfaces/api/index.ts';
import { describe, expect, it } from 'vitest';
import {
  coverageLines,
  createTimeline,
  describeFailures,
  junit,
  mergeSweep,
  pad,
  PLAIN,
  replayCommand,
  summarize,
  sweepLines,
  table,
  widthOf,
} from '../../../src/surfaces/report/index.ts';
import type { RunSummary } from '../../../src/surfaces/report/index.ts';
import { storyRun } from '../../lab/trace/run.ts';

const held = summarize(storyRun(), 'a.yaml');
const broken = (seed: number, message = 'it broke'): RunSummary => ({
  ...held,
  seed,
  verdict: 'broken',
  failures: [{ kind: 'invariant', invariant: 'job/x', message, detail: [], sinceStartMs: 5_000, traceStep: 3 }],
});

describe('columns', () => {
  it('count visible characters', () => {
    expect(widthOf('\u001B[31m✓ red\u001B[39m')).toBe(5);
    expect(pad('\u001B[2mab\u001B[22m', 4)).toBe('\u001B[2mab\u001B[22m  ');
    expect(
      table([
        ['a', 'b'],
        ['long', 'c'],
      ]),
    ).toEqual(['a     b', 'long  c']);
  });
});

describe('a sweep', () => {
  it('adds up runs in the order of their seeds', () => {
    const sweep = mergeSweep([held, broken(2), broken(3)]);
    expect(sweep).toMatchObject({
      seeds: 3,
      held: 1,
      commits: held.counters.commits * 3,
      failing: [{ seed: 2, replay: 'npx orchsim run a.yaml --seed 2 -v' }, { seed: 3 }],
    });
    expect(mergeSweep([])).toBeUndefined();
    expect(mergeSweep([broken(2), { ...broken(3), digest: 'other' }])?.digest).not.toBe(mergeSweep([broken(2), broken(3)])?.digest);
  });

  it('lists equal failures once, with their seeds', () => {
    const sweep = mergeSweep([broken(2), broken(3, 'otherwise'), broken(4)]);
    const lines = sweep === undefined ? [] : sweepLines(sweep, PLAIN);
    expect(lines.slice(2)).toEqual([
      '    job/x: it broke',
      '      2 seeds 2, 4',
      '      npx orchsim run a.yaml --seed 2 -v',
      '    job/x: otherwise',
      '      seed 3',
      '      npx orchsim run a.yaml --seed 3 -v',
    ]);
  });
});

describe('coverage', () => {
  const fault = (name: string, injected: number) => ({ fault: name, injected, controllers: injected === 0 ? {} : { job: injected } });
  const report = { runs: 2, faults: [fault('crash', 3), fault('lag', 0), fault('delay', 0)], invariants: [], reasons: [], others: [] };

  it('names the faults that no run injected, and has no such line where all were', () => {
    const lines = coverageLines(report, PLAIN);
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}crash +3 +3$/));
    expect(lines).toContain('    never: lag, delay');
    expect(coverageLines({ ...report, faults: [fault('crash', 3)] }, PLAIN).join('\n')).not.toContain('never');
  });
});

describe('a timeline', () => {
  const { trace } = storyRun();
  const reported = (level: number) => {
    const timeline = createTimeline(trace.startAt, level);
    return trace.entries.flatMap((entry, at) => {
      const parts = timeline.next(entry, at + 1);
      return parts === undefined ? [] : [{ entry, parts }];
    });
  };

  it('has every write except heartbeats, every fault, and the reason of a decision once', () => {
    const lines = reported(1);
    const types = new Set(lines.map(({ entry }) => entry.type));
    expect(types.has('delivery')).toBe(false);
    expect(types.has('fault')).toBe(true);
    const first = lines.filter(
      ({ parts }) => parts.why === '0 active, 0 succeeded, 0 failed: 2 more pods to create' && parts.about === 'pi',
    );
    expect(first).toHaveLength(1);
  });

  it('has everything at level 2', () => {
    expect(reported(2)).toHaveLength(trace.entries.length);
  });
});

describe('files for machines', () => {
  it('escape characters that XML forbids', () => {
    const text = junit([{ run: broken(1, 'a < b & "c"\u0001'), explanations: [] }]);
    expect(text).toContain('message="job/x: a &lt; b &amp; &quot;c&quot;�"');
    expect(text).toContain('tests="1" failures="1"');
  });

  it('quote paths for the shell', () => {
    expect(replayCommand("it's a file.yaml", 1)).toBe(String.raw`npx orchsim run 'it'\''s a file.yaml' --seed 1 -v`);
  });
});

describe('assertHeld', () => {
  it('reports everything that is known of a run that did not hold', () => {
    const run = storyRun();
    expect(() => {
      assertHeld(run);
    }).not.toThrow();
    const failed = { ...run, verdict: 'broken' as const, failures: broken(1).failures };
    expect(() => {
      assertHeld(failed);
    }).toThrow(
      /^story \(seed 1\) did not hold\n[\s\S]*invariant job\/x is broken: it broke[\s\S]*see it again: simulate\(scenario, \{ seed: 1, trace: true \}\)\nORCH_NOT_HELD: npx orchsim help errors-runs$/,
    );
    // Without a file there is no command.
    expect(() => {
      assertHeld(failed, 'a.yaml');
    }).toThrow('see it again: npx orchsim run a.yaml --seed 1 -v');
    expect(describeFailures(run)).toBe('');
  });
});

/** Runs as documents for programs: JSON and JUnit XML. */
import { describe, expect, it } from 'vitest';
import { junit, runsJson, summarize } from '../../../src/surfaces/report/index.ts';
import { storyRun } from '../../lab/trace/run.ts';
import { failure, parts, summaryOf } from './samples.ts';

const FAILED = summaryOf({
  verdict: 'broken',
  failures: [
    failure({ kind: 'invariant', invariant: 'job/x', detail: ['expected a'], waits: ['a node'] }),
    failure({ kind: 'limit', message: 'it does not end' }),
  ],
});
const CHAIN = [parts(), parts({ step: '#2' })];
const EXPLAINED = [
  { chain: CHAIN, more: 0, waits: ['an image'], cacheView: { unseen: 'u', reasons: 'r' } },
  { chain: [], more: 0, busiest: [{ who: 'job', key: 'a/b', decisions: 2, lastWhy: 'w' }] },
];

describe('JSON', () => {
  const read = (...given: Parameters<typeof runsJson>): unknown => JSON.parse(runsJson(...given));

  it('counts the runs by verdict, and has each of them', () => {
    const held = summaryOf();
    const unsettled = summaryOf({ verdict: 'unsettled' });
    const runs = [held, unsettled, unsettled, held, held].map((run) => ({ run, explanations: [], tookMs: 5 }));
    expect(read(runs, 3)).toEqual({
      held: 3,
      broken: 0,
      unsettled: 2,
      exitCode: 3,
      runs: [held, unsettled, unsettled, held, held],
    });
    expect(runsJson(runs, 0)).toMatch(/^\{\n {2}"held": 3,\n[^]*\n\}\n$/);
  });

  it('explains each failure', () => {
    const { failures, ...rest } = FAILED;
    expect(read([{ run: FAILED, explanations: EXPLAINED }], 1)).toEqual({
      held: 0,
      broken: 1,
      unsettled: 0,
      exitCode: 1,
      runs: [
        {
          ...rest,
          failures: [
            {
              ...failures[0],
              causes: [
                { ...parts(), line: '5.000s  #3     job                pi               create Pod pi-0  rv 9   it is needed' },
                {
                  ...parts({ step: '#2' }),
                  line: '5.000s  #2     job                pi               create Pod pi-0  rv 9   it is needed',
                },
              ],
              waits: ['an image'],
              cacheView: { unseen: 'u', reasons: 'r' },
              replay: 'npx orchsim run web.yaml --seed 7 -v',
            },
            {
              ...failures[1],
              causes: [],
              busiest: [{ who: 'job', key: 'a/b', decisions: 2, lastWhy: 'w' }],
              replay: 'npx orchsim run web.yaml --seed 7 -v',
            },
          ],
        },
      ],
    });
    expect(read([{ run: FAILED, explanations: [] }], 1)).toMatchObject({ runs: [{ failures: [{ causes: [], waits: ['a node'] }, {}] }] });
  });

  it('says what was not run, what could not be read, and what was covered', () => {
    const unrun = [{ scenario: 'db', file: 'db.yaml', seed: 1 }];
    const unread = [{ file: 'x.yaml', messages: ['wrong'] }];
    const coverage = { runs: 1, faults: [], invariants: [], reasons: [], others: [] };
    expect(read([{ run: summaryOf(), explanations: [] }], 130, { unrun, unread, coverage })).toEqual({
      held: 1,
      broken: 0,
      unsettled: 0,
      exitCode: 130,
      interrupted: { run: 1, of: 2, unrun },
      unreadable: unread,
      coverage,
      runs: [summaryOf()],
    });
  });
});

describe('JUnit', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const virtual = '      <properties>\n        <property name="virtual-time" value="65.250"/>\n      </properties>\n';

  it('has a suite for each file, a case for each run, and failures with what is known of them', () => {
    const liveness = { message: 'it turns', detail: ['round'], fromMs: 0, toMs: 5_000 };
    const text = junit([
      { run: FAILED, explanations: EXPLAINED, tookMs: 1_500 },
      { run: summaryOf({ scenario: 'b', file: 'b.yaml' }), explanations: [], tookMs: 250 },
      { run: summaryOf({ scenario: 'c', liveness }), explanations: [] },
    ]);
    expect(text).toBe(
      `${head}<testsuites name="orchsim" tests="3" failures="1" errors="0">\n` +
        '  <testsuite name="web.yaml" tests="2" failures="1" errors="0" time="1.500">\n' +
        '    <testcase name="web" classname="web.yaml" time="1.500">\n' +
        virtual +
        '      <failure type="invariant" message="job/x: it failed">it failed\nexpected a\nan image\n' +
        '   5.000s  #3     job                pi               create Pod pi-0  rv 9   it is needed\n' +
        '   5.000s  #2     job                pi               create Pod pi-0  rv 9   it is needed\n' +
        'see it again: npx orchsim run web.yaml --seed 7 -v</failure>\n' +
        '      <failure type="limit" message="it does not end">it does not end\nsee it again: npx orchsim run web.yaml --seed 7 -v</failure>\n' +
        '    </testcase>\n' +
        '    <testcase name="c" classname="web.yaml" time="0.000">\n' +
        virtual +
        "      <system-out>it turns\nround\nsee it: npx orchsim walk web.yaml --seed 7 --script 'goto 0s; goto 5s; timeline'</system-out>\n" +
        '    </testcase>\n' +
        '  </testsuite>\n' +
        '  <testsuite name="b.yaml" tests="1" failures="0" errors="0" time="0.250">\n' +
        '    <testcase name="b" classname="b.yaml" time="0.250">\n' +
        virtual +
        '    </testcase>\n' +
        '  </testsuite>\n' +
        '</testsuites>\n',
    );
  });

  it('has cases that were not run, with the reason, and files that could not be read', () => {
    const unrun = [
      { scenario: 'db', file: 'web.yaml', seed: 1 },
      { scenario: 'other', file: 'other.yaml', seed: 1 },
    ];
    const unread = [
      { file: 'x.yaml', messages: ['x.yaml:1:1: <wrong> & "bad"', 'more'] },
      { file: 'y.yaml', messages: [] },
    ];
    const skipped = (name: string, file: string, why: string): string =>
      `    <testcase name="${name}" classname="${file}" time="0.000">\n      <skipped message="${why}"/>\n    </testcase>\n`;
    const document = (why: string): string =>
      `${head}<testsuites name="orchsim" tests="5" failures="0" errors="2" skipped="2">\n` +
      '  <testsuite name="web.yaml" tests="2" failures="0" errors="0" skipped="1" time="0.000">\n' +
      `    <testcase name="web" classname="web.yaml" time="0.000">\n${virtual}    </testcase>\n${skipped('db', 'web.yaml', why)}  </testsuite>\n` +
      `  <testsuite name="other.yaml" tests="1" failures="0" errors="0" skipped="1" time="0.000">\n${skipped('other', 'other.yaml', why)}  </testsuite>\n` +
      '  <testsuite name="x.yaml" tests="1" failures="0" errors="1" time="0.000">\n' +
      '    <testcase name="x.yaml" classname="x.yaml" time="0.000">\n' +
      '      <error type="unreadable" message="x.yaml:1:1: &lt;wrong&gt; &amp; &quot;bad&quot;">x.yaml:1:1: &lt;wrong&gt; &amp; "bad"\nmore</error>\n' +
      '    </testcase>\n  </testsuite>\n' +
      '  <testsuite name="y.yaml" tests="1" failures="0" errors="1" time="0.000">\n' +
      '    <testcase name="y.yaml" classname="y.yaml" time="0.000">\n      <error type="unreadable" message=""></error>\n    </testcase>\n  </testsuite>\n' +
      '</testsuites>\n';
    const runs = [{ run: summaryOf(), explanations: [] }];
    expect(junit(runs, unrun, unread)).toBe(document('interrupted before it was run'));
    expect(junit(runs, unrun, unread, 'other files are wrong')).toBe(document('other files are wrong'));
  });

  it('keeps a message with several lines in one attribute', () => {
    const run = summaryOf({ failures: [failure({ message: 'a\nb' })] });
    expect(junit([{ run, explanations: [] }])).toContain('<failure type="step" message="a&#10;b">a\nb\nsee it again');
  });
});

describe('the summary of a run', () => {
  it('is plain data: without scenario, trace and cluster', () => {
    const run = storyRun();
    const { seed, verdict, failures, invariants, digest, counters, steps, lengthMs, settled } = run;
    const plain = {
      scenario: 'story',
      file: 'a.yaml',
      seed,
      verdict,
      failures,
      invariants,
      narrationSteps: [{ text: 'Half way.' }],
      digest,
      counters: { ...counters },
      steps,
      lengthMs,
      settled,
    };
    const { narrationSteps, ...rest } = summarize(run, 'a.yaml');
    expect({ ...rest, narrationSteps: narrationSteps.map(({ text }) => ({ text })) }).toEqual(plain);
    const flagged = summarize({ ...run, lintWarnings: [{ text: 'unused' }], firstWrites: [] }, 'a.yaml', '--rules recorded');
    expect(flagged).toMatchObject({ flags: '--rules recorded', lintWarnings: [{ text: 'unused' }], firstWrites: [] });
    const titled = summarize({ ...run, scenario: { ...run.scenario, title: 'A story' } }, 'a.yaml');
    expect([titled.title, titled.flags, titled.lintWarnings]).toEqual(['A story', undefined, undefined]);
  });
});

/** The answer to a question of a cluster, as text, JSON and JUnit. */
import { describe, expect, it } from 'vitest';
import { type Answer, askWhatIf, type WorkloadEffect } from '../../../src/lab/what-if/index.ts';
import { cameThrough, PLAIN, whatIfJson, whatIfJunit, whatIfLines } from '../../../src/surfaces/report/index.ts';
import { beginWith } from '../../lab/snapshot/setup.ts';
import { clusterDump } from '../cli/what-if/dump.ts';
import { failure, MARKED, numbered, runWith } from './samples.ts';

/** Returns the lines about a cluster that is asked nothing, with so many pods missing in its dump. */
function linesWithout(pods: number): readonly string[] {
  const dump = JSON.parse(clusterDump({ nodes: 1, workloads: 1, replicas: 3 })) as { readonly items: readonly { readonly kind: string }[] };
  const missing = dump.items.filter(({ kind }) => kind === 'Pod').slice(0, pods);
  const read = beginWith(JSON.stringify({ ...dump, items: dump.items.filter((item) => !missing.includes(item)) }), {
    spec: { until: '5m' },
  });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return whatIfLines('nothing', askWhatIf(read.scenario), PLAIN);
}
const noteIn = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith('  note '));

it('a note says how many writes of the first minute are no effect of the question, where there are any', () => {
  expect(noteIn(linesWithout(1))).toEqual([
    expect.stringMatching(/^ {2}note \d+ writes of the first minute are the cluster's own: orchsim run --from shows them$/),
  ]);
  expect(noteIn(linesWithout(0))).toEqual([]);
});

const GIB = 2 ** 30;
const load = (milliCpu: number, gib: number, pods: number) => ({ milliCpu, memory: gib * GIB, pods });
const deployment = (name: string) => ({ kind: 'Deployment', namespace: 'shop', name });
const of = (available: number, wanted = available) => ({ available, wanted });
const steady = (name: string): WorkloadEffect => ({ workload: deployment(name), before: of(3), after: of(3), least: 3, leastAtMs: 0 });

/** Nothing happens to a cluster of one node. */
const QUIET: Answer = {
  askedAtMs: 60_000,
  atRest: true,
  restMs: 0,
  workloads: [steady('web')],
  nodes: [{ node: 'n', room: load(4_000, 8, 1_100), before: load(1_000, 2, 3), after: load(1_000, 2, 3) }],
  gone: 0,
  made: 0,
  others: {},
  evictions: 0,
  refused: {},
  restarts: 0,
  runs: 0,
  waiting: [],
  why: [],
  run: runWith({}),
};
const asked = (more: Partial<Answer>): Answer => ({ ...QUIET, ...more });
const lines = (more: Partial<Answer>): readonly string[] => whatIfLines('drain n', asked(more), PLAIN);

describe('the lines of an answer', () => {
  it('are short where nothing changes', () => {
    expect(whatIfLines('drain n', QUIET, MARKED)).toEqual([
      '<strong>what if: drain n</strong>',
      '<good>✓ it comes through</good>; at rest after 0s',
      '  0 pods gone, 0 made, 0 evictions, 0 restarts',
      '',
      '  no workload is less available at any time (1 workload)',
      '',
      '  requested of  cpu        memory     pods',
      '  all 1 node    25% → 25%  25% → 25%  3 → 3 of 1,100',
    ]);
  });

  it('have everything that has happened', () => {
    const answer = asked({
      restMs: 4_001,
      gone: 1,
      made: 1_234,
      evictions: 2,
      restarts: 1,
      runs: 3,
      others: { Job: { gone: 2, made: 0 }, ConfigMap: { gone: 1, made: 1_000 }, Secret: { gone: 0, made: 0 } },
      refused: { 'PodDisruptionBudget shop/web': 2, 'no room': 1 },
      waiting: numbered(6, 'p').map((name) => ({ kind: 'Pod', namespace: 'shop', name })),
      why: ['no node has room', 'a claim is missing'],
      workloads: [
        { workload: { kind: 'StatefulSet', name: 'db' }, before: of(2, 3), after: of(1, 3), least: 0, leastAtMs: 61_000 },
        steady('web'),
        { workload: deployment('new'), after: of(1), least: 1, leastAtMs: 0 },
        { workload: deployment('old'), before: of(2), least: 0, leastAtMs: 2_000 },
        { workload: deployment('never'), after: of(0, 1) },
      ],
      nodes: [
        { node: 'n-1', room: load(0, 8, 10), before: load(0, 1, 1), after: load(0, 2, 1) },
        { node: 'n-2', room: load(3_000, 8, 10), before: load(1_000, 1, 1), after: load(2_000, 1, 1) },
        { node: 'n-3', room: load(1_000, 8, 10), before: load(100, 1, 1), after: load(100, 1, 2) },
        { node: 'n-4', room: load(1_000, 8, 10), before: load(100, 1, 1), after: load(100, 1, 1) },
      ],
      run: runWith({
        firstWrites: [{ sinceStartMs: 1, author: 'job', request: 'create Pod a', object: { kind: 'Pod', name: 'a' } }],
        failures: [failure({ kind: 'invariant', message: 'a claim is lost', detail: ['  data of db', 'is gone  '] })],
      }),
    });
    expect(whatIfLines('drain n', answer, MARKED)).toEqual([
      '<strong>what if: drain n</strong>',
      '<bad>✗ it does not come through</bad>; at rest after 5s',
      '  1 pod gone, 1,234 made, 2 evictions, 1 restart; 3 runs of CronJobs',
      '  also gone: 2 Job, 1 ConfigMap',
      '  also made: 1,000 ConfigMap',
      "  <warn>note</warn> 1 write of the first minute is the cluster's own: orchsim run --from shows them",
      '  <bad>a claim is lost</bad>',
      '    data of db',
      '    is gone',
      '  <warn>3 evictions refused</warn>, and tried again: PodDisruptionBudget shop/web (2), no room (1)',
      '',
      '  6 pods wait at the end: Pod shop/p-1, Pod shop/p-2, Pod shop/p-3, Pod shop/p-4, Pod shop/p-5, …',
      '    no node has room',
      '    a claim is missing',
      '',
      '  available              before  least      after',
      '  StatefulSet db         2/3     0 at 1m1s  1/3',
      '  Deployment shop/new    -       1 at 0s    1/1',
      '  Deployment shop/old    2/2     0 at 2s    -',
      '  Deployment shop/never  -       -          0/1',
      '  1 workload unchanged',
      '',
      '  requested of  cpu        memory     pods',
      '  n-1           - → -      13% → 25%  1 → 1 of 10',
      '  n-2           33% → 67%  13% → 13%  1 → 1 of 10',
      '  n-3           10% → 10%  13% → 13%  1 → 2 of 10',
      '  all 4 nodes   24% → 44%  13% → 16%  4 → 5 of 40',
    ]);
  });

  it('say when a run fails or does not come to rest', () => {
    const second = (more: Partial<Answer>): string | undefined => lines(more)[1];
    const run = (kind: 'step' | 'expectation' | 'limit') => runWith({ failures: [failure({ kind, sinceStartMs: 62_000 })] });
    expect(second({ run: run('step') })).toBe('✗ it does not come through; it fails after 2s');
    expect(second({ run: run('expectation') })).toBe('✗ it does not come through; it fails after 2s');
    expect(second({ run: run('limit') })).toBe('✗ it does not come through; at rest after 0s');
    expect(second({ atRest: false })).toBe('✗ it does not come through; not at rest after 30s');
    expect(lines({ waiting: [{ kind: 'Pod', name: 'a' }] })).toContain('  1 pod waits at the end: Pod a');
  });

  it('are at most twenty-five of a kind, and the others are counted', () => {
    const many = (count: number): Partial<Answer> => ({
      workloads: numbered(count, 'w').map((name) => ({ workload: { kind: 'Job', name }, before: of(1), after: of(2), least: 1 })),
      nodes: numbered(count, 'n').map((node) => ({ node, room: load(1, 1, 1), before: load(1, 1, 1), after: load(0, 1, 1) })),
      refused: Object.fromEntries(numbered(count, 'b').map((name) => [name, 1])),
      run: runWith({ failures: [failure({ detail: numbered(count, 'line') })] }),
    });
    const counted = (all: readonly string[]) => ({
      workloads: all.filter((line) => line.startsWith('  Job w-')).length,
      nodes: all.filter((line) => line.startsWith('  n-')).length,
      refused: all.find((line) => line.includes('refused'))?.split(', ').length,
      detail: all.filter((line) => line.startsWith('    line-')).length,
      more: all.filter((line) => line.startsWith('  and ')),
    });
    expect(counted(lines(many(25)))).toEqual({ workloads: 25, nodes: 25, refused: 26, detail: 25, more: [] });
    expect(counted(lines(many(26)))).toEqual({
      workloads: 25,
      nodes: 25,
      refused: 26,
      detail: 25,
      more: ['  and 1 more', '  and 1 more nodes changed'],
    });
    expect(lines(many(25)).join('\n')).not.toContain('unchanged');
  });
});

describe('it comes through', () => {
  it.each<[string, WorkloadEffect, boolean]>([
    ['a workload as before', steady('a'), true],
    ['one that has what it wants', { workload: deployment('a'), before: of(5), after: of(3), least: 3 }, true],
    ['one that had more, and wants more', { workload: deployment('a'), before: of(3, 5), after: of(2, 5), least: 2 }, false],
    [
      'one that has more than before, and less than it wants',
      { workload: deployment('a'), before: of(3, 5), after: of(4, 5), least: 3 },
      false,
    ],
    ['one that wants more than before', { workload: deployment('a'), before: of(3), after: of(3, 5), least: 3 }, false],
    ['a new one that is whole', { workload: deployment('a'), after: of(3), least: 0 }, true],
    ['a new one that is not', { workload: deployment('a'), after: of(2, 3), least: 0 }, false],
    ['one that is deleted', { workload: deployment('a'), before: of(3), least: 3 }, true],
  ])('with %s: %#', (_, effect, through) => {
    expect(cameThrough(asked({ workloads: [steady('b'), effect] }))).toBe(through);
  });

  it('only if no step fails, no pod waits, and it comes to rest', () => {
    expect(cameThrough(QUIET)).toBe(true);
    expect(cameThrough(asked({ run: runWith({ failures: [failure()] }) }))).toBe(false);
    expect(cameThrough(asked({ waiting: [{ kind: 'Pod', name: 'a' }] }))).toBe(false);
    expect(cameThrough(asked({ atRest: false }))).toBe(false);
  });
});

describe('for programs', () => {
  it('JSON has everything but the run', () => {
    const { run: _, ...effects } = QUIET;
    expect(whatIfJson('drain n', QUIET)).toEqual({
      question: 'drain n',
      comesThrough: true,
      ...effects,
      failures: [],
      firstWrites: [],
      seed: 7,
      digest: 'd1',
      lengthMs: 90_000,
    });
  });

  it('JUnit has a case for the steps, for rest, for what waits, and for each workload that changed', () => {
    const head = (failures: number, cases: number) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="orchsim" tests="${cases}" failures="${failures}" errors="0">\n  <testsuite name="what if: drain n" tests="${cases}" failures="${failures}" errors="0" time="1.500">\n`;
    const one = (name: string, fails = '', time = '0.000') =>
      `    <testcase name="${name}" classname="what if: drain n" time="${time}">\n      <properties>\n        <property name="virtual-time" value="90.000"/>\n      </properties>\n${fails === '' ? '' : `      <failure type="what-if" message=${fails}</failure>\n`}    </testcase>\n`;
    const tail = '  </testsuite>\n</testsuites>\n';
    expect(whatIfJunit('drain n', QUIET, 1_500)).toBe(
      head(0, 3) + one('steps', '', '1.500') + one('comes to rest') + one('nothing waits') + tail,
    );
    const bad = asked({
      atRest: false,
      waiting: [{ kind: 'Pod', name: 'a' }],
      why: ['no room', 'no claim'],
      run: runWith({ failures: [failure({ detail: ['a', 'b'] }), failure({ message: 'later' })] }),
      workloads: [
        steady('web'),
        { workload: deployment('less'), before: of(3), after: of(1, 3), least: 1 },
        { workload: deployment('more'), before: of(3), after: of(4), least: 3 },
      ],
    });
    expect(whatIfJunit('drain n', bad, 1_500)).toBe(
      head(4, 5) +
        one('steps', '"it failed">a\nb', '1.500') +
        one('comes to rest', '"it is still writing at the end">') +
        one('nothing waits', '"1 pod wait at the end">no room\nno claim') +
        one('Deployment shop/less', '"1 of 3 available at the end">') +
        one('Deployment shop/more') +
        tail,
    );
  });
});

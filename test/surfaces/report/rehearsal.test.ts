/** The rehearsal of a release, as text, JSON and JUnit. */
import { describe, expect, it } from 'vitest';
import type { PhaseResult, Rehearsal } from '../../../src/lab/rehearsal/index.ts';
import type { Effects, WorkloadEffect } from '../../../src/lab/what-if/index.ts';
import { heldRehearsal, PLAIN, rehearsalJson, rehearsalJunit, rehearsalLines } from '../../../src/surfaces/report/index.ts';
import { failure, MARKED, numbered, runWith } from './samples.ts';

const QUIET: Effects = {
  workloads: [],
  nodes: [],
  gone: 0,
  made: 0,
  others: {},
  evictions: 0,
  refused: {},
  restarts: 0,
  runs: 0,
  restMs: 0,
  waiting: [],
};
const web = (least: number, more: Partial<WorkloadEffect> = {}): WorkloadEffect => ({
  workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
  before: { available: 3, wanted: 3 },
  after: { available: 3, wanted: 3 },
  least,
  ...more,
});
const phase = (name: string, more: Partial<PhaseResult> = {}, effects: Partial<Effects> = {}): PhaseResult => ({
  name,
  fromMs: 1_000,
  untilMs: 3_500,
  effects: { ...QUIET, ...effects },
  failures: [],
  ...more,
});
const notReached = (name: string): PhaseResult => ({ name, fromMs: 1_000, untilMs: 3_500, failures: [] });

const scenario = {
  cluster: { nodes: [{}, {}, {}] },
  expressed: [{ name: 'budgets-kept', description: 'Every budget is kept.' }, { name: 'says-nothing' }],
};
const run = runWith({ scenario });

/** A release that comes through. */
const HELD: Rehearsal = {
  phases: [
    phase('install', {}, { made: 3, restMs: 4_200, workloads: [web(0, { before: { available: 0, wanted: 3 } })] }),
    phase('roll', {}, { made: 3, gone: 1, restarts: 1, restMs: 5_000, workloads: [web(2)] }),
    phase('drain n-1', {}, { evictions: 2, refused: { 'PodDisruptionBudget shop/web': 2, 'no room': 1 }, restMs: 1, workloads: [web(1)] }),
    phase('drain n-2', {}, { evictions: 1, restMs: 60_000, workloads: [web(2)] }),
    phase('roll back', {}, { gone: 2, workloads: [web(3)] }),
  ],
  differences: [],
  run,
};

const budgets = {
  ...failure({ kind: 'invariant', invariant: 'budgets-kept', message: 'a condition is false', detail: ['condition'] }),
  said: 'PodDisruptionBudget shop/web: 1 pod is healthy',
};
const BROKEN: Rehearsal = {
  phases: [
    phase(
      'install',
      { failures: [failure({ message: 'Job shop/first failed', detail: ['  a', 'b  '], waits: ['for an image'] })] },
      { made: 1, restMs: 1 },
    ),
    phase('roll', {
      failures: [budgets, failure({ kind: 'invariant', invariant: 'says-nothing', message: 'it is false', detail: ['d'] })],
    }),
    notReached('roll back'),
  ],
  run: runWith({
    scenario,
    failures: [failure()],
    invariants: [
      { name: 'budgets-kept', temporal: 'always', held: false, exercised: 2 },
      { name: 'says-nothing', temporal: 'always', held: true, exercised: 0 },
    ],
  }),
};

describe('the lines of a rehearsal', () => {
  it('have each phase, what was available, and that the way back leads to the same', () => {
    expect(rehearsalLines('shop', HELD, MARKED)).toEqual([
      '<strong>rehearse shop, on 3 nodes</strong>',
      '<good>✓ it comes through</good>',
      '  <good>✓</good> install: 0 pods gone, 3 made, at rest after 5s',
      '  <good>✓</good> roll: 1 pod gone, 3 made, 1 restart, at rest after 5s',
      '  <good>✓</good> drain n-1: 2 evictions, refused at first by PodDisruptionBudget shop/web (2), no room (1), at rest after 1s',
      '  <good>✓</good> drain n-2: 1 eviction, at rest after 1m',
      '  <good>✓</good> roll back: 2 pods gone, 0 made, nothing changes',
      '  <good>✓</good> rolled back, everything is as it was after the installation',
      '',
      '  available at least   wanted  roll  drains  roll back',
      '  Deployment shop/web  3       2     1       3',
      '',
      '  0 of 0 invariants held · seed 7 · digest d1',
    ]);
  });

  it('have what failed, in the words of the rehearsal where it has some, and what was not reached', () => {
    expect(rehearsalLines('shop', BROKEN, MARKED)).toEqual([
      '<strong>rehearse shop, on 3 nodes</strong>',
      '<bad>✗ it does not come through</bad>',
      '  <bad>✗</bad> install: 0 pods gone, 1 made, at rest after 1s',
      '      <bad>Job shop/first failed</bad>',
      '        a',
      '        b',
      '        for an image',
      '  <bad>✗</bad> roll: nothing changes',
      '      <bad>budgets-kept: PodDisruptionBudget shop/web: 1 pod is healthy</bad>',
      '        Every budget is kept.',
      '      <bad>says-nothing: it is false</bad>',
      '  - roll back: not reached',
      '',
      '  1 of 2 invariants held · seed 7 · digest d1',
    ]);
  });

  it('have twenty-five differences, details and workloads of each, and count the others', () => {
    const many = (count: number): string =>
      rehearsalLines(
        'shop',
        {
          phases: [
            phase('install', { failures: [failure({ detail: numbered(count, 'detail') })] }),
            phase('roll', {}, { workloads: numbered(count, 'w').map((name) => ({ workload: { kind: 'Job', name }, least: 0 })) }),
          ],
          differences: numbered(count, 'difference'),
          run,
        },
        PLAIN,
      ).join('\n');
    expect(many(25)).toContain('\n  ✗ rolled back, it is not as it was after the installation:\n      difference-1\n');
    expect(many(25)).toContain('\n  Job w-25            -       0     -       -\n\n');
    expect(many(25)).not.toContain('more');
    expect(many(26)).toContain('\n      difference-25\n      and 1 more\n');
    expect(many(26)).toContain('\n  Job w-25            -       0     -       -\n  and 1 more\n\n');
    expect(many(26)).not.toMatch(/(?:detail|difference|w)-26/);
  });
});

it('a rehearsal holds if nothing fails, and the way back is reached and leads to the same', () => {
  expect(heldRehearsal(HELD)).toBe(true);
  expect(heldRehearsal({ ...HELD, run: runWith({ scenario, failures: [failure()] }) })).toBe(false);
  expect(heldRehearsal({ ...HELD, differences: ['a'] })).toBe(false);
  expect(heldRehearsal({ phases: HELD.phases, run })).toBe(false);
});

it('JSON has the phases, the least that was available, and the results of the invariants', () => {
  const { phases } = HELD;
  expect(rehearsalJson('shop', HELD)).toEqual({
    title: 'shop',
    comesThrough: true,
    nodes: 3,
    phases,
    differences: [],
    available: [{ workload: 'Deployment shop/web', wanted: 3, roll: 2, drains: 1, back: 3 }],
    invariants: [],
    seed: 7,
    digest: 'd1',
    lengthMs: 90_000,
  });
});

it('what a workload wants is what it wanted first; a phase in which it never was there says nothing of it', () => {
  const availableOf = (...phases: readonly PhaseResult[]): unknown =>
    (rehearsalJson('shop', { phases, run }) as { readonly available: unknown }).available;
  const [kind, namespace] = ['Deployment', 'shop'];
  const five = { available: 5, wanted: 5 };
  expect(
    availableOf(
      phase('install', {}, { workloads: [{ workload: { kind, namespace, name: 'new' }, after: five, least: 0 }] }),
      phase('roll', {}, { workloads: [web(1, { before: five }), { workload: { kind, namespace, name: 'gone' } }] }),
      phase('drain n', {}, { workloads: [web(2)] }),
    ),
  ).toEqual([
    { workload: 'Deployment shop/new', wanted: 5 },
    { workload: 'Deployment shop/web', wanted: 5, roll: 1, drains: 2 },
    { workload: 'Deployment shop/gone' },
  ]);
});

describe('JUnit', () => {
  const head = (counts: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="orchsim" ${counts}>\n  <testsuite name="rehearse shop" ${counts} time="1.500">\n`;
  const one = (name: string, length: string, failures: readonly string[] = [], time = '0.000'): string =>
    `    <testcase name="${name}" classname="rehearse shop" time="${time}">\n      <properties>\n        <property name="virtual-time" value="${length}"/>\n      </properties>\n${failures.map((each) => `      <failure ${each}</failure>\n`).join('')}    </testcase>\n`;
  const skipped = (name: string): string =>
    `    <testcase name="${name}" classname="rehearse shop" time="0.000">\n      <skipped message="not reached"/>\n    </testcase>\n`;
  const tail = '  </testsuite>\n</testsuites>\n';

  it('has a case for each phase and for the way back', () => {
    expect(rehearsalJunit('shop', HELD, 1_500)).toBe(
      head('tests="6" failures="0" errors="0"') +
        one('install', '2.500', [], '1.500') +
        ['roll', 'drain n-1', 'drain n-2', 'roll back'].map((name) => one(name, '2.500')).join('') +
        one('rollback comes to the same', '0.000') +
        tail,
    );
    expect(rehearsalJunit('shop', { ...HELD, phases: [], differences: ['a', 'b'] }, 1_500)).toContain(
      one('rollback comes to the same', '0.000', ['type="rehearsal" message="2 differences">a\nb']),
    );
  });

  it('has a case for each invariant, with its failures, which are not those of a phase', () => {
    expect(rehearsalJunit('shop', BROKEN, 1_500)).toBe(
      head('tests="6" failures="3" errors="0" skipped="2"') +
        one('install', '2.500', ['type="step" message="Job shop/first failed">  a\nb  \nfor an image'], '1.500') +
        one('roll', '2.500') +
        skipped('roll back') +
        one('budgets-kept', '90.000', ['type="invariant" message="PodDisruptionBudget shop/web: 1 pod is healthy">condition']) +
        one('says-nothing', '90.000', ['type="invariant" message="it is false">d']) +
        skipped('rollback comes to the same') +
        tail,
    );
  });
});

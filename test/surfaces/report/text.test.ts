/** A run as text: its line, its facts, failures with their causes, the commands that replay it, totals, first writes. */
import { describe, expect, it } from 'vitest';
import type { FirstWrite } from '../../../src/lab/simulation/index.ts';
import {
  factsLine,
  failureLines,
  firstWriteLines,
  lintWarningLines,
  livenessLines,
  PLAIN,
  replayLines,
  runLine,
  totalsLines,
} from '../../../src/surfaces/report/index.ts';
import { failure, MARKED, numbered, parts, summaryOf } from './samples.ts';

describe('the line of a run', () => {
  it('has the verdict, the name in a column, the duration and the title', () => {
    const spaces = (many: number): string => ' '.repeat(many);
    expect(runLine(summaryOf({ title: 'A web' }), MARKED)).toBe(
      `<good>✓</good> <strong>web</strong>${spaces(14)} <dim>    1m05.250s</dim>  A web`,
    );
    expect(runLine(summaryOf({ verdict: 'broken' }), PLAIN)).toBe(`✗ web${spaces(36)}1m05.250s`);
    expect(runLine(summaryOf({ verdict: 'unsettled' }), PLAIN, 10)).toBe(`… web${spaces(36)}1m05.250s`);
    expect(runLine(summaryOf({ verdict: 'unsettled' }), MARKED)).toMatch(/^<bad>…<\/bad> /);
    expect(runLine(summaryOf(), PLAIN, 40)).toBe(`✓ web${spaces(42)}1m05.250s`);
  });

  it('is followed by its facts', () => {
    expect(factsLine(summaryOf(), MARKED)).toBe('  <dim>12 writes · 1 decision · no invariants · seed 7 · digest d1</dim>');
    const invariants = [
      { name: 'a', temporal: 'always', held: true, exercised: 1_000 },
      { name: 'b', temporal: 'always', held: true, exercised: 0 },
      { name: 'c', temporal: 'always', held: true, exercised: 2 },
      { name: 'd', temporal: 'always', held: false, exercised: 5 },
    ];
    expect(factsLine(summaryOf({ invariants }), PLAIN)).toBe(
      '  12 writes · 1 decision · 2 invariants held, exercised 1,002 times · seed 7 · digest d1',
    );
  });

  it('is followed by what has no effect, with its place where it has one, and by a livelock', () => {
    expect(lintWarningLines(summaryOf(), MARKED)).toEqual([]);
    const lintWarnings = [{ text: 'a' }, { file: 'web.yaml', text: 'b' }, { file: 'web.yaml', line: 3, col: 5, text: 'c' }];
    expect(lintWarningLines(summaryOf({ lintWarnings }), MARKED)).toEqual([
      '  <warn>note</warn> a',
      '  <warn>note</warn> web.yaml:1:1: b',
      '  <warn>note</warn> web.yaml:3:5: c',
    ]);
    expect(livenessLines(summaryOf(), MARKED)).toEqual([]);
    const liveness = { message: 'it turns in a circle', detail: ['a', 'b'], fromMs: 1_000, toMs: 60_000 };
    expect(livenessLines(summaryOf({ liveness, flags: '--rules recorded' }), MARKED)).toEqual([
      '  <warn>note</warn> it turns in a circle',
      '    a',
      '    b',
      "    see it: <strong>npx orchsim walk web.yaml --seed 7 --rules recorded --script 'goto 1s; goto 1m; timeline'</strong>",
    ]);
    const at = (toMs: number): string | undefined => livenessLines(summaryOf({ liveness: { ...liveness, toMs } }), PLAIN).at(-1);
    expect(at(1_001)).toBe("    see it: npx orchsim walk web.yaml --seed 7 --script 'goto 1s; step 20; timeline'");
    expect(at(1_002)).toBe("    see it: npx orchsim walk web.yaml --seed 7 --script 'goto 1s; goto 1002ms; timeline'");
  });
});

describe('a failure', () => {
  it.each([
    [failure(), 'a step failed: it failed'],
    [failure({ kind: 'expectation' }), 'expectation failed: it failed'],
    [failure({ kind: 'invariant', invariant: 'job/x' }), 'invariant job/x is broken: it failed'],
    [failure({ kind: 'controller', controller: 'job' }), 'controller job failed: it failed'],
    [failure({ kind: 'limit' }), 'the run did not come to an end: it failed'],
  ])('has a head by its kind: %#', (given, head) => {
    expect(failureLines(summaryOf(), given, undefined, MARKED)).toEqual([
      '',
      `  <bad>${head}</bad>`,
      '    <dim>at 5.000s, step #3, web.yaml</dim>',
    ]);
  });

  it('has its place, details and blockers, also without an explanation', () => {
    const given = failure({
      detail: ['expected a', 'found b'],
      source: { file: 'in.yaml', line: 4, col: 7 },
      waits: ['a node', 'an image'],
    });
    const lines = [
      '',
      '  <bad>a step failed: it failed</bad>',
      '  expected a',
      '  found b',
      '    <dim>at 5.000s, step #3, in.yaml:4:7</dim>',
      '',
      '  what it waits for:',
      '    a node',
      '    an image',
    ];
    expect(failureLines(summaryOf(), given, undefined, MARKED)).toEqual(lines);
    expect(failureLines(summaryOf(), given, { chain: [], more: 0 }, MARKED)).toEqual(lines);
    expect(failureLines(summaryOf(), given, { chain: [], more: 2, waits: [] }, MARKED)).toEqual(lines.slice(0, 5));
  });

  it('has its causes, what the cache did not show, and who was most active', () => {
    const chain = [parts(), parts({ step: '#2', revision: '', why: '' })];
    const causes = [
      '',
      '  causes, the latest first:',
      '     5.000s  #3     job                pi                 create Pod pi-0  rv 9   it is needed',
      '     5.000s  #2     job                pi                 create Pod pi-0',
    ];
    const after = (explanation: Parameters<typeof failureLines>[2], palette = PLAIN): readonly string[] =>
      failureLines(summaryOf(), failure(), explanation, palette).slice(3);
    expect(after({ chain, more: 0 })).toEqual(causes);
    expect(after({ chain, more: 1 }, MARKED).at(-1)).toBe('             <dim>and 1 earlier cause</dim>');
    expect(after({ chain, more: 0, cacheView: { unseen: 'it did not see Pod a', reasons: '' } })).toEqual([
      ...causes,
      '    when this was decided, it did not see Pod a',
    ]);
    expect(after({ chain, more: 12, cacheView: { unseen: 'it did not see Pod a', reasons: 'job lags #1' } })).toEqual([
      ...causes,
      '    when this was decided, it did not see Pod a',
      '    job lags #1',
      '             and 12 earlier causes',
    ]);
    expect(after({ chain, more: 0, cacheView: { unseen: 'u', reasons: 'r' } }, MARKED).slice(4)).toEqual([
      '    <bad>when this was decided, u</bad>',
      '    <bad>r</bad>',
    ]);
    const busiest = [
      { who: 'job', key: 'default/pi', decisions: 1_000, lastWhy: 'again' },
      { who: 'node-lifecycle', key: 'shop/a', decisions: 1, lastWhy: 'once' },
    ];
    expect(after({ chain: [], more: 0, busiest })).toEqual([
      '',
      '  most active near the end:',
      '    job             pi      1,000 decisions  last reason: again',
      '    node-lifecycle  shop/a  1 decision       last reason: once',
    ]);
  });

  it('is followed by the commands that replay the run, and that ask why', () => {
    const about = { kind: 'Pod', namespace: 'shop', name: 'a' };
    const failures = [failure(), failure({ about, traceStep: 9 }), failure({ about: { kind: 'Node', name: 'n' } })];
    expect(replayLines(summaryOf({ failures: [failure()] }), MARKED)).toEqual([
      '',
      '  see it again: <strong>npx orchsim run web.yaml --seed 7 -v</strong>',
    ]);
    expect(replayLines(summaryOf({ failures, flags: '--rules recorded' }), MARKED)).toEqual([
      '',
      '  see it again: <strong>npx orchsim run web.yaml --seed 7 --rules recorded -v</strong>',
      "  or ask why:   <strong>npx orchsim why Pod/shop/a web.yaml --seed 7 --rules recorded --at '#9'</strong>",
    ]);
    expect(replayLines(summaryOf({ failures, file: '' }), PLAIN)).toEqual(['', '  see it again: npx orchsim run --seed 7 -v']);
    const asked = (namespace?: string): string | undefined =>
      replayLines(
        summaryOf({
          file: '<stdin>',
          failures: [failure({ about: { kind: 'Pod', name: 'a', ...(namespace === undefined ? {} : { namespace }) } })],
        }),
        PLAIN,
      ).at(-1);
    expect(asked('default')).toBe("  or ask why:   npx orchsim why Pod/a - --seed 7 --at '#3'");
    expect(asked()).toBe("  or ask why:   npx orchsim why Pod/a - --seed 7 --at '#3'");
  });
});

describe('the totals of several runs', () => {
  const invariants = [
    { name: 'a', temporal: 'always', held: true, exercised: 3 },
    { name: 'b', temporal: 'always', held: true, exercised: 4 },
  ];

  it('are green where all hold', () => {
    expect(totalsLines([summaryOf({ invariants }), summaryOf()], MARKED)).toEqual([
      '',
      '<good>2 scenarios held, 0 did not</good>',
      '<dim>2m10.500s of virtual time · 24 writes · invariants exercised 7 times</dim>',
    ]);
    expect(totalsLines([summaryOf()], PLAIN, 1_260).at(-1)).toBe(
      '1m05.250s of virtual time, in 1.3 s of real time · 12 writes · invariants exercised 0 times',
    );
  });

  it('name what did not hold, and files that could not be read', () => {
    const unread = [{ file: 'a.yaml', messages: ['wrong'] }];
    const lost = summaryOf({ scenario: 'db', verdict: 'unsettled' });
    expect(totalsLines([summaryOf(), summaryOf({ verdict: 'broken' }), lost], MARKED, undefined, unread).slice(1, -1)).toEqual([
      '<bad>1 scenario held, 2 did not, 1 file could not be read</bad>',
      '  did not hold:',
      '    web  <dim>web.yaml, seed 7</dim>',
      '    db  <dim>web.yaml, seed 7</dim>',
      '  could not be read:',
      '    a.yaml',
    ]);
    expect(totalsLines([], PLAIN, undefined, unread)[1]).toBe('0 scenarios held, 0 did not, 1 file could not be read');
  });

  it('name twenty, and count the others', () => {
    const lines = (many: number) =>
      totalsLines(
        [],
        PLAIN,
        undefined,
        numbered(many, 'f').map((file) => ({ file, messages: [] })),
      ).slice(3, -1);
    expect(lines(20)).toEqual(numbered(20, 'f').map((file) => `    ${file}`));
    expect(lines(21)).toEqual([...numbered(20, 'f').map((file) => `    ${file}`), '    and 1 more']);
  });
});

describe('the first writes of a restored cluster', () => {
  const created = (name: string, more: Partial<FirstWrite> = {}): FirstWrite => ({
    sinceStartMs: 1,
    author: 'replica-set',
    request: `create Pod ${name}`,
    object: { kind: 'Pod', namespace: 'shop', name },
    why: `${name.length} of 3 are there`,
    ...more,
  });

  it('are no lines where the cluster is new, and one where it is at rest', () => {
    expect(firstWriteLines(summaryOf(), MARKED)).toEqual([]);
    expect(firstWriteLines(summaryOf({ firstWrites: [] }), MARKED)).toEqual([
      '  <good>at rest</good>: the restored cluster writes nothing by itself in its first minute',
    ]);
  });

  it('are grouped by author, verb, kind and reason; numbers make no other reason', () => {
    const firstWrites = [
      created('a'),
      created('bb'),
      created('a'),
      created('ccc'),
      created('dddd'),
      created('a', { author: 'job' }),
      created('a', { request: 'delete Pod a' }),
      created('n', { object: { kind: 'Node', name: 'n' } }),
      created('a', { why: 'it is late' }),
    ];
    const { why: _, ...silent } = created('a');
    expect(firstWriteLines(summaryOf({ firstWrites: [...firstWrites, silent] }), MARKED)).toEqual([
      '  <warn>not at rest</warn>: 10 writes of the restored cluster by itself in its first minute',
      '    replica-set: 5 × Pod (shop/a, shop/bb, shop/ccc, …), because 1 of 3 are there',
      '    job: 1 × Pod (shop/a), because 1 of 3 are there',
      '    replica-set: 1 × Pod (shop/a), because 1 of 3 are there',
      '    replica-set: 1 × Node (n), because 1 of 3 are there',
      '    replica-set: 1 × Pod (shop/a), because it is late',
      '    replica-set: 1 × Pod (shop/a)',
    ]);
  });
});

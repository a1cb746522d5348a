/** What an import prints about the log that it has read, and about the run that it is compared with. */
import { describe, expect, it } from 'vitest';
import type { AuditLog, Incident, Judged } from '../../../src/lab/incident/index.ts';
import { agrees, importedLines, incidentJson, judgedLines, PLAIN } from '../../../src/surfaces/report/index.ts';
import { failure, MARKED, numbered, pod, runWith } from './samples.ts';

const NAMES = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay'];
const LOG: AuditLog = { records: [], lines: 9, renewals: new Map(), leftOut: new Map(), problems: [], isNeutral: false };
const INCIDENT = { clients: [], steps: 0, writes: 0, leftOut: [] } as unknown as Incident;
const imported = (incident: Partial<Incident>, log: Partial<AuditLog> = {}, files: readonly string[] = ['a.log']) => ({
  files,
  log: { ...LOG, ...log },
  incident: { ...INCIDENT, ...incident },
});

/** The printed lines of a log of so many files, with requests of so many clients. */
function printed(many: number): string {
  const named = NAMES.slice(0, many);
  const files = named.map((name) => `${name}.log`);
  return importedLines(imported({ clients: named, steps: 9, writes: 1 }, {}, files), PLAIN).join('\n');
}

it('the first five clients are named, and dots stand only for more of them', () => {
  expect(printed(1)).toContain('9 requests of 1 client are steps (ann);');
  expect(printed(5)).toContain('9 requests of 5 clients are steps (ann, ben, cleo, dan, eve);');
  expect(printed(6)).toContain('9 requests of 6 clients are steps (ann, ben, cleo, dan, eve, …);');
});

it('the first five files are named, and the others are counted', () => {
  expect(printed(5)).toMatch(/^incident: ann\.log, ben\.log, cleo\.log, dan\.log, eve\.log$/m);
  expect(printed(6)).toMatch(/^incident: ann\.log, ben\.log, cleo\.log, dan\.log, eve\.log and 1 more$/m);
});

const FROM = Date.UTC(2024, 4, 2, 9);
const LEFT_OUT = [
  { why: 'without a body', count: 3, first: ['a.log:1', 'a.log:2'] },
  { why: 'of an unknown kind', count: 1, first: ['a.log:7'] },
];

it('everything that became of a log is printed', () => {
  expect(
    importedLines(
      imported(
        { clients: ['ann'], steps: 1, writes: 1, leftOut: LEFT_OUT },
        {
          lines: 1_234,
          from: FROM,
          to: FROM + 90_500,
          leftOut: new Map([
            ['reads', 12],
            ['doubles', 1],
          ] as never),
        },
      ),
      MARKED,
    ),
  ).toEqual([
    '<strong>incident: a.log</strong>',
    '  1,234 lines, 2024-05-02T09:00:00Z to 2024-05-02T09:01:30.500Z (1m30.500s)',
    '  1 request of 1 client is a step (ann); 1 write of the cluster is compared',
    '  without meaning for the run: 12 reads, 1 doubles',
    '  <warn>left out</warn> 3 without a body',
    '      a.log:1',
    '      a.log:2',
    '      and 1 more',
    '  <warn>left out</warn> 1 of an unknown kind',
    '      a.log:7',
  ]);
});

it('a log without times and writes has a note', () => {
  const note = '  <warn>note</warn> the log has no write of the control plane with a body: nothing is compared';
  const empty = [
    '<strong>incident: a.log</strong>',
    '  9 lines',
    '  0 requests of 0 clients are steps; 0 writes of the cluster are compared',
    note,
  ];
  expect(importedLines(imported({}), MARKED)).toEqual(empty);
  expect(importedLines(imported({}, { from: FROM }), MARKED)).toEqual(empty);
  expect(importedLines(imported({}, { to: FROM }), MARKED)).toEqual(empty);
  // Its last line may be older than its first.
  expect(importedLines(imported({}, { from: FROM, to: FROM - 1 }), MARKED)[1]).toMatch(/ \(0\.000s\)$/);
});

const write = (atMs: number, of: string, did: string) => ({ atMs, of, did, by: 'replica-set' });
const onlyRun = (nth: number) => ({
  atMs: nth * 1_000,
  lacks: 'log' as const,
  run: { ...write(nth * 1_000, `Pod web-${nth}`, 'created'), object: pod('web-1') },
});
const onlyLog = { atMs: 9_000, lacks: 'run' as const, log: { ...write(9_000, 'Pod db', 'deleted'), log: 'a.log:5' } };
const judged = (more: Partial<Judged>): Judged => ({ run: runWith({}), met: 3, partings: [], ...more });
const WRITES = imported({ writes: 4_000 });

describe('a run and a log', () => {
  it('agree if they differ in nothing and nothing fails', () => {
    expect(agrees(judged({}))).toBe(true);
    expect(agrees(judged({ partings: [onlyLog] }))).toBe(false);
    expect(agrees(judged({ run: runWith({ failures: [failure()] }) }))).toBe(false);
    const met = judged({ met: 4_000 });
    expect(judgedLines(met, WRITES, 2_000, MARKED)).toEqual([
      '<good>✓ the run does what the log says</good>: 4,000 of 4,000 writes within 2s',
    ]);
    expect(judgedLines(met, imported({}), 2_000, MARKED)).toEqual(['- the run was compared with nothing']);
  });

  it('part at their first difference; the next five are named', () => {
    const lines = (many: number) =>
      judgedLines(
        judged({ partings: [{ ...onlyLog, why: 'it is too old' }, ...numbered(many, '').map((_, at) => onlyRun(at + 1))] }),
        WRITES,
        2_000,
        MARKED,
      );
    expect(lines(0)).toEqual([
      '<bad>✗ the run and the log part at 9.000s: only the log has Pod db: deleted</bad>',
      '  log  9.000s  replica-set: Pod db: deleted  (a.log:5)',
      '  run  nothing of the kind within 2s',
      '  why  it is too old',
      '  3 of 4,000 writes within 2s',
    ]);
    expect(lines(1)[4]).toBe('  and 1 more difference: 1.000s only the run: Pod web-1: created');
    expect(lines(5)[4]).toMatch(/^ {2}and 5 more differences: (?:\d\.000s only the run: Pod web-\d: created(?:; |$)){5}$/);
    expect(lines(6)[4]).toMatch(/^ {2}and 6 more differences: (?:\d\.000s only the run: Pod web-\d: created; ){5}…$/);
    expect(judgedLines(judged({ partings: [onlyRun(1), onlyLog] }), WRITES, 2_000, PLAIN)).toContain(
      '  and 1 more difference: 9.000s only the log: Pod db: deleted',
    );
  });

  it('do not agree where a request is answered otherwise: the first five failures are printed', () => {
    const lines = (many: number) =>
      judgedLines(
        judged({ run: runWith({ failures: numbered(many, 'f').map((message) => failure({ message, detail: numbered(many, 'd') })) }) }),
        WRITES,
        2_000,
        MARKED,
      );
    expect(lines(1)).toEqual([
      '<bad>✗ the run answers otherwise than the log</bad>',
      '  3 of 4,000 writes within 2s',
      '<bad>✗</bad> at 5.000s: f-1',
      'd-1',
    ]);
    const five = numbered(5, 'f').flatMap((name) => [`<bad>✗</bad> at 5.000s: ${name}`, ...numbered(5, 'd')]);
    expect(lines(5).slice(2)).toEqual(five);
    expect(lines(6).slice(2)).toEqual([...five, '  and 1 more failure']);
  });
});

describe('for programs', () => {
  const log = { leftOut: new Map([['reads', 12]]) as never };
  const read = {
    files: ['a.log'],
    lines: 9,
    problems: [],
    withoutMeaning: { reads: 12 },
    steps: 1,
    clients: ['ann'],
    writes: 0,
    leftOut: LEFT_OUT,
    withinMs: 2_000,
  };
  const of = (more: Partial<AuditLog>) => imported({ clients: ['ann'], steps: 1, leftOut: LEFT_OUT }, { ...log, ...more });

  it('a log that was only read has no result', () => {
    expect(incidentJson(of({}), undefined, 2_000)).toEqual(read);
    expect(incidentJson(of({ from: FROM }), undefined, 2_000)).toEqual(read);
    expect(incidentJson(of({ to: FROM }), undefined, 2_000)).toEqual(read);
    expect(incidentJson(of({ from: FROM, to: FROM + 1 }), undefined, 2_000)).toEqual({
      ...read,
      from: '2024-05-02T09:00:00Z',
      to: '2024-05-02T09:00:00.001Z',
    });
  });

  it('objects of differences are named, and no more', () => {
    const failures = [failure()];
    expect(incidentJson(of({}), judged({ partings: [onlyRun(1), onlyLog], run: runWith({ failures }) }), 2_000)).toEqual({
      ...read,
      agrees: false,
      met: 3,
      differences: [
        {
          atMs: 1_000,
          lacks: 'log',
          run: { ...write(1_000, 'Pod web-1', 'created'), object: { kind: 'Pod', namespace: 'default', name: 'web-1' } },
        },
        onlyLog,
      ],
      failures,
      seed: 7,
      digest: 'd1',
    });
  });
});

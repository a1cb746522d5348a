/** Trace files line by line: what is read, and what is refused with its line. */
import { describe, expect, it } from 'vitest';
import {
  createLineReader,
  entryLine,
  isEntryLine,
  readTrace,
  renewalIntervalLine,
  traceLines,
  type Trace,
} from '../../../src/lab/trace/index.ts';
import { objectOf, other, START, traceOf, wrote } from './made.ts';

const HEAD = { trace: 'orchsim/v1', scenario: 's', seed: 1, startAt: START, domain: 'orch.io' } as const;
const mapOf = (n: number) => objectOf('ConfigMap', 'a', n, { data: { n: String(n) } });
const [first, second, again] = [mapOf(1), mapOf(2), mapOf(5)];
const INTERVAL = { order: 1, process: 'scheduler', controller: 'elector', lease: 'x/y', firstAt: START, everyMs: 2_000, delayMs: 1 };
const trace = traceOf(
  [
    wrote(1, second, { previous: first }),
    wrote(2, second, { previous: second, deleted: true }),
    wrote(3, again),
    other(4, { type: 'note', text: 'Done.' }),
  ],
  { prologue: [wrote(-1, first)(0)], renewalIntervals: [INTERVAL, { ...INTERVAL, order: 2, until: START + 9 }] },
);

describe('a trace as lines', () => {
  it('has the head, the renewals, then the entries, each object once', () => {
    const lines = [...traceLines(HEAD, { ...trace, narrationSteps: [{ does: 'x', traceStep: 1, sinceStartMs: 0, taken: 1 }] })];
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { ...HEAD, narrationSteps: [{ does: 'x', traceStep: 1, sinceStartMs: 0, taken: 1 }] },
      { type: 'pulse', ...INTERVAL },
      { type: 'pulse', ...INTERVAL, order: 2, until: START + 9 },
      JSON.parse(JSON.stringify(wrote(-1, first)(0))),
      ...[wrote(1, second, { previous: first }), wrote(2, second, { previous: second, deleted: true })].map((made, at) => {
        const { change, ...entry } = JSON.parse(JSON.stringify(made(at + 1))) as { change: { previous?: object } };
        return { ...entry, change: { ...change, previous: undefined } };
      }),
      ...trace.entries.slice(2).map((entry) => JSON.parse(JSON.stringify(entry)) as object),
    ]);
    expect(lines.map(isEntryLine)).toEqual([false, false, false, true, true, true, true, true]);
    expect(lines.join('')).not.toContain('"previous"');
  });

  it('reads back, with former revisions, renewals, and narration steps that have their members', () => {
    const narrationStep = { does: 'x', traceStep: 1, sinceStartMs: 0, taken: 1 };
    const given = {
      ...trace,
      narrationSteps: [narrationStep, null, { does: 'y' }, { traceStep: 1 }, { does: 1, traceStep: 1 }],
    } as unknown as Trace;
    expect(readTrace(traceLines(HEAD, given))).toEqual({ head: HEAD, trace: { ...trace, narrationSteps: [narrationStep] } });
    expect(readTrace([JSON.stringify({ ...HEAD, narrationSteps: 'none' })])).toEqual({
      head: HEAD,
      trace: { startAt: START, prologue: [], entries: [], renewalIntervals: [] },
    });
  });

  it('an object that was deleted and is made again has no former revision', () => {
    const read = readTrace(traceLines(HEAD, trace));
    expect('trace' in read ? read.trace : read).toEqual(trace);
  });
});

describe('what is no trace', () => {
  const head = JSON.stringify(HEAD);
  const NO_ENTRY = 'expected a trace entry with id, at and a known type';
  const NO_RENEWALS = 'expected the renewals of a lease (order, lease, firstAt, everyMs, delayMs)';
  const NO_HEAD = 'expected the head of a trace ({"trace":"orchsim/v1",…}), as run --trace writes it';
  const note = '{"id":1,"at":1,"type":"note","text":"x"}';
  it.each<[string, readonly string[], string, number]>([
    ['nothing', [], 'expected the head of a trace, found nothing', 1],
    ['empty lines', ['', ''], 'expected the head of a trace, found nothing', 1],
    ['no JSON', ['', 'trace'], 'expected one JSON object for each line', 2],
    ['a torn head', ['{"trace":"orch'], 'expected one JSON object for each line', 1],
    ['another version', [JSON.stringify({ ...HEAD, trace: 'orchsim/v2' })], NO_HEAD, 1],
    ['a head without a start', [JSON.stringify({ ...HEAD, startAt: '0' })], NO_HEAD, 1],
    ['a list', [head, '[]'], 'expected one JSON object for each line', 2],
    ['a line after a torn one', [head, '{"id":1', note], 'expected one JSON object for each line', 2],
    ['an entry without its identity', [head, note, note.replace('"id":1,', '')], NO_ENTRY, 3],
    ['an entry without its time', [head, note.replace('"at":1,', '')], NO_ENTRY, 2],
    ['an entry of another type', [head, note.replace('"note"', '"toString"')], NO_ENTRY, 2],
    ['an entry without a type', [head, note.replace('"type":"note",', '')], NO_ENTRY, 2],
    ...(['process', 'controller', 'lease', 'order', 'firstAt', 'delayMs', 'everyMs'] as const).map(
      (member) =>
        [`renewals without ${member}`, [head, JSON.stringify({ type: 'pulse', ...INTERVAL, [member]: null })], NO_RENEWALS, 2] as [
          string,
          string[],
          string,
          number,
        ],
    ),
    ['renewals at no interval', [head, JSON.stringify({ type: 'pulse', ...INTERVAL, everyMs: 0 })], NO_RENEWALS, 2],
  ])('%s', (_, lines, error, line) => {
    expect(readTrace(lines)).toEqual({ error, line });
  });

  it('a last line that is cut is reported by its number, and what stands before it is read', () => {
    const read = readTrace([head, '', note, '{"id":2,"at"', '']);
    expect(read).toEqual({
      head: HEAD,
      torn: 4,
      trace: { startAt: START, prologue: [{ id: 1, at: 1, type: 'note', text: 'x' }], entries: [], renewalIntervals: [] },
    });
  });
});

it('single lines are read in their order; a line that is none of a trace is nothing', () => {
  const read = createLineReader();
  const lines = [
    entryLine(wrote(1, first)(1)),
    entryLine(wrote(2, second, { previous: first })(2)),
    renewalIntervalLine(INTERVAL),
    'x',
    '[]',
    '{"id":1}',
  ];
  expect(lines.map((line) => read(line))).toEqual([
    { entry: wrote(1, first)(1) },
    { entry: wrote(2, second, { previous: first })(2) },
    { renewalInterval: INTERVAL },
    undefined,
    undefined,
    undefined,
  ]);
});

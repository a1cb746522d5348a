/** What a run writes while it runs: its log, line by line, its timeline, files, progress. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/lab/trace/index.ts';
import type { Io } from '../../../src/surfaces/cli/io.ts';
import type { LogLevel } from '../../../src/surfaces/cli/options.ts';
import { logSink } from '../../../src/surfaces/cli/run/log.ts';
import { progressOn, runProgress } from '../../../src/surfaces/cli/run/progress.ts';
import { eventsSink, lineFile, timelineSink } from '../../../src/surfaces/cli/run/sinks.ts';
import { printable } from '../../../src/surfaces/report/index.ts';
import { entry, MARKED, pod, START } from '../report/samples.ts';
import { folderWith, silentIo } from './cli.ts';

const at = { id: 1, at: START + 1_500, causes: [] };
const refusal = (status: object): Entry => ({ type: 'refusal', ...at, actor: 'user', request: 'create Pod a', status }) as unknown as Entry;
const change = (what: string, more: object = {}): Entry =>
  ({ type: 'process', ...at, process: 'scheduler', what, ...more }) as unknown as Entry;
const heartbeat = entry.write(1, 1_500, 'a', {
  change: { type: 'MODIFIED', object: pod('a', { at: '2024-05-02T09:00:02Z' }), previous: pod('a', { at: '2024-05-02T09:00:01Z' }) },
});
const ENTRIES: readonly (readonly [Entry, LogLevel, object])[] = [
  [
    entry.write(1, 1_500, 'a'),
    'info',
    { actor: 'controller-manager', controller: 'job', kind: 'Pod', key: 'default/a', revision: 1, msg: 'ADDED Pod default/a' },
  ],
  [
    entry.write(2, 1_500, 'a', { actor: 'user', controller: undefined } as never),
    'info',
    { actor: 'user', kind: 'Pod', key: 'default/a', revision: 2, msg: 'ADDED Pod default/a' },
  ],
  [
    heartbeat,
    'trace',
    { actor: 'controller-manager', controller: 'job', kind: 'Pod', key: 'default/a', revision: 1, msg: 'MODIFIED Pod default/a' },
  ],
  [
    refusal({ code: 409, reason: 'Conflict', message: 'it is there' }),
    'warn',
    { actor: 'user', code: 409, reason: 'Conflict', msg: 'refused: create Pod a: it is there' },
  ],
  [refusal({ code: 500 }), 'warn', { actor: 'user', code: 500, msg: 'refused: create Pod a: ' }],
  [
    entry.delivery(4, 1_500, 'a'),
    'trace',
    { process: 'scheduler', kind: 'Pod', key: 'default/a', revision: 4, msg: 'scheduler sees ADDED Pod default/a' },
  ],
  [
    entry.decision(5, 1_500, 'default/pi', 'it is needed', { writes: 2, failures: 1 }),
    'debug',
    { process: 'controller-manager', controller: 'job', key: 'default/pi', writes: 2, failures: 1, msg: 'it is needed' },
  ],
  [
    { type: 'timer', ...at, process: 'p', controller: 'job', key: 'default/a', because: 'wake' } as unknown as Entry,
    'trace',
    { process: 'p', controller: 'job', key: 'default/a', msg: 'wake' },
  ],
  [change('crashed'), 'warn', { process: 'scheduler', msg: 'scheduler crashed' }],
  [change('refused', { refusal: 'no lease' }), 'warn', { process: 'scheduler', msg: 'scheduler refused: no lease' }],
  [change('started'), 'info', { process: 'scheduler', msg: 'scheduler started' }],
  [{ type: 'operation', ...at, label: 'apply Job/pi' } as unknown as Entry, 'info', { msg: 'apply Job/pi' }],
  [entry.fault(6, 1_500, 'crash'), 'warn', { fault: 'crash', msg: 'it is gone' }],
  [entry.check(7, 1_500, 'job/x'), 'debug', { check: 'job/x', msg: '' }],
  [{ type: 'check', ...at, name: 'job/x', held: false, detail: 'wrong' }, 'error', { check: 'job/x', msg: 'wrong' }],
  [entry.note(8, 1_500, '\nIt is done.\n'), 'info', { note: true, msg: 'It is done.' }],
];

describe('the log', () => {
  const logged = (level: LogLevel): readonly unknown[] => {
    const lines: unknown[] = [];
    const sink = logSink({ line: (text) => lines.push(JSON.parse(text)), text: () => undefined, close: () => undefined }, level, 'web', 7);
    ENTRIES.forEach(([each], index) => sink({ type: 'entry', entry: each, step: index + 1 }));
    sink({ type: 'end', run: {} as never });
    return lines;
  };

  it('has a line for each entry, with virtual time', () => {
    expect(logged('trace')).toEqual(
      ENTRIES.map(([, level, fields], index) => ({
        level,
        time: '2024-05-02T09:00:01.500Z',
        scenario: 'web',
        seed: 7,
        step: index + 1,
        ...fields,
      })),
    );
  });

  it('has those of its level and above', () => {
    const order: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];
    for (const [least, level] of order.entries())
      expect([level, logged(level).length]).toEqual([level, ENTRIES.filter(([, as]) => order.indexOf(as) >= least).length]);
  });
});

/** A terminal, or a pipe, with what was written to it. */
function written(more: Partial<Io> = {}) {
  const said = { out: '', err: '' };
  const io: Io = {
    ...silentIo('/'),
    palette: MARKED,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    ...more,
  };
  return { said, io };
}
const SCENARIO = { name: 'web', startAt: START } as never;

describe('the timeline', () => {
  const shown = (more: Partial<Io>, level: number): string => {
    const { said, io } = written(more);
    const sink = timelineSink(io, SCENARIO, level, true);
    const long = entry.write(1, 5, 'a', { change: { object: pod('a'), kind: `Pod${'d'.repeat(60)} ${'e'.repeat(60)}` } });
    for (const [step, each] of [entry.note(1, 0, 'It begins.\n\nNow.\n'), entry.delivery(1, 1, 'a'), long].entries())
      sink({ type: 'entry', entry: each, step: step + 1 });
    sink({ type: 'end', run: {} as never });
    return said.out;
  };
  const notes = '\n  <accent>│</accent> It begins.\n  <accent>│</accent> \n  <accent>│</accent> Now.\n';

  it('has narrations in full, and a line for each entry of its level', () => {
    expect(shown({}, 1).startsWith(`${notes}<dim>   0.005s</dim>  <dim>#3    </dim> job`)).toBe(true);
    expect(shown({}, 2)).toContain('\n<dim>   0.001s</dim>  <dim>#2    </dim> scheduler');
  });

  it('is wrapped on a terminal alone', () => {
    const lines = (more: Partial<Io>): number => shown(more, 1).slice(notes.length).trimEnd().split('\n').length;
    expect([lines({ terminal: true, columns: 100 }), lines({ terminal: false, columns: 100 })]).toEqual([3, 1]);
  });
});

describe('files', () => {
  it('are written in pieces, and take their name at the end', () => {
    const cwd = folderWith({});
    const file = lineFile('a.log', silentIo(cwd), '--log');
    file.line('one');
    file.text('two');
    file.text('three\n');
    file.line('x'.repeat(70_000));
    expect(() => readFileSync(join(cwd, 'a.log'))).toThrow('ENOENT');
    file.close();
    expect(readFileSync(join(cwd, 'a.log'), 'utf8')).toBe(`one\ntwothree\n${'x'.repeat(70_000)}\n`);
  });

  it('are standard output by the name -, in large pieces', () => {
    const pieces: number[] = [];
    const { io } = written({ out: (text) => pieces.push(text.length) });
    const file = lineFile('-', io, '--log');
    const line = 'x'.repeat(999);
    for (let nth = 0; nth < 70; nth++) file.line(line);
    expect(pieces).toEqual([66_000]);
    file.close();
    expect(pieces).toEqual([66_000, 4_000]);
    lineFile('-', io, '--log').close();
    expect(pieces).toHaveLength(2);
  });

  it('of events have a line for each change, in seconds since the start', () => {
    const lines: unknown[] = [];
    const secret = { ...pod('s'), kind: 'Secret', data: { password: 'aGk=' } };
    for (const showSecrets of [true, false]) {
      const sink = eventsSink(
        { line: (text) => lines.push(JSON.parse(text)), text: () => undefined, close: () => undefined },
        SCENARIO,
        showSecrets,
      );
      sink({
        type: 'change',
        change: { at: START + 1_250, type: 'ADDED', object: secret, kind: 'Secret', key: 'default/s', revision: 1, entry: 1 },
      });
      sink({ type: 'entry', entry: entry.note(1, 0, 'x'), step: 1 });
    }
    const { data: _, ...rest } = secret;
    expect(lines).toEqual([
      { t: 1.25, type: 'ADDED', object: secret },
      { t: 1.25, type: 'ADDED', object: { ...rest, data: { password: expect.not.stringContaining('aGk=') as unknown } } },
    ]);
  });
});

describe('progress', () => {
  const shown = (more: Partial<Io>, ...texts: readonly string[]): string => {
    const { said, io } = written(more);
    const progress = progressOn(io);
    for (const text of texts) progress.show(text);
    progress.clear();
    progress.clear();
    return printable(said.err);
  };

  it('is one line of a terminal, which is erased at the end; elsewhere there is none', () => {
    const erase = '\r\u001B[K';
    expect(shown({}, 'a', 'b')).toBe('');
    expect(progressOn(written().io).seen).toBe(false);
    expect(progressOn(written({ terminal: true }).io).seen).toBe(true);
    // The second comes too soon after the first.
    expect(shown({ terminal: true, columns: 10 }, 'first', 'second')).toBe(`${erase}<dim>first</dim>${erase}`);
    expect(shown({ terminal: true, columns: 10 }, '0123456789')).toBe(`${erase}<dim>012345678</dim>${erase}`);
    expect(shown({ errorColumns: 5 }, '0123456789')).toBe(`${erase}<dim>0123</dim>${erase}`);
    expect(shown({ terminal: true, columns: 0 }, 'x'.repeat(99))).toBe(`${erase}<dim>${'x'.repeat(79)}</dim>${erase}`);
    expect(shown({ terminal: true, columns: 10 })).toBe('');
  });

  it('of a run says how far it has come, once in 256 entries', () => {
    const texts: string[] = [];
    const step = runProgress({ seen: true, show: (text) => texts.push(text), clear: () => undefined }, { name: 'web', startAt: START });
    for (let nth = 1; nth <= 600; nth++) step({ at: START + nth * 1_000 });
    expect(texts).toEqual(['web  4m16.000s  256 entries', 'web  8m32.000s  512 entries']);
  });
});

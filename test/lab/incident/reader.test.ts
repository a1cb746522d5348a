/** What is read of the lines of logs: of several files, with doubles, with lines that cannot be read. */
import { describe, expect, it } from 'vitest';
import { createLogReader, withRecords } from '../../../src/lab/incident/index.ts';
import { eventOf, KINDS, logOf, type Sent, START, timeAt } from './log.ts';

const create = (name: string, more: Partial<Sent> = {}): Sent => ({
  verb: 'create',
  of: 'configmaps',
  name,
  body: { kind: 'ConfigMap', metadata: { name } },
  answer: { kind: 'ConfigMap', metadata: { name } },
  ...more,
});
const renewal = (user: string, at: number): Sent => ({ verb: 'update', of: 'leases', group: 'coordination.k8s.io', user, at });

function linesOf(...lines: readonly (string | object)[]) {
  const reader = createLogReader(({ group, resource }) => KINDS.byPlural(group, resource)?.kind);
  lines.forEach((line, nth) => {
    reader.line(typeof line === 'string' ? line : JSON.stringify(line), 'a.log', nth + 1);
  });
  return reader.end();
}

describe('a log', () => {
  it('has its requests in the order in which they were received, and its first and last instant', () => {
    const log = logOf([
      create('c', { at: 3 }),
      create('a', { at: 1, more: { requestReceivedTimestamp: '2024-03-01T00:00:01.000500Z' } }),
      create('b', { at: 1, more: { requestReceivedTimestamp: '2024-03-01T00:00:01.000200Z' } }),
      { verb: 'get', of: 'pods', at: 9 },
      { verb: 'list', of: 'pods', at: 0 },
    ]);
    expect(log.records.map(({ name, place }) => [name, place])).toEqual([
      ['b', 'audit.log:3'],
      ['a', 'audit.log:2'],
      ['c', 'audit.log:1'],
    ]);
    expect({ ...log, records: [] }).toEqual({
      records: [],
      lines: 5,
      from: START,
      to: START + 9000,
      renewals: new Map(),
      leftOut: new Map([['reads', 2]]),
      problems: [],
      isNeutral: false,
    });
  });

  it('has no instant without a line', () => {
    expect(linesOf('', '  ')).toEqual({ records: [], lines: 0, renewals: new Map(), leftOut: new Map(), problems: [], isNeutral: false });
  });

  it('says when nodes renewed their leases', () => {
    const log = logOf([
      renewal('system:node:n', 5),
      renewal('system:node:m', 1),
      renewal('system:node:n', 2),
      renewal('system:kube-scheduler', 3),
      renewal('jane', 4),
    ]);
    expect(log.renewals).toEqual(
      new Map([
        ['n', [START + 2000, START + 5000]],
        ['m', [START + 1000]],
      ]),
    );
    expect(log.leftOut).toEqual(new Map([['renewals of leases', 5]]));
  });

  it('keeps of doubles the one that knows more', () => {
    const bare = { level: 'Metadata', auditID: 'x' };
    const names = (...sent: readonly Sent[]) => {
      const { records, leftOut } = logOf(sent);
      return [records.map(({ name, isBare }) => [name, isBare]), leftOut.get('doubles')];
    };
    expect(names(create('a', { more: bare }), create('b', { more: { auditID: 'x' } }))).toEqual([[['b', false]], 1]);
    expect(names(create('a', { more: { auditID: 'x' } }), create('b', { more: bare }))).toEqual([[['a', false]], 1]);
    expect(names(create('a', { more: { auditID: 'x' } }), create('b', { more: { auditID: 'x' } }))).toEqual([[['a', false]], 1]);
    expect(names(create('a', { more: { auditID: undefined } }), create('b', { more: { auditID: undefined } }))).toEqual([
      [
        ['a', false],
        ['b', false],
      ],
      undefined,
    ]);
  });

  it('is of the neutral domain by a group or a note', () => {
    const isNeutral = (...sent: readonly Sent[]): boolean => logOf(sent).isNeutral;
    expect(isNeutral(create('a'))).toBe(false);
    expect(isNeutral(create('a', { group: 'storage.orch.io' }))).toBe(true);
    expect(isNeutral(create('a', { group: 'orch.io' }))).toBe(true);
    expect(isNeutral(create('a', { group: 'torch.io' }))).toBe(false);
    expect(isNeutral(create('a', { group: 'orch.io.example' }))).toBe(false);
    expect(isNeutral(create('a', { more: { annotations: { 'sim.orch.io/domain': 'orch.io' } } }))).toBe(true);
    expect(isNeutral({ verb: 'get', of: 'x', group: 'orch.io' })).toBe(false);
  });

  it('may have lists of events', () => {
    expect(
      linesOf({ kind: 'EventList', items: [create('a'), create('b')].map(eventOf) }).records.map(({ name, place }) => [name, place]),
    ).toEqual([
      ['a', 'a.log:1'],
      ['b', 'a.log:1'],
    ]);
  });
});

describe('lines that cannot be read', () => {
  it('are named, and the rest is read', () => {
    const log = linesOf(
      'x',
      '{"a":',
      ' {"kind"',
      '"text"',
      '{"kind":"Pod"}',
      eventOf(create('a'), 0),
      JSON.stringify(eventOf(create('b'), 1)).slice(0, -9),
      eventOf(create('c', { more: { requestReceivedTimestamp: 'now' } }), 2),
    );
    expect(log.problems).toEqual([
      { file: 'a.log', line: 1, col: 1, path: '', expected: 'a line of JSON', found: 'something else' },
      { file: 'a.log', line: 2, col: 5, path: '', expected: 'a line of JSON', found: 'a line that is cut' },
      { file: 'a.log', line: 3, col: 8, path: '', expected: 'a line of JSON', found: 'something else' },
      { file: 'a.log', line: 4, col: 1, path: '', expected: 'a line of audit.k8s.io/v1, with a stage and a verb', found: 'something else' },
      {
        file: 'a.log',
        line: 5,
        col: 1,
        path: '',
        expected: 'a line of audit.k8s.io/v1, with a stage and a verb',
        found: 'an object of kind "Pod"',
      },
      { file: 'a.log', line: 7, col: 550, path: '', expected: 'a line of JSON', found: 'a line that is cut' },
      {
        file: 'a.log',
        line: 8,
        col: 1,
        path: '',
        expected: 'a requestReceivedTimestamp, such as 2024-03-01T00:00:00.000000Z',
        found: 'an object of kind "Event"',
      },
    ]);
    expect([log.lines, log.records.length]).toEqual([8, 1]);
  });

  it('are named a hundred times', () => {
    expect(linesOf(...Array.from({ length: 102 }, () => 'x')).problems).toHaveLength(100);
  });
});

describe('a log with the records of watches', () => {
  const log = logOf([create('a', { at: 2 }), create('b', { at: 4 })]);
  const [a, b] = log.records;
  const watched = (at: number, group = '') => ({ ...a, at, ref: { ...a?.ref, group } }) as typeof b & object;

  it('is one incident', () => {
    const problem = { file: 'f', line: 1, col: 1, path: '', expected: 'e', found: 'f' };
    const read = { records: [watched(START), watched(START + 3000)], events: 7, problems: [problem] };
    const both = withRecords(log, read);
    expect(both.records.map(({ at }) => at - START)).toEqual([0, 2000, 3000, 4000]);
    expect({ ...both, records: [] }).toEqual({ ...log, records: [], lines: 9, from: START, to: START + 4000, problems: [problem] });
    expect(withRecords(log, { records: [watched(START + 9000, 'a.orch.io')], events: 1, problems: [] })).toMatchObject({
      from: START + 2000,
      to: START + 9000,
      isNeutral: true,
    });
  });

  it('may have neither lines nor records', () => {
    expect(withRecords(linesOf(), { records: [], events: 0, problems: [] })).toEqual(linesOf());
    expect(timeAt(0)).toBe('2024-03-01T00:00:00.000000Z');
  });
});

import { describe, expect, it } from 'vitest';
import {
  causesOf,
  chainOf,
  changesBetween,
  cursorAt,
  diffValues,
  entryAt,
  entryLine,
  formatLine,
  formatSince,
  lastWriteOf,
  readTrace,
  stepAt,
  stepOf,
  storyOf,
  summarizeChange,
  traceLines,
  valueAt,
  whyOf,
  writesOf,
} from '../../../src/lab/trace/index.ts';
import type { Trace, World } from '../../../src/lab/trace/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { storyRun } from './run.ts';

const run = storyRun();
const { trace } = run;
const PI = { kind: 'Job', namespace: 'default', name: 'pi' };

const worldText = (world: World): string =>
  JSON.stringify([...world.kinds()].sort((a, b) => (a < b ? -1 : 1)).map((kind) => world.list(kind)));

describe('steps', () => {
  it('are found by identity, and by instant', () => {
    trace.entries.forEach((entry, at) => {
      if (entry.type !== 'check' && entry.type !== 'note') expect(stepOf(trace, entry.id)).toBe(at + 1);
    });
    expect(stepOf(trace, 0)).toBeUndefined();
    expect(stepAt(trace, trace.startAt - 1)).toBe(0);
    expect(stepAt(trace, Infinity)).toBe(trace.entries.length);
    const step = stepAt(trace, trace.startAt + 1_000);
    expect(entryAt(trace, step)?.at).toBeLessThanOrEqual(trace.startAt + 1_000);
    expect(entryAt(trace, step + 1)?.at).toBeGreaterThan(trace.startAt + 1_000);
  });

  it('have causes that came before them', () => {
    for (const [at, entry] of trace.entries.entries())
      for (const id of entry.causes) expect(stepOf(trace, id) ?? 0).toBeLessThanOrEqual(at + 1);
  });
});

describe('the world at a step', () => {
  it('is the same forwards and backwards, and ends as the store', () => {
    const forwards: string[] = [];
    const cursor = cursorAt(trace, 0);
    for (let step = 0; step <= trace.entries.length; step += 7) {
      cursor.moveTo(step);
      forwards.push(worldText(cursor));
    }
    cursor.moveTo(trace.entries.length);
    for (const kind of cursor.kinds()) expect(cursor.list(kind).length).toBe([...run.cluster.store.values(kind)].length);
    for (let at = forwards.length - 1; at >= 0; at--) {
      cursor.moveTo(at * 7);
      expect(worldText(cursor)).toBe(forwards[at]);
    }
  });

  it('has the objects of its time', () => {
    expect(cursorAt(trace, 0).get('Job', 'default', 'pi')).toBeUndefined();
    expect(cursorAt(trace, stepAt(trace, trace.startAt + 1_000)).list('Pod', 'default')).toHaveLength(2);
    expect(cursorAt(trace, 1e9).list('Job')).toEqual([]);
    expect(cursorAt(trace, 1e9).step).toBe(trace.entries.length);
  });
});

describe('causes', () => {
  it('lead from a write to the operation from outside that caused it', () => {
    const [, , , fourth = 0] = writesOf(trace, PI);
    const chain = chainOf(trace, fourth);
    expect(chain.at(-1)?.entry.type).toBe('operation');
    expect(chain.map(({ step }) => step)).toEqual(chain.map(({ step }) => step).sort((a, b) => b - a));
    expect(chain.map(({ depth }) => depth)).toEqual(chain.map((_, at) => at + 1));
    expect(chainOf(trace, fourth, 2)).toEqual(chain.slice(0, 2));
    expect(storyOf(trace, fourth).length).toBeLessThan(chain.length);
    expect(causesOf(trace, fourth).map(({ step }) => step)).toEqual(expect.arrayContaining(chain.map(({ step }) => step)));
  });

  it('name the decision', () => {
    const entry = entryAt(trace, lastWriteOf(trace, PI, stepAt(trace, trace.startAt + 1_000), 'status.startTime') ?? 0);
    expect(entry === undefined ? '' : whyOf(trace, entry)).toBe('0 active, 0 succeeded, 0 failed: 2 more pods to create');
  });

  it('find the last write of an object, of a field, or none', () => {
    const steps = writesOf(trace, PI);
    expect(lastWriteOf(trace, PI, 1e9)).toBe(steps.at(-1));
    expect(lastWriteOf(trace, PI, steps[1] ?? 0)).toBe(steps[1]);
    expect(lastWriteOf(trace, PI, 1e9, 'metadata.labels.none')).toBeUndefined();
    expect(lastWriteOf(trace, { kind: 'Job', namespace: 'default', name: 'other' }, 1e9)).toBeUndefined();
  });
});

describe('differences', () => {
  it('are reported by path, lists by their merge key', () => {
    const before = {
      metadata: { resourceVersion: '1', labels: { a: '1' } },
      status: { active: 2, conditions: [{ type: 'A', status: 'False' }], list: [1, 2] },
    };
    const after = {
      metadata: { resourceVersion: '2' },
      status: {
        active: 3,
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'B', status: 'True', reason: 'R' },
        ],
        list: [1, 2],
      },
    };
    expect(diffValues(before, after)).toEqual([
      { path: 'metadata.labels', before: { a: '1' }, after: undefined },
      { path: 'status.active', before: 2, after: 3 },
      { path: 'status.conditions[A].status', before: 'False', after: 'True' },
      { path: 'status.conditions[B]', before: undefined, after: { type: 'B', status: 'True', reason: 'R' } },
    ]);
    expect(diffValues({}, { conditions: [{ type: 'A', status: 'True' }] })).toEqual([
      { path: 'conditions[A]', before: undefined, after: { type: 'A', status: 'True' } },
    ]);
  });

  it('between two steps are reported object by object', () => {
    const changes = changesBetween(trace, 0, stepAt(trace, trace.startAt + 1_000));
    expect(changes.filter(({ kind, before }) => kind === 'Pod' && before === undefined)).toHaveLength(2);
    expect(changes.some(({ kind }) => kind === 'Lease')).toBe(false);
    const gone = changesBetween(trace, stepAt(trace, trace.startAt + 1_000), trace.entries.length).filter(
      ({ after, kind }) => after === undefined && kind !== 'Event',
    );
    expect(gone.map(({ kind }) => kind)).toContain('Job');
    expect(changesBetween(trace, 5, 5)).toEqual([]);
  });

  it('fit on a line', () => {
    const writes = trace.entries.flatMap((entry) =>
      entry.type === 'write' && entry.change.type === 'MODIFIED' ? [summarizeChange(entry.change)] : [],
    );
    expect(writes.length).toBeGreaterThan(10);
    for (const text of writes) {
      expect(text).not.toBe('');
      expect(text.length).toBeLessThan(260);
    }
  });
});

it('the summary of a change has scalar values before structures; null is one', () => {
  const object = (spec: Readonly<Record<string, unknown>>): ApiObject =>
    ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, spec }) as never;
  const change = { type: 'MODIFIED', kind: 'Thing', key: 'a', revision: 2, at: 0, entry: 1 } as const;
  const [previous, now] = [object({ a: { x: 1 }, b: null, c: 1 }), object({ a: [1], b: 2, c: null })];
  expect(
    summarizeChange({ ...change, previous, object: now })
      .split(', ')
      .map((part) => part.slice(0, 6)),
  ).toEqual(['spec.b', 'spec.c', 'spec.a']);
});

describe('the value at a path', () => {
  const object = { metadata: { labels: { 'a.b/c': 'x' } }, status: { conditions: [{ type: 'A', status: 'True' }], numbers: [1, 2] } };
  it.each([
    ['status.conditions[A].status', 'True'],
    ['metadata.labels.a.b/c', 'x'],
    ['status.numbers[1]', 2],
    ['status.conditions[B].status', undefined],
    ['spec.x.y', undefined],
    ['', object],
  ])('%s', (path, value) => {
    expect(valueAt(object, path)).toEqual(value);
  });
});

describe('a line', () => {
  it('shows time, step, actor, subject, action and reason', () => {
    const step =
      trace.entries.findIndex((entry) => entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.type === 'ADDED') + 1;
    expect(formatLine(trace, step)).toMatch(
      /^ {3}0\.000s {2}#\d+ +job +pi +create Pod pi-[a-z0-9]{5} {2}rv \d+ {3}0 active, 0 succeeded, 0 failed: 2 more pods to create$/,
    );
  });

  it('is there for every entry', () => {
    for (let step = 1; step <= trace.entries.length; step++) expect(formatLine(trace, step)).toMatch(/^ *[\dhms.]+ {2}#\d+ +\S/);
  });

  it.each([
    [0, '0.000s'],
    [61_001, '1m01.001s'],
    [3_725_000, '1h02m05.000s'],
    [-1_500, '-1.500s'],
    [400 * 86_400_000, '9600h00m00.000s'],
  ])('says %d ms as %s', (ms, text) => {
    expect(formatSince(ms)).toBe(text);
  });
});

describe('a file of a trace', () => {
  const head = { trace: 'orchsim/v1', scenario: 'story', seed: 1, startAt: trace.startAt, domain: 'orch.io' } as const;
  const plain = ({ prologue, entries }: Trace): unknown => JSON.parse(JSON.stringify({ prologue, entries }));

  it('reads back to the same trace, previous revisions included', () => {
    const read = readTrace(traceLines(head, trace));
    if ('error' in read) throw new Error(read.error);
    expect(read.head).toEqual(head);
    expect(plain(read.trace)).toEqual(plain(trace));
  });

  it.each([
    [['{"trace":"other"}'], 'expected the head of a trace', 1],
    [[], 'expected the head of a trace, found nothing', 1],
    [[JSON.stringify(head), 'x'], 'expected one JSON object for each line', 2],
    [[JSON.stringify(head), '', '{"type":"note","id":1}'], 'expected a trace entry with id, at and a known type', 3],
  ])('refuses %j', (lines, error, line) => {
    expect(readTrace(lines)).toMatchObject({ error: expect.stringContaining(error) as unknown, line });
  });

  it('leaves out what follows from earlier lines', () => {
    const write = trace.entries.find((entry) => entry.type === 'write' && entry.change.previous !== undefined);
    expect(write === undefined ? '' : entryLine(write)).not.toContain('"previous"');
  });
});

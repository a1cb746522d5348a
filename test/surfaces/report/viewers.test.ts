/** A short trace in the formats of other viewers, whole. */
import { expect, it } from 'vitest';
import { createTimeline, perfettoEvents, perfettoText, shivizLines } from '../../../src/surfaces/report/index.ts';
import { entry, pod, START, traceOf } from './samples.ts';

const gone = pod('a', { phase: 'Succeeded' }, { deletionTimestamp: '2024-05-02T09:00:01Z' });
const before = entry.write(1, -5, 'old', { change: { object: pod('old', { phase: 'Running' }) } });
const TRACE = traceOf(
  [
    entry.note(1, 0, 'It begins.'),
    entry.decision(2, 0, 'default/pi', 'a pod is needed', { writes: 1, causes: [1] }),
    entry.write(3, 0, 'a', { causes: [2] }),
    entry.delivery(4, 10, 'a', [3]),
    entry.write(5, 20, 'a', {
      causes: [4, 3],
      actor: 'node agent',
      controller: undefined,
      change: { type: 'MODIFIED', object: pod('a', { phase: 'Running' }), previous: pod('a') },
    } as never),
    entry.write(6, 30, 'a', { causes: [5], change: { type: 'MODIFIED', object: gone, previous: pod('a', { phase: 'Running' }) } }),
    entry.write(7, 40, 'a', { causes: [6], change: { type: 'DELETED', object: gone } }),
    entry.write(8, 50, 'config', { change: { kind: 'ConfigMap' } }),
  ],
  [before],
);

it('ShiViz has a column for each author, and clocks that include those of the causes', () => {
  expect([...shivizLines(TRACE)]).toEqual([
    String.raw`(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`,
    '',
    'scenario {"scenario":1}',
    '0.000s #1 note It begins.',
    'controller-manager {"controller-manager":1}',
    '0.000s #2 job pi decides on 1 write (a pod is needed)',
    'server {"controller-manager":1,"server":1}',
    '0.000s #3 job a create Pod (a pod is needed)',
    'scheduler {"controller-manager":1,"server":1,"scheduler":1}',
    '0.010s #4 scheduler a sees added Pod',
    'server {"controller-manager":1,"server":2,"scheduler":1}',
    '0.020s #5 node agent a update Pod: status.phase = Running',
    'server {"controller-manager":1,"server":3,"scheduler":1}',
    '0.030s #6 job a mark Pod for deletion',
    'server {"controller-manager":1,"server":4,"scheduler":1}',
    '0.040s #7 job a delete Pod',
    'server {"controller-manager":1,"server":5,"scheduler":1}',
    '0.050s #8 job config create ConfigMap',
  ]);
});

it('ShiViz joins the clocks of several causes, and names processes without spaces', () => {
  const decided = (id: number, process: string, causes: readonly number[] = []) =>
    entry.decision(id, id, 'default/a', 'w', { process, causes });
  const clocks = [
    ...shivizLines(traceOf([decided(1, 'a b'), decided(2, 'c'), decided(3, 'a b'), decided(4, 'd', [1, 2, 3]), decided(5, 'd', [1])])),
  ].filter((line) => line.includes(' {"'));
  expect(clocks).toEqual(['a-b {"a-b":1}', 'c {"c":1}', 'a-b {"a-b":2}', 'd {"a-b":2,"c":1,"d":1}', 'd {"a-b":2,"c":1,"d":2}']);
});

it('Perfetto has slices within their instant, arrows from causes, phases of pods, and names', () => {
  const slice = (step: number, cat: string, name: string, ts: number, dur: number, pid: number, tid: number, why = '') => ({
    ph: 'X',
    cat,
    name,
    ts,
    dur,
    pid,
    tid,
    args: { step, ...(why === '' ? {} : { why }) },
  });
  const arrow = (id: string, from: readonly [number, number, number], to: readonly [number, number, number]) => {
    const [cause, effect] = [from, to].map(([ts, pid, tid]) => ({ ts, pid, tid }));
    return [
      { ph: 's', name: 'led to', cat: 'cause', id, ...cause },
      { ph: 'f', bp: 'e', name: 'led to', cat: 'cause', id, ...effect },
    ];
  };
  const bar = (phase: string, ts: number, dur: number, tid: number) => ({ ph: 'X', cat: 'pod', name: phase, ts, dur, pid: 5, tid });
  const process = (pid: number, name: string, order: number) => [
    { ph: 'M', name: 'process_name', ts: 0, pid, tid: 0, args: { name } },
    { ph: 'M', name: 'process_sort_index', ts: 0, pid, tid: 0, args: { sort_index: order } },
  ];
  const thread = (pid: number, tid: number, name: string) => ({ ph: 'M', name: 'thread_name', ts: 0, pid, tid, args: { name } });
  const [why, instant] = ['a pod is needed', 1_000 / 2];
  expect([...perfettoEvents(TRACE)]).toEqual([
    slice(1, 'note', 'It begins.', 0, 200, 1, 1),
    slice(2, 'reconcile', 'pi: decides on 1 write', 250, 200, 3, 2, why),
    ...arrow('1-2', [0, 1, 1], [250, 3, 2]),
    slice(3, 'write', 'a: create Pod', 500, 200, 2, 3, why),
    ...arrow('2-3', [250, 3, 2], [500, 2, 3]),
    slice(4, 'delivery', 'a: sees added Pod', 10_000, instant * 0.8, 4, 4),
    ...arrow('3-4', [500, 2, 3], [10_000, 4, 4]),
    slice(5, 'write', 'a: update Pod: status.phase = Running', 20_000, 400, 2, 5),
    ...arrow('4-5', [10_000, 4, 4], [20_000, 2, 5]),
    ...arrow('3-5', [500, 2, 3], [20_000, 2, 5]),
    slice(6, 'write', 'a: mark Pod for deletion', 30_000, 400, 2, 3),
    ...arrow('5-6', [20_000, 2, 5], [30_000, 2, 3]),
    slice(7, 'write', 'a: delete Pod', 40_000, 400, 2, 3),
    ...arrow('6-7', [30_000, 2, 3], [40_000, 2, 3]),
    slice(8, 'write', 'config: create ConfigMap', 50_000, 400, 2, 3),
    bar('Pending', 0, 20_000, 6),
    bar('Running', 20_000, 10_000, 6),
    bar('Terminating', 30_000, 10_000, 6),
    bar('Running', 0, 50_000, 7),
    ...process(1, 'scenario', 1),
    ...process(2, 'server', 2),
    ...process(3, 'controller-manager', 3),
    ...process(4, 'scheduler', 4),
    ...process(5, 'pods', 6),
    thread(1, 1, 'note'),
    thread(3, 2, 'job'),
    thread(2, 3, 'job'),
    thread(4, 4, 'cache'),
    thread(2, 5, 'node agent'),
    thread(5, 6, 'default/a'),
    thread(5, 7, 'default/old'),
  ]);
});

it('Perfetto draws no arrow from what is before the start, or does not come before', () => {
  const arrows = [...perfettoEvents(traceOf([entry.write(2, 0, 'a', { causes: [1, 2, 3] }), entry.write(3, 1, 'b')], [before]))].filter(
    ({ ph }) => ph === 's',
  );
  expect(arrows).toEqual([]);
});

it('Perfetto reads one object, with an event a line; a run without entries has none but its names', () => {
  const text = [...perfettoText(TRACE, { scenario: 'a' })].join('');
  expect(text).toMatch(
    /^\{"displayTimeUnit":"ms","otherData":\{"scenario":"a"\},"traceEvents":\[\n\{"ph":"X"[^]*\}\},\n\{"ph":"M"[^]*\}\}\n\]\}\n$/,
  );
  expect(text.split('\n')).toHaveLength([...perfettoEvents(TRACE)].length + 3);
  // Pods of the prologue are there from the start.
  expect([...perfettoEvents(traceOf([], [before]))].filter(({ ph }) => ph === 'X')).toEqual([
    { ph: 'X', cat: 'pod', name: 'Running', ts: 0, dur: 0, pid: 3, tid: 1 },
  ]);
});

it('a timeline has the reason of a decision with its first write, or with each where everything is shown', () => {
  const entries = [
    entry.decision(1, 0, 'default/pi', 'two are needed', { writes: 2 }),
    entry.decision(2, 0, 'default/x', 'nothing to do'),
    entry.write(3, 0, 'a', { causes: [9, 1] }),
    entry.write(4, 0, 'b', { causes: [1] }),
    entry.write(5, 0, 'c', { causes: [2] }),
    entry.delivery(6, 1, 'a', [3]),
    entry.fault(7, 2, 'crash'),
  ];
  const timeline = (level: number): readonly (string | undefined)[] => {
    const { next } = createTimeline(START, level);
    return entries.map((each, at) => {
      const line = next(each, at + 1);
      return line === undefined ? undefined : `${line.step} ${line.time} ${line.what}${line.why === '' ? '' : `: ${line.why}`}`;
    });
  };
  expect(timeline(1)).toEqual([
    undefined,
    undefined,
    '#3 0.000s create Pod: two are needed',
    '#4 0.000s create Pod',
    '#5 0.000s create Pod',
    undefined,
    '#7 0.002s it is gone',
  ]);
  expect(timeline(2)).toEqual([
    '#1 0.000s decides on 2 writes: two are needed',
    '#2 0.000s decides to wait: nothing to do',
    '#3 0.000s create Pod: two are needed',
    '#4 0.000s create Pod: two are needed',
    '#5 0.000s create Pod',
    '#6 0.001s sees added Pod',
    '#7 0.002s it is gone',
  ]);
});

it('a timeline remembers ten thousand decisions', () => {
  const shown = (decisions: number): string | undefined => {
    const { next } = createTimeline(START, 1);
    for (let id = 1; id <= decisions; id++) next(entry.decision(id, 0, 'default/pi', `reason ${id}`, { writes: 1 }), id);
    return next(entry.write(decisions + 1, 0, 'a', { causes: [1] }), decisions + 1)?.why;
  };
  expect([shown(10_000), shown(10_001)]).toEqual(['reason 1', '']);
});

/** Sentences of runs, those that discriminate between two groups, and the first difference of two runs. */
import { describe, expect, it } from 'vitest';
import { collectFeatures, distinguish, firstDivergence, withoutChance, type Features } from '../../../src/lab/trace/index.ts';
import { became, decided, delivered, fault, objectOf, other, START, traceOf, wrote } from './made.ts';

type Made = Parameters<typeof traceOf>[0][number];
const featuresOf = (...entries: readonly Made[]): Features => {
  const collector = collectFeatures(START);
  for (const entry of traceOf(entries).entries) collector.observe(entry);
  return collector.features;
};
const sentences = (features: Features) => [...features].map(([text, { order, sinceStartMs }]) => `${order} at ${sinceStartMs}: ${text}`);
const said = (sinceMs: number, label: string): Made => other(sinceMs, { type: 'operation', label });

describe('names that are drawn', () => {
  it.each([
    ['web-7d9f4b6c5d-x2x9z is gone', 'web-7d9f4b6c5d-… is gone'],
    ['web-7d9f4b6c5d', 'web-…'],
    ['pi-x2x9z and web-0', 'pi-… and web-0'],
    ['pi-apple', 'pi-apple'],
    ['pi-0a1b2c3d', 'pi-…'],
    ['uid 0a1b2c3d-0000-4000-8000-00112233aabb here', 'uid … here'],
    ['rv 17 and #23', '… and …'],
    ['rv17', 'rv17'],
  ])('%s is %s', (text, without) => {
    expect(withoutChance(text)).toBe(without);
  });
});

describe('the sentences of a run', () => {
  const pod = (name: string) => objectOf('Pod', name, 7);

  it('are its writes, decisions, faults and operations, each repetition with its number', () => {
    const features = featuresOf(
      said(0, 'apply   Job/pi'),
      wrote(1, pod('pi-x2x9z')),
      delivered(2, 'scheduler', pod('pi-x2x9z')),
      wrote(3, pod('pi-b4b4b')),
      other(3, { type: 'timer', process: 'm', controller: 'job', key: 'a', because: 'wake' }),
      decided(4, 'manager', 'job', 'default/pi', { writes: 1, why: 'one of 3 is missing' }),
      other(5, { type: 'check', name: 'x', held: true, detail: '' }),
      other(5, { type: 'note', text: 'x' }),
      fault(6, 'lag', 'scheduler', {}, 'by: 1s'),
      became(7, 'scheduler', 'crashed'),
      became(8, 'scheduler', 'started'),
      became(9, 'scheduler', 'stopped'),
    );
    expect(sentences(features)).toEqual([
      '0 at 0: scenario apply Job/pi',
      '1 at 1: user pi-… create Pod',
      '2 at 3: user pi-… create Pod (time 2)',
      '3 at 4: manager pi decides on 1 write one of 3 is missing',
      '4 at 6: fault lag lag happens (by: 1s)',
      '5 at 6: fault lag lag happens (by: 1s), right after user pi-… create Pod (time 2)',
      '6 at 7: scheduler crashed',
      '7 at 7: scheduler crashed, right after user pi-… create Pod (time 2)',
      '8 at 8: scheduler started',
      '9 at 9: scheduler stopped',
      '10 at 9: scheduler stopped, right after user pi-… create Pod (time 2)',
    ]);
  });

  it('before any write have no order, and repetitions beyond the fiftieth do not count', () => {
    expect(sentences(featuresOf(fault(1, 'lag', 'scheduler')))).toEqual(['0 at 1: fault lag lag happens']);
    const many = featuresOf(...Array.from({ length: 60 }, (_, at) => said(at, 'x')));
    expect([many.size, sentences(many).at(-1)]).toEqual([50, '49 at 49: scenario x (time 50)']);
  });
});

describe('what discriminates', () => {
  const run = (...labels: readonly string[]): Features => featuresOf(...labels.map((label, at) => said(at, label)));
  const texts = (...given: Parameters<typeof distinguish>) =>
    distinguish(...given).map(({ text, here, elsewhere }) => `${here}/${elsewhere} ${text}`);

  it('is what all of the one group have and none of the other, the earliest first, then what they lack', () => {
    const found = distinguish([run('a', 'b', 'c')], [run('a', 'd')], 10);
    expect(found).toEqual([
      { text: 'scenario b', here: 1, elsewhere: 0, sinceStartMs: 1 },
      { text: 'scenario c', here: 1, elsewhere: 0, sinceStartMs: 2 },
      { text: 'it lacks: scenario d', here: 1, elsewhere: 0 },
    ]);
    expect(distinguish([run('a', 'b', 'c', 'e')], [run('a', 'd')], 10)).toHaveLength(3);
    expect(distinguish([run('a', 'b', 'c', 'e')], [run('a', 'd')], 10, 4)).toHaveLength(4);
  });

  it('is not what came after the end of the failed runs', () => {
    expect(texts([run('a', 'b', 'c')], [run('a')], 1)).toEqual(['1/0 scenario b']);
    expect(texts([run('a', 'b', 'c')], [run('a')], 0)).toEqual([]);
  });

  it('is what more of them have, or the order, where nothing is in all and none; half of them at least', () => {
    const [ab, ba, a] = [run('a', 'b'), run('b', 'a'), run('a')];
    expect(texts([ab, ab], [a, ab], 10)).toEqual(['2/1 scenario b', '2/1 "scenario a" comes before "scenario b"']);
    expect(texts([ab, ab, a], [a, a, ab], 10)).toEqual([]);
    expect(texts([ab, ab], [ba, ba], 10)).toEqual(['2/0 "scenario a" comes before "scenario b"']);
    expect(texts([a, ab], [ab, ab], 10)).toEqual(['1/0 it lacks: scenario b']);
  });

  it('compares the order of the first sixty only', () => {
    const fillers = Array.from({ length: 59 }, (_, at) => `f${at}`);
    const [one, other_] = [run('a', ...fillers.slice(1), 'b'), run('b', ...fillers.slice(1), 'a')];
    expect(texts([one], [other_], 100, 1000)).toContain('1/0 "scenario a" comes before "scenario b"');
    const late = [run('a', ...fillers, 'b'), run('b', ...fillers, 'a')] as const;
    expect(texts([late[0]], [late[1]], 100, 1000)).not.toContain('1/0 "scenario a" comes before "scenario b"');
  });

  it('is nothing without runs to compare', () => {
    expect([distinguish([], [run('a')], 10), distinguish([run('a')], [], 10)]).toEqual([[], []]);
  });
});

describe('the first difference of two runs', () => {
  const one = traceOf([said(0, 'a'), delivered(1, 'p', objectOf('Pod', 'x', 1)), said(2, 'b'), said(3, 'c')]);
  it.each<[string, readonly Made[], object | undefined]>([
    ['none', [said(0, 'a'), said(2, 'b'), said(9, 'c')], undefined],
    ['in both', [said(0, 'a'), said(2, 'x'), said(3, 'c')], { common: 1, first: 3, second: 2 }],
    ['where the other ends', [said(0, 'a'), said(2, 'b')], { common: 2, first: 4 }],
    ['where the first ends', [said(0, 'a'), said(2, 'b'), said(3, 'c'), said(4, 'd')], { common: 3, second: 4 }],
    ['from the start', [], { common: 0, first: 1 }],
  ])('%s', (_, entries, divergence) => {
    expect(firstDivergence(one, traceOf(entries))).toEqual(divergence);
  });
});

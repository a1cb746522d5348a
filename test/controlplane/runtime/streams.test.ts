/** The open watch streams: who carries a change, and in which order one arrives. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import type { Change } from '../../../src/apiserver/store/index.ts';
import { createCache } from '../../../src/controlplane/runtime/cache.ts';
import { carries, Streams, takeNext, touch, touchStream, type Process, type Stream } from '../../../src/controlplane/runtime/process.ts';
import { noFields } from '../../../src/controlplane/runtime/watches.ts';

const pod = (name: string, nodeName?: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '' },
  ...(nodeName === undefined ? {} : { spec: { nodeName } }),
});
const process = (): Process => ({ unchanged: {} }) as unknown as Process;
const parts = (only?: Stream['only'], kind = 'Pod'): Omit<Stream, 'number'> => ({
  process: process(),
  kind,
  kindTable: createCache().open(kind),
  unseenRenewals: false,
  listeners: [],
  fields: noFields(),
  chooses: false,
  interested: undefined,
  inFlight: [],
  head: 0,
  tail: 0,
  lastAt: 0,
  seenRevision: 1,
  unchanged: {},
  ...(only === undefined ? {} : { only }),
});
const onNode = (value: string) => parts({ index: 'nodeName', value });
const byName = (value: string) => parts({ index: 'name', value });

describe('streams of a kind', () => {
  it('without a filter come first, then those of the node, then those of the name', () => {
    const streams = new Streams();
    expect(streams.following('Pod', pod('p'))).toEqual({ streams: [], numbers: [] });
    for (const each of [byName('p'), onNode('n'), parts(), onNode('m'), onNode('n'), parts(), parts(undefined, 'Job')]) streams.add(each);
    const numbers = (object: ApiObject): readonly number[] => streams.following('Pod', object).numbers;
    expect([
      numbers(pod('p', 'n')),
      numbers(pod('q', 'n')),
      numbers(pod('q', 'm')),
      numbers(pod('p')),
      numbers(pod('q', 'x')),
      numbers(pod('q')),
    ]).toEqual([
      [2, 5, 1, 4, 0],
      [2, 5, 1, 4],
      [2, 5, 3],
      [2, 5, 0],
      [2, 5],
      [2, 5],
    ]);
    for (const object of [pod('p', 'n'), pod('p'), pod('q', 'x')])
      expect(streams.following('Pod', object).streams.map(({ number }) => number)).toEqual(numbers(object));
    expect(streams.following('Job', pod('p')).numbers).toEqual([6]);
  });

  it('include a new one at once, and a closed one no more', () => {
    const streams = new Streams();
    const [all, node, name] = [streams.add(parts()), streams.add(onNode('n')), streams.add(byName('p'))];
    const numbers = (): readonly number[] => streams.following('Pod', pod('p', 'n')).numbers;
    expect(numbers()).toEqual([0, 1, 2]);
    const more = [streams.add(onNode('n')), streams.add(parts()), streams.add(byName('p'))];
    expect(numbers()).toEqual([0, 4, 1, 3, 2, 5]);
    streams.close(node);
    expect(numbers()).toEqual([0, 4, 3, 2, 5]);
    streams.close(all);
    streams.close(name);
    expect(numbers()).toEqual([4, 3, 5]);
    expect(streams.following('Pod', pod('q')).numbers).toEqual([4]);
    for (const stream of more) streams.close(stream);
    expect(numbers()).toEqual([]);
    expect([0, 1, 2, 3, 4, 5].map((number) => streams.byNumber(number))).toEqual(Array.from({ length: 6 }));
    expect(streams.add(parts()).number).toBe(6);
    // What is awaited on a closed stream counts as seen.
    expect(all.seenRevision).toBe(Infinity);
  });

  it('carry what their filter selects', () => {
    const stream = (each: Omit<Stream, 'number'>): Stream => ({ number: 0, ...each });
    const which = (each: Omit<Stream, 'number'>): boolean[] =>
      [pod('p', 'n'), pod('n', 'p'), pod('x')].map((object) => carries(stream(each), object));
    expect([which(parts()), which(onNode('n')), which(byName('n'))]).toEqual([
      [true, true, true],
      [true, false, false],
      [false, true, false],
    ]);
  });
});

describe('changes in flight', () => {
  const change = (revision: number): Change => ({ revision }) as Change;
  const filled = (count: number): Stream => {
    const stream = { number: 0, ...parts() };
    for (let revision = 1; revision <= count; revision++) stream.inFlight[stream.tail++] = change(revision);
    return stream;
  };

  it('arrive in order, each once; another revision is not taken', () => {
    const stream = filled(3);
    expect([
      takeNext(stream, 2),
      takeNext(stream, 1),
      takeNext(stream, 1),
      takeNext(stream, 2),
      takeNext(stream, 3),
      takeNext(stream, 4),
    ]).toEqual([undefined, change(1), undefined, change(2), change(3), undefined]);
    expect([stream.head, stream.tail, stream.inFlight]).toEqual([0, 0, [undefined, undefined, undefined]]);
  });

  it('leave their places for later ones, but not more than 256', () => {
    const stream = filled(257);
    for (let revision = 1; revision <= 257; revision++) takeNext(stream, revision);
    expect([stream.head, stream.tail, stream.inFlight]).toEqual([0, 0, []]);
    const many = filled(600);
    for (let revision = 1; revision <= 300; revision++) takeNext(many, revision);
    expect([many.head, many.tail, many.inFlight.length]).toEqual([300, 600, 600]);
    expect(takeNext(many, 301)).toEqual(change(301));
    expect([many.head, many.tail, many.inFlight.length, many.inFlight[0]]).toEqual([0, 299, 299, change(302)]);
    const some = filled(400);
    for (let revision = 1; revision <= 256; revision++) takeNext(some, revision);
    expect([some.head, some.tail]).toEqual([256, 400]);
    takeNext(some, 257);
    expect([some.head, some.tail]).toEqual([0, 143]);
  });
});

it('what is touched has changed, and so has its process', () => {
  const stream = { number: 0, ...parts() };
  touchStream(stream);
  expect([stream.unchanged, stream.process.unchanged]).toEqual([undefined, undefined]);
  const running = { process: process(), unchanged: {} };
  touch(running as never);
  expect([running.unchanged, running.process.unchanged]).toEqual([undefined, undefined]);
});

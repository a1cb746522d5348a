/** The queue of events at its edges: long instants, items taken out of turn, and what is offered of an instant. */
import { describe, expect, it } from 'vitest';
import { offeredOf, type Pending, UNOFFERED } from '../../src/engine/kernel/channels.ts';
import { TimeQueue } from '../../src/engine/kernel/queue.ts';

describe('a queue', () => {
  it('is empty at first, and again', () => {
    const queue = new TimeQueue<string>();
    expect([queue.earliest(), queue.peek(), queue.pop(), queue.all(), queue.at(0)]).toEqual([undefined, undefined, undefined, [], []]);
    queue.push(5, 'a');
    expect([queue.earliest(), queue.peek(), queue.at(5), queue.at(4), queue.pop(), queue.pop()]).toEqual([
      5,
      'a',
      ['a'],
      [],
      'a',
      undefined,
    ]);
    queue.push(3, 'b');
    expect([queue.earliest(), queue.all()]).toEqual([3, ['b']]);
  });

  it('has instants in their order, whatever that of the pushes', () => {
    const queue = new TimeQueue<number>();
    const times = [7, 3, 9, 1, 8, 2, 6, 4, 5, 0, 10, 15, 11, 14, 12, 13];
    for (const time of times) queue.push(time, time);
    expect(queue.all()).toEqual(times.toSorted((a, b) => a - b));
    expect(times.map(() => queue.pop())).toEqual(times.toSorted((a, b) => a - b));
  });

  it('has an earlier instant that comes later first', () => {
    const queue = new TimeQueue<string>();
    queue.push(5, 'a');
    queue.push(5, 'b');
    queue.push(2, 'c');
    expect([queue.peek(), queue.pop(), queue.pop()]).toEqual(['c', 'c', 'a']);
    queue.push(5, 'd');
    queue.push(4, 'e');
    expect([queue.all(), queue.pop(), queue.pop(), queue.pop(), queue.pop()]).toEqual([['e', 'b', 'd'], 'e', 'b', 'd', undefined]);
  });

  it('keeps the order of what stays when an item is taken out of turn', () => {
    const queue = new TimeQueue<string>();
    for (const item of ['a', 'b', 'c', 'd']) queue.push(1, item);
    expect([queue.pop(2), queue.at(1), queue.pop(), queue.pop(1), queue.at(1), queue.peek()]).toEqual([
      'c',
      ['a', 'b', 'd'],
      'a',
      'd',
      ['b'],
      'b',
    ]);
    queue.push(1, 'e');
    expect([queue.pop(1), queue.pop(), queue.earliest()]).toEqual(['e', 'b', undefined]);
  });

  it.each([1023, 1024, 1025, 2050, 5000])('loses nothing of an instant with %d items', (count) => {
    const queue = new TimeQueue<number>();
    for (let at = 0; at < count; at++) queue.push(1, at);
    queue.push(2, -1);
    const left: number[] = [];
    for (let popped = 0; popped < count; popped++) {
      const item = queue.pop();
      left.push(item ?? -2);
      // What is handled plans more of the same instant.
      if (popped === count >> 1) queue.push(1, count);
    }
    expect(left).toEqual(Array.from({ length: count }, (_, at) => at));
    expect([queue.at(1), queue.pop(), queue.pop(), queue.pop()]).toEqual([[count], count, -1, undefined]);
    queue.push(3, 7);
    expect(queue.all()).toEqual([7]);
  });
});

describe('what is offered of an instant', () => {
  const pending = (event: string, cancelled = false): Pending<string> => ({
    at: 0,
    seq: 0,
    event,
    causes: [],
    background: false,
    part: 0,
    parts: 1,
    cancelled,
  });
  const channel = (event: string) => (event.startsWith('-') ? UNOFFERED : event.startsWith('?') ? undefined : event[0]);
  const offered = (...events: readonly string[]) =>
    offeredOf(
      events.map((event) => pending(event)),
      channel,
    ).map(({ event }) => event);

  it('is the oldest of each channel, and all without one', () => {
    expect(offered()).toEqual([]);
    expect(offered('a1', 'b1', 'a2', '?1', 'c1', '?2', 'b2')).toEqual(['a1', 'b1', '?1', 'c1', '?2']);
    expect(offeredOf([pending('a1'), pending('a2')], undefined).map(({ event }) => event)).toEqual(['a1', 'a2']);
  });

  it('is what is not offered alone, where it is the oldest', () => {
    expect([offered('-1', 'a1'), offered('a1', '-1', 'b1'), offered('-1', '-2')]).toEqual([['-1'], ['a1', 'b1'], ['-1']]);
  });

  it('has nothing that is cancelled', () => {
    const all = [pending('-1', true), pending('a1', true), pending('a2'), pending('b1')];
    expect(offeredOf(all, channel).map(({ event }) => event)).toEqual(['a2', 'b1']);
  });

  it('depends on the part that comes next', () => {
    const parts = [{ ...pending('a'), part: 1 }, pending('b'), { ...pending('c'), part: 1 }];
    expect(offeredOf(parts, (_, part) => part).map(({ event }) => event)).toEqual(['a', 'b']);
  });
});

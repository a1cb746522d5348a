/** What a restored cluster writes by itself: from its entries, until something comes from outside. */
import { expect, it } from 'vitest';
import { collectFirstWrites } from '../../../src/lab/simulation/first-writes.ts';
import { became, decided, fault, objectOf, START, traceOf, wrote } from '../trace/made.ts';

const pod = (name: string) => objectOf('Pod', name, 1);
const by = (causes: readonly number[] = []) => ({ actor: 'manager', controller: 'job', causes });
type Made = Parameters<typeof traceOf>[0][number];
const written = (...entries: readonly Made[]) => {
  const collected = collectFirstWrites(START, new Set(['manager', 'scheduler']));
  for (const entry of traceOf(entries).entries) collected.observe(entry);
  return collected.writes;
};
const brief = (...entries: readonly Made[]) => written(...entries).map(({ object, sinceStartMs }) => `${object.name} at ${sinceStartMs}`);

it('each write has its author, its object and the reason of its decision', () => {
  expect(
    written(
      decided(5, 'manager', 'job', 'default/pi', { why: 'one is missing', writes: 1 }),
      decided(5, 'manager', 'job', 'default/pi', { why: 'it waits' }),
      wrote(10, pod('a'), by([2, 1])),
      wrote(11, pod('b'), { actor: 'scheduler', causes: [2] }),
      wrote(12, objectOf('Node', 'n', 1, {}, { namespace: undefined }), { actor: 'server' }),
    ),
  ).toEqual([
    { sinceStartMs: 10, author: 'job', request: '', object: { kind: 'Pod', namespace: 'default', name: 'a' }, why: 'one is missing' },
    { sinceStartMs: 11, author: 'scheduler', request: '', object: { kind: 'Pod', namespace: 'default', name: 'b' } },
    { sinceStartMs: 12, author: 'server', request: '', object: { kind: 'Node', name: 'n' } },
  ]);
});

it('leases, Events and what was written before the start are none', () => {
  expect(
    brief(
      wrote(-1, pod('a'), { actor: 'user' }),
      wrote(-1, pod('b'), by()),
      wrote(1, objectOf('Lease', 'l', 1), by()),
      wrote(2, objectOf('Event', 'e', 1), by()),
      wrote(3, pod('c'), by()),
    ),
  ).toEqual(['c at 3']);
});

it('a fault, a write from outside, or the end of the minute ends them', () => {
  const [before, after] = [wrote(1, pod('a'), by()), wrote(9, pod('z'), by())];
  expect(brief(before, fault(2, 'lag', 'manager'), after)).toEqual(['a at 1']);
  expect(brief(before, wrote(2, pod('b')), after)).toEqual(['a at 1']);
  expect(brief(wrote(0, pod('c'), by()), wrote(0, pod('b')), before)).toEqual(['c at 0']);
  expect(brief(before, became(2, 'manager', 'crashed'), after)).toEqual(['a at 1', 'z at 9']);
  expect(brief(before, wrote(60_000, pod('b'), by()), wrote(60_001, pod('c'), by()), after)).toEqual(['a at 1', 'b at 60000']);
  expect(brief(before, became(60_001, 'manager', 'leads'), after)).toEqual(['a at 1']);
});

it('a thousand are enough', () => {
  const many = Array.from({ length: 1_005 }, (_, at) => wrote(1, pod(`p${at}`), by()));
  const found = written(...many);
  expect([found.length, found.at(-1)?.object.name]).toEqual([1_000, 'p999']);
});

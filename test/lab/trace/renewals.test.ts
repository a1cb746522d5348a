/** The state of a lease between its writes: renewals that have no entries, with the revisions that their writes would have had. */
import { describe, expect, it } from 'vitest';
import { cursorAt, renewalIntervalsOf } from '../../../src/lab/trace/index.ts';
import { objectOf, START, traceOf, wrote } from './made.ts';

const leaseOf = (name: string, revision: number) =>
  objectOf('Lease', name, revision, { spec: { holderIdentity: 'x', renewTime: 'written' } }, { namespace: 'l' });
const interval = (order: number, lease: string, firstMs: number, everyMs: number, untilMs?: number) => ({
  order,
  process: 'p',
  controller: 'c',
  lease: `l/${lease}`,
  firstAt: START + firstMs,
  everyMs,
  delayMs: 2,
  ...(untilMs === undefined ? {} : { until: START + untilMs }),
});
const config = (revision: number) => objectOf('ConfigMap', 'm', revision);

const trace = traceOf(
  [
    wrote(0, leaseOf('a', 10)),
    wrote(0, leaseOf('b', 11)),
    wrote(25, config(18)),
    wrote(40, leaseOf('a', 23), { previous: leaseOf('a', 10) }),
  ],
  {
    renewalIntervals: [interval(1, 'a', 10, 10, 30), interval(2, 'b', 10, 5), interval(3, 'a', 60, 10)],
  },
);
const renewals = renewalIntervalsOf(trace);
const at = (name: string, written: number, ms: number): readonly [number, number] | undefined => {
  const found = renewals.renewal(`l/${name}`, written, START + ms);
  return found && [found.at - START, found.revision];
};

describe('the last renewal of a lease', () => {
  it.each<[string, number, number, readonly [number, number] | undefined]>([
    ['a', 10, 9, undefined],
    // At one instant the older lease is first.
    ['a', 10, 10, [10, 12]],
    ['b', 11, 10, [10, 13]],
    ['b', 11, 14, [10, 13]],
    ['b', 11, 15, [15, 14]],
    ['a', 10, 20, [20, 15]],
    ['b', 11, 20, [20, 16]],
    // Before the write of that instant, whose revision counts from then on.
    ['b', 11, 25, [25, 17]],
    ['a', 10, 30, [30, 19]],
    ['b', 11, 30, [30, 20]],
    // It has ended; then the lease was written.
    ['a', 10, 39, [30, 19]],
    ['a', 23, 45, undefined],
    ['a', 23, 60, [60, 28]],
    ['b', 11, 60, [60, 27]],
    ['nowhere', 0, 60, undefined],
  ])('of %s, written at revision %d, at %d ms', (name, written, ms, found) => {
    expect(at(name, written, ms)).toEqual(found);
  });

  it('is none where a later write has passed it', () => {
    expect([at('a', 11, 10), at('a', 12, 10)]).toEqual([[10, 12], undefined]);
  });
});

describe('a lease in the world', () => {
  it('has the time and the revision of its renewal, other objects are as they were written', () => {
    const world = cursorAt(trace, 2, START + 21);
    const renewed = (name: string, resourceVersion: string, renewTime: string) => {
      const lease = leaseOf(name, 0);
      return { ...lease, metadata: { ...lease.metadata, resourceVersion }, spec: { holderIdentity: 'x', renewTime } };
    };
    expect(world.byKey('Lease', 'l/a')).toEqual(renewed('a', '15', '2024-03-01T00:00:00.018000Z'));
    expect(world.list('Lease')).toEqual([
      renewed('a', '15', '2024-03-01T00:00:00.018000Z'),
      renewed('b', '16', '2024-03-01T00:00:00.018000Z'),
    ]);
    expect(world.at - START).toBe(21);
    world.moveTo(3);
    expect([world.at - START, world.get('Lease', 'l', 'b')?.metadata.resourceVersion, world.get('ConfigMap', 'default', 'm')]).toEqual([
      25,
      '17',
      config(18),
    ]);
    world.moveTo(2);
    expect(world.get('Lease', 'l', 'a')).toEqual(leaseOf('a', 10));
  });

  it('of a kind with the key of a lease is not renewed', () => {
    const pod = objectOf('Pod', 'a', 3, {}, { namespace: 'l' });
    expect(renewals.objectAt('Pod', 'l/a', pod, START + 20)).toBe(pod);
    const unknown = leaseOf('unknown', 3);
    expect(renewals.objectAt('Lease', 'l/unknown', unknown, START + 20)).toBe(unknown);
  });

  it('is the same where no renewal is left out', () => {
    expect(renewalIntervalsOf(traceOf([])).renewal('l/a', 0, START)).toBeUndefined();
    expect(renewalIntervalsOf(trace)).toBe(renewals);
  });
});

describe('a world', () => {
  it('lists the objects of a kind by age, then by name, and knows its kinds', () => {
    const made = (name: string, creationTimestamp: string, namespace = 'default') =>
      objectOf('Pod', name, 1, {}, { creationTimestamp, namespace });
    const [c, b, a, other] = [
      made('c', '2024-01-01T00:00:00Z'),
      made('b', '2024-01-02T00:00:00Z'),
      made('a', '2024-01-02T00:00:00Z'),
      made('o', '2024-01-03T00:00:00Z', 'other'),
    ];
    const history = traceOf([wrote(5, a), wrote(6, b), wrote(7, c, {}), wrote(8, c, { previous: c, deleted: true })], {
      prologue: [wrote(-5, other)(0)],
    });
    const world = cursorAt(history, 3);
    expect(world.list('Pod')).toEqual([c, a, b, other]);
    expect([world.list('Pod', 'other'), world.list('Job'), world.kinds()]).toEqual([[other], [], ['Pod']]);
    world.moveTo(99);
    expect([world.step, world.at - START, world.list('Pod', 'default')]).toEqual([4, 8, [a, b]]);
    world.moveTo(-3);
    expect([world.step, world.at - START, world.list('Pod')]).toEqual([0, 0, [other]]);
    const empty = cursorAt(traceOf([wrote(1, a), wrote(2, a, { previous: a, deleted: true })]), 2);
    expect(empty.kinds()).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../../../../src/apiserver/kinds/index.ts';
import { candidateWaitMs, observeRecord, released, tryAcquireOrRenew } from '../../../../src/controlplane/controllers/lease/locks.ts';
import type { LeaseSpec, Seen } from '../../../../src/controlplane/controllers/lease/locks.ts';

const SETTINGS = { leaseDurationMs: 15_000 };
const at = (elapsed: number, now = elapsed) => ({ now, elapsed });
const lease = (spec: LeaseSpec): Lease => ({
  apiVersion: 'coordination.orch.io/v1',
  kind: 'Lease',
  metadata: { name: 'scheduler', namespace: 'orch-system', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  spec,
});
const held = (holderIdentity: string, second: number, leaseTransitions = 0): Lease =>
  lease({
    holderIdentity,
    leaseDurationSeconds: 15,
    acquireTime: '2024-01-01T00:00:00.000000Z',
    renewTime: `2024-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`,
    leaseTransitions,
  });

describe('an attempt', () => {
  const cases: readonly {
    readonly what: string;
    readonly lease?: Lease;
    readonly seen?: Seen;
    readonly began: number;
    readonly does: object;
  }[] = [
    {
      what: 'creates what is not there',
      began: 5,
      does: {
        does: 'create',
        spec: {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          acquireTime: '1970-01-01T00:00:00.005000Z',
          renewTime: '1970-01-01T00:00:00.005000Z',
          leaseTransitions: 0,
        },
      },
    },
    {
      what: 'renews its own, keeping when it was acquired',
      lease: held('me', 7, 3),
      seen: { record: '', holder: 'me', since: 0 },
      began: 5,
      does: {
        does: 'renew',
        spec: { acquireTime: '2024-01-01T00:00:00.000000Z', renewTime: '1970-01-01T00:00:00.005000Z', leaseTransitions: 3 },
      },
    },
    {
      what: 'waits while the holder was seen to change it',
      lease: held('other', 7),
      seen: { record: '', holder: 'other', since: 100 },
      began: 15_099,
      does: { does: 'wait', holder: 'other', silentMs: 14_999 },
    },
    {
      what: 'acquires when nothing has changed for the duration',
      lease: held('other', 7, 3),
      seen: { record: '', holder: 'other', since: 100 },
      began: 15_100,
      does: { does: 'acquire', from: 'other', spec: { holderIdentity: 'me', leaseTransitions: 4 } },
    },
    {
      what: 'acquires at once what was let go of',
      lease: lease({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 1 }),
      seen: { record: '', holder: '', since: 100 },
      began: 101,
      does: { does: 'acquire', from: '', spec: { leaseTransitions: 2 } },
    },
    {
      what: 'acquires a lease that somebody made empty',
      lease: lease({}),
      seen: { record: '', holder: '', since: 1 },
      began: 1,
      does: { does: 'acquire', spec: { leaseTransitions: 1 } },
    },
  ];
  it.each(cases)('$what', ({ lease: there, seen, began, does }) => {
    expect(tryAcquireOrRenew(there, seen, 'me', at(began), SETTINGS)).toMatchObject(does);
  });

  it('uses the duration in the record, or its own setting as v1.24 does', () => {
    const seen = { record: '', holder: 'other', since: 0 };
    const does = (mode: 'specification' | 'recorded', leaseDurationSeconds: number | undefined, now: number, leaseDurationMs = 5_000) =>
      tryAcquireOrRenew(
        { spec: { ...held('other', 0).spec, leaseDurationSeconds } as Lease['spec'] },
        seen,
        'me',
        at(now),
        { leaseDurationMs },
        mode,
      ).does;
    expect(does('recorded', 15, 5_000)).toBe('acquire');
    expect([does('specification', 15, 14_999), does('specification', 15, 15_000)]).toEqual(['wait', 'acquire']);
    expect([does('specification', undefined, 4_999), does('specification', undefined, 5_000)]).toEqual(['wait', 'acquire']);
    // A record has whole seconds: a candidate with the same settings waits for their exact duration.
    expect([does('specification', 1, 1_499, 1_500), does('specification', 1, 1_500, 1_500)]).toEqual(['wait', 'acquire']);
  });
});

describe('an observation', () => {
  it('counts from the first observation of a change, whatever times the record has', () => {
    const first = observeRecord(undefined, held('other', 0), at(1_000));
    expect(observeRecord(first, held('other', 0), at(9_000))).toBe(first);
    expect(observeRecord(first, held('other', 2), at(9_000))).toMatchObject({ since: 9_000, holder: 'other' });
  });

  it('does not depend on the skew of any clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 40_000 }), (skew, later) => {
        const judge = (off: number) =>
          tryAcquireOrRenew(
            held('other', 0),
            observeRecord(undefined, held('other', 0), at(0, off)),
            'me',
            at(later, later + off),
            SETTINGS,
          ).does;
        expect(judge(skew)).toBe(judge(0));
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

it('a released record has no holder, for one second', () => {
  expect(released({ holderIdentity: 'me', leaseTransitions: 1 }, 8_378)).toEqual({
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: '1970-01-01T00:00:08.378000Z',
    renewTime: '1970-01-01T00:00:08.378000Z',
    leaseTransitions: 1,
  });
});

it('candidates wait between one and 2.2 retry periods', () => {
  expect(candidateWaitMs(2_000, 0)).toBe(2_000);
  expect(candidateWaitMs(2_000, 0.999_999)).toBe(4_399);
});

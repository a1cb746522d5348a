/** Invariants of leases, write by write: who acquires, what counts as a transition, who writes beside the lease. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, keep, objectOf, put, remove, tells, timeAt } from './history.ts';

const ELECTOR = { by: 'leader-election' };
const lease = (spec: object, metadata: object = {}): ApiObject =>
  objectOf('Lease', 'l', { metadata, spec: { leaseDurationSeconds: 15, ...spec } });
const KEY = 'default/l';

describe('lease/one-holder', () => {
  const held = (holderIdentity: string | undefined, at: number): ApiObject => lease({ holderIdentity, renewTime: timeAt(at) });

  it('lets a lease pass when it has expired or was released, and not a millisecond sooner', () => {
    tells('lease/one-holder', [
      [put(held('a_1', 0), ELECTOR), 'holds'],
      [put(held('a_1', 5), { ...ELECTOR, at: 5 }), 'holds'],
      [put(held('b_2', 10), { ...ELECTOR, at: 10 }), 'b_2 acquired the lease default/l from a_1 10 s before it expired'],
      [put(held('a_1', 25), { ...ELECTOR, at: 25 }), 'holds'],
      [put(held('b_2', 39), { ...ELECTOR, at: 39.999 }), 'b_2 acquired the lease default/l from a_1 0.001 s before it expired'],
      [put(held('', 40), { ...ELECTOR, at: 40 }), 'holds'],
      [put(held('a_1', 40), ELECTOR), 'holds'],
      [put(held(undefined, 41), { ...ELECTOR, at: 41 }), 'holds'],
      [put(held('b_2', 41), ELECTOR), 'holds'],
    ]);
  });

  it('does not ask candidates to respect what a user wrote, once', () => {
    tells('lease/one-holder', [
      [put(held('a_1', 0), ELECTOR), 'holds'],
      [put(held('c_3', 1), { at: 1 }), '-'],
      [described, [new Map([[KEY, { renewTime: timeAt(1), at: Date.parse(timeAt(1)) }]]), new Set([KEY])]],
      [put(held('b_2', 2), { ...ELECTOR, at: 2 }), 'holds'],
      [described, [new Map([[KEY, { renewTime: timeAt(2), at: Date.parse(timeAt(2)) }]]), new Set()]],
      [put(held('a_1', 3), { ...ELECTOR, at: 3 }), 'a_1 acquired the lease default/l from b_2 14 s before it expired'],
      [remove('Lease', KEY, ELECTOR), '-'],
      [put(held('b_2', 4), { ...ELECTOR, at: 4 }), 'holds'],
    ]);
  });

  it('goes by the time at which the server saw a renewal; of an elided one, by the time in the lease', () => {
    const late = (holderIdentity: string): ApiObject => lease({ holderIdentity, renewTime: timeAt(-60) });
    tells('lease/one-holder', [
      // The clock of the holder is a minute behind.
      [put(late('a_1'), ELECTOR), 'holds'],
      [put(late('b_2'), { ...ELECTOR, at: 10 }), 'b_2 acquired the lease default/l from a_1 5 s before it expired'],
      [keep(held('b_2', 20)), '-'],
      [put(held('a_1', 30), { ...ELECTOR, at: 30 }), 'a_1 acquired the lease default/l from b_2 5 s before it expired'],
      [keep(lease({ holderIdentity: 'a_1' })), '-'],
      [put(held('b_2', 31), { ...ELECTOR, at: 31 }), 'holds'],
      [put(lease({ holderIdentity: 'b_2', renewTime: timeAt(32), leaseDurationSeconds: undefined }), { ...ELECTOR, at: 32 }), 'holds'],
      [put(held('a_1', 33), { ...ELECTOR, at: 33 }), 'holds'],
    ]);
  });
});

describe('lease/transitions-counted', () => {
  const NAME = 'lease/transitions-counted';
  const counted = (holderIdentity: string | undefined, leaseTransitions: number | undefined, acquired: number): ApiObject =>
    lease({ holderIdentity, leaseTransitions, acquireTime: timeAt(acquired) });

  it('wants one transition and another acquireTime for a new holder, and neither for a renewal', () => {
    tells(NAME, [
      [put(counted('a', 0, 0), ELECTOR), '-'],
      [put(counted('a', 0, 0), ELECTOR), 'holds'],
      [put(counted('a', 0, 1), ELECTOR), 'the lease default/l was renewed, but has another acquireTime'],
      [put(counted('a', 1, 1), ELECTOR), 'the lease default/l did not change hands, but leaseTransitions went from 0 to 1'],
      [put(counted('b', 2, 2), ELECTOR), 'holds'],
      [put(counted('a', 2, 3), ELECTOR), 'the lease default/l changed hands, but leaseTransitions went from 2 to 2'],
      [put(counted('b', 3, 3), ELECTOR), 'the lease default/l changed hands, but kept its acquireTime'],
      [remove('Lease', KEY, ELECTOR), '-'],
    ]);
  });

  it('wants no transition for a release, whose acquireTime may be that of the next holder', () => {
    tells(NAME, [
      [put(counted('a', 7, 0), ELECTOR), '-'],
      [put(counted('', 7, 5), ELECTOR), 'holds'],
      [put(counted('b', 8, 5), ELECTOR), 'holds'],
      [put(counted(undefined, 8, 5), ELECTOR), 'holds'],
      [put(counted('', 9, 5), ELECTOR), 'the lease default/l did not change hands, but leaseTransitions went from 8 to 9'],
    ]);
  });

  it('is not about users, leases of nodes, and leases without a count', () => {
    const ofNode = { namespace: 'orch-node-lease' };
    const bare = lease({ holderIdentity: 'a' });
    tells(NAME, [
      [put(counted('a', 0, 0), ELECTOR), '-'],
      [put(counted('b', 0, 0)), '-'],
      [put(bare, ELECTOR), '-'],
      [put(counted('b', 1, 1), ELECTOR), 'holds'],
      [put(lease({ holderIdentity: 'n', leaseTransitions: 0 }, ofNode), ELECTOR), '-'],
      [put(lease({ holderIdentity: 'm', leaseTransitions: 0 }, ofNode), ELECTOR), '-'],
    ]);
  });
});

describe('lease/only-the-leader-acts', () => {
  const NAME = 'lease/only-the-leader-acts';
  const map = objectOf('ConfigMap', 'c');
  const by = (actor?: string): { readonly by: string; readonly actor?: string } => ({
    by: 'binder',
    ...(actor === undefined ? {} : { actor }),
  });
  const elected = { ...ELECTOR, actor: 'scheduler' };
  const other = 'scheduler-1 wrote ConfigMap default/c, though scheduler holds the lease';

  it('lets only the holder of the lease of a component write', () => {
    tells(NAME, [
      [put(map, by('scheduler-1')), '-'],
      [put(lease({ holderIdentity: 'scheduler_1f' }), elected), '-'],
      [put(map, by('scheduler')), 'holds'],
      [put(map, by('scheduler-1')), other],
      [put(map, by('scheduler-12')), other.replace('scheduler-1', 'scheduler-12')],
      [put(map, by('controller-manager')), '-'],
      [put(map, by()), '-'],
      [put(map, { actor: 'scheduler-1' }), '-'],
      [put(map, { ...ELECTOR, actor: 'scheduler-1' }), '-'],
      [put(lease({ holderIdentity: 'scheduler-1_2e' }), elected), '-'],
      [put(map, by('scheduler-1')), 'holds'],
      [put(lease({ holderIdentity: '' }), elected), '-'],
      [put(map, by('scheduler-1')), 'scheduler-1 wrote ConfigMap default/c, though no process holds the lease'],
      [remove('Lease', KEY, elected), '-'],
      [described, { leaders: new Map([['scheduler', '']]), unawareUntil: new Map() }],
    ]);
  });

  it('gives a leader fifteen seconds to notice that a user has edited its lease', () => {
    tells(NAME, [
      [keep(lease({ holderIdentity: 'scheduler_1f' })), '-'],
      [put(map, by('scheduler')), 'holds'],
      [edit('Lease', KEY, { spec: { holderIdentity: 'scheduler-1_2e' } }, { at: 10 }), '-'],
      [put(map, { ...by('scheduler'), at: 24.999 }), '-'],
      [put(map, { ...by('scheduler'), at: 25 }), 'scheduler wrote ConfigMap default/c, though scheduler-1 holds the lease'],
      [remove('Lease', KEY, { at: 30 }), '-'],
      [put(map, { ...by('scheduler-1'), at: 44 }), '-'],
      [put(map, { ...by('scheduler-1'), at: 45 }), 'holds'],
    ]);
  });

  it('learns nothing of leases of nodes, whose holders are no processes', () => {
    tells(NAME, [
      [keep(lease({ holderIdentity: 'node-0' })), '-'],
      [put(lease({ holderIdentity: 'node-1' })), '-'],
      [put(map, by('node')), '-'],
      [described, { leaders: new Map(), unawareUntil: new Map() }],
    ]);
  });
});

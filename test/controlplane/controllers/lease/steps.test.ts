/** Each step of an elector: what it reads and writes, with a lease alone and with a lease beside an older object. */
import { describe, expect, it } from 'vitest';
import { elector, type ElectorOptions } from '../../../../src/controlplane/controllers/lease/elector.ts';
import type { LockKind } from '../../../../src/controlplane/controllers/lease/locks.ts';
import { at } from '../../../support/objects.ts';
import { linesOf, recover } from '../../../support/reconcile.ts';
import { PLACE, controllerOf, spec, lease, known, type Options, situation, begins, answered, read, wrote, endpoints } from './whole.ts';

describe('an attempt begins', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'with a read of the lease',
      () => begins(),
      [
        'read the holder of the lease',
        'get Lease scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:false,began:{now:@60,elapsed:@60}}',
      ],
    ],
    [
      'with a renewal by the leader',
      () => begins(known({ leading: true, seen: 'kept' })),
      [
        'the retry period has passed: renew the lease',
        'get Lease scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:true,seen:kept,began:{now:@60,elapsed:@60}}',
      ],
    ],
    [
      'by a candidate whose last attempt failed',
      () => begins(known({ failingSince: at(1) })),
      [
        'read the holder of the lease',
        'get Lease scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:false,began:{now:@60,elapsed:@60}}',
      ],
    ],
    [
      'by a leader that fails to renew, before its deadline',
      () => begins(known({ leading: true, failingSince: at(50) + 1 })),
      [
        'the retry period has passed: renew the lease',
        'get Lease scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:true,began:{now:@60,elapsed:@60},failingSince:@50.001}',
      ],
    ],
    [
      'by a leader at its deadline with its end',
      () => begins(known({ leading: true, failingSince: at(50) })),
      ['it failed to renew its lease for 10 s', 'process: exit'],
    ],
    [
      'with the older object of the lock',
      () => begins(undefined, endpoints),
      [
        'read the holder of the lease',
        'get Endpoints scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:false,began:{now:@60,elapsed:@60}}',
      ],
    ],
    [
      'with the ConfigMap of the lock',
      () => begins(undefined, { lock: 'configmapsleases' }),
      [
        'read the holder of the lease',
        'get ConfigMap scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:false,began:{now:@60,elapsed:@60}}',
      ],
    ],
    [
      'with a release by a leader that stops',
      () => begins(known({ leading: true }), { stopping: true }),
      ['it stops: release the lease', 'get Lease scheduler {resume:true,tolerate:[NotFound]}'],
    ],
    [
      'with the end of a leader that does not release',
      () => begins(known({ leading: true }), { stopping: true, releaseOnStop: false }),
      ['it stops and holds no lease', 'process: stop'],
    ],
    ['with the end of a candidate that stops', () => begins(known(), { stopping: true }), ['it stops and holds no lease', 'process: stop']],
    ['with the end of one that never began', () => begins(undefined, { stopping: true }), ['it stops and holds no lease', 'process: stop']],
  ])('%s', (_, lines, expected) => {
    expect(lines()).toEqual(expected);
  });
});

describe('with a lease alone, an elector', () => {
  const seen = (holder: string, since: number, renewed: number) => ({
    record: JSON.stringify(spec(holder, renewed)),
    holder,
    since: at(since),
  });
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'creates it',
      () => answered(read(), undefined),
      [
        'there is no lease yet',
        'create Lease scheduler {spec:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:58.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:0}} {resume:true}',
        'memory: {leading:false,began:{now:@58,elapsed:@58}}',
      ],
    ],
    [
      'waits for its holder',
      () => answered(read(), lease(spec('other_2', 50))),
      [
        'other holds the lease',
        'memory: {leading:false,seen:{record:"other_2 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:other_2,since:@60},began:{now:@58,elapsed:@58}}',
        'wakeAt: @62.941',
        'background: false',
      ],
    ],
    [
      'waits for a holder that has renewed it',
      () => answered(read(), lease(spec('other_2', 50)), known({ seen: seen('other_2', 40, 40) })),
      [
        'other holds the lease',
        'memory: {leading:false,seen:{record:"other_2 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:other_2,since:@60},began:{now:@58,elapsed:@58}}',
        'wakeAt: @62.941',
        'background: true',
      ],
    ],
    [
      'renews its own',
      () => answered(read(), lease(spec('me_1', 50)), known({ leading: true })),
      [
        'renew its lease',
        'update Lease scheduler {spec:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:00.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:2}} {resume:true}',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58}}',
      ],
    ],
    [
      'acquires what was released',
      () => answered(read(), lease(spec('', 50))),
      [
        'the last holder released the lease',
        'update Lease scheduler {spec:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:58.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:3}} {resume:true}',
        'memory: {leading:false,seen:{record:" 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:"",since:@60},began:{now:@58,elapsed:@58}}',
      ],
    ],
    [
      'leads once it is written',
      () => answered(wrote, lease(spec('me_1', 58))),
      [
        'it is the leader now',
        'event Normal LeaderElection of Lease scheduler: me_1 became leader',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58}}',
        'enqueue: [kube-system/scheduler]',
        'process: lead',
      ],
    ],
    [
      'leads on once it is renewed',
      () => answered(wrote, lease(spec('me_1', 58)), known({ leading: true, failingSince: at(1) })),
      [
        'the lease was renewed: it stays the leader',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58}}',
        'wakeAt: @62',
        'background: true',
        'heartbeat: {lease:{namespace:kube-system,name:scheduler},everyMs:4000,delayMs:2000}',
      ],
    ],
    ['does not lead what another has', () => answered(wrote, lease(spec('other_2', 58))), ['the lease is released', 'process: stop']],
    ['does not lead what is gone', () => answered(wrote, undefined), ['the lease is released', 'process: stop']],
    [
      'leads for the rest of its stop',
      () => answered(wrote, lease(spec('me_1', 58)), known(), { stopping: true }),
      [
        'it is the leader now',
        'event Normal LeaderElection of Lease scheduler: me_1 became leader',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58}}',
        'enqueue: [kube-system/scheduler]',
      ],
    ],
    [
      'releases its own when it stops',
      () => answered(read(), lease(spec('me_1', 50)), known({ leading: true }), { stopping: true }),
      [
        'release the lease',
        'update Lease scheduler {spec:{holderIdentity:"",leaseDurationSeconds:1,acquireTime:2024-01-01T00:01:00.000000Z,renewTime:2024-01-01T00:01:00.000000Z,leaseTransitions:2}} {resume:true}',
        'memory: {leading:true,began:{now:@58,elapsed:@58}}',
      ],
    ],
    [
      'stops where another has it',
      () => answered(read(), lease(spec('other_2', 50)), known({ leading: true }), { stopping: true }),
      ['another candidate holds the lease now', 'process: stop'],
    ],
    [
      'stops where it is gone',
      () => answered(read(), undefined, known({ leading: true }), { stopping: true }),
      ['another candidate holds the lease now', 'process: stop'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(lines()).toEqual(expected);
  });

  const refused = (memory: object | undefined, options?: Options, reason: string | undefined = 'Conflict') =>
    linesOf(recover(controllerOf(options), situation(memory), { write: wrote, status: { reason } as never, dropped: [] }));
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'tries a refused write again, as a candidate',
      () => refused(known()),
      [
        'the lease could not be acquired: Conflict',
        'memory: {leading:false,began:{now:@58,elapsed:@58}}',
        'wakeAt: @62.941',
        'background: false',
      ],
    ],
    [
      'tries a refused write again, as the leader',
      () => refused(known({ leading: true })),
      [
        'the lease could not be acquired: Conflict',
        'memory: {leading:true,began:{now:@58,elapsed:@58},failingSince:@58}',
        'wakeAt: @60.001',
      ],
    ],
    [
      'tries a refused write again until its deadline',
      () => refused(known({ leading: true, failingSince: at(51) })),
      [
        'the lease could not be acquired: Conflict',
        'memory: {leading:true,began:{now:@58,elapsed:@58},failingSince:@51}',
        'wakeAt: @60.001',
      ],
    ],
    [
      'stops at a refused write when it stops',
      () => refused(known(), { stopping: true }),
      ['it stops: the lease expires by itself', 'process: stop'],
    ],
    ['leaves a refused write without a memory to the back-off', () => refused(undefined), []],
  ])('%s', (_, lines, expected) => {
    expect(lines()).toEqual(expected);
  });
});

describe('an elector', () => {
  it('has an identity of its own for each start, and the key of its lease', () => {
    const hex = (digits: number): string => 'f'.repeat(digits);
    const controller = elector({
      component: 'scheduler',
      lease: () => PLACE,
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2000,
      releaseOnStop: true,
    });
    const state = controller.start?.({ process: 'host', random: { hex } } as never);
    expect(state).toEqual({ identity: 'host_ffffffff-ffff-4fff-bfff-ffffffffffff', stopping: false });
    expect([controller.startKeys?.({ names: {} } as never), controller.stop?.({ state, names: {} } as never)]).toEqual([
      ['kube-system/scheduler'],
      ['kube-system/scheduler'],
    ]);
    expect(state).toMatchObject({ stopping: true });
  });

  it.each<[string, Partial<ElectorOptions>]>([
    ['a renew deadline beyond the lease duration', { renewDeadlineMs: 16_000 }],
    ['a retry period that leaves no time', { retryPeriodMs: 9000 }],
  ])('does not begin with %s', (_, options) => {
    expect(() => controllerOf(options)).toThrow(RangeError);
    expect(() => controllerOf(options)).toThrow(/^scheduler: ./);
  });

  it('knows three kinds of locks', () => {
    const kinds: readonly LockKind[] = ['leases', 'endpointsleases', 'configmapsleases'];
    expect(kinds.map((lock) => begins(undefined, { lock })[1]?.split(' ')[1])).toEqual(['Lease', 'Endpoints', 'ConfigMap']);
  });
});

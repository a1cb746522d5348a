/** One decision of an agent about a pod, by the state of its containers: what it reports and does, and when it looks again. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { Action } from '../../../../src/controlplane/agents/node/actions.ts';
import { killed, passed } from '../../../../src/controlplane/agents/node/containers.ts';
import type { PodRunnerOptions } from '../../../../src/controlplane/agents/node/node-context.ts';
import type { Delta, Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { AT, at } from '../../../support/objects.ts';
import { decide, observingWith } from '../../../support/reconcile.ts';
import { containers, decided, GOING, has, NEW, podIn, type Prepare, REPORT, runnerOn, running, SETTINGS } from './runner.ts';

describe('a new pod', () => {
  it('is started, at once or when its behaviour says', () => {
    expect(decided(NEW)).toEqual(['its containers run and are ready', REPORT, 'running until never', 'note']);
    expect(decided(NEW, undefined, 5, { behaviors: [{ startDelayMs: 2_000 }] })).toEqual([
      'its containers are being created',
      'patch Pod p Pending',
      'creating until 7 s',
      'note',
      'again at 7 s',
    ]);
    expect(decided(NEW, undefined, 5, { behaviors: [{ readyDelayMs: 3_000, runForMs: 9_000 }] })).toEqual([
      'its containers run but are not ready yet',
      REPORT,
      'running until 14 s',
      'note',
      'again at 8 s',
    ]);
  });

  it('is started with events, where they are recorded', () => {
    expect(decided(NEW, undefined, 5, { recordsEvents: true }).slice(1, 5)).toEqual([
      'event Pulled',
      'event Created',
      'event Started',
      REPORT,
    ]);
  });

  it('is tried again where the runtime takes longer than the agent waits', () => {
    const settings = { ...SETTINGS, runtimeRequestTimeout: '5s' };
    const slow = { settings, behaviors: [{ startDelayMs: 9_000 }] };
    const late = 'its containers were not created within the runtimeRequestTimeout: it tries again';
    expect(decided(NEW, undefined, 0, slow)).toContain('creating until 5 s');
    const waits = containers({ startDelayMs: 9_000 }, { limitMs: 5_000, until: at(5) });
    expect(decided(NEW, has(waits), 5, slow)).toEqual([
      late,
      'event Failed',
      'patch Pod p Pending',
      'creating until 15 s',
      'note',
      'again at 15 s, background',
    ]);
    expect(decided(NEW, has(passed(waits, at(5), 0)), 15, slow)).toEqual([
      late,
      'patch Pod p Pending',
      'creating until 20 s',
      'note',
      'again at 20 s, background',
    ]);
  });
});

describe('a pod that has finished', () => {
  const going = (deletionGracePeriodSeconds: number) => podIn('Failed', { meta: { ...GOING, deletionGracePeriodSeconds } });
  const uses: Prepare = (machine) => machine.use('uid-p', ['v']);

  it.each<readonly [string, Pod, Prepare | undefined, readonly string[]]>([
    ['without containers needs nothing', podIn('Succeeded'), undefined, ['it has finished']],
    ['is forgotten', podIn('Failed'), has(running()), ['it has finished', 'forget at 5 s']],
    ['frees its volumes', podIn('Failed'), uses, ['it has finished', 'forget at 5 s', 'then n']],
    ['is deleted at the end', going(30), undefined, ['it has finished and is to be deleted', 'delete Pod p']],
    ['is not deleted where that is under way', going(0), undefined, ['it has finished and is to be deleted']],
    [
      'frees its volumes when it is deleted',
      going(30),
      uses,
      ['it has finished and is to be deleted', 'delete Pod p', 'forget at 5 s', 'then n'],
    ],
  ])('%s', (_, pod, prepare, lines) => {
    expect(decided(pod, prepare)).toEqual(lines);
  });
});

describe('a pod that runs', () => {
  const known = { reported: 'running/0/0/true//false' };
  const pod = podIn('Running');

  it('is stopped within its grace period, and then its deletion is completed', () => {
    const slow = running({ terminationDelayMs: 5_000 });
    expect(decided(podIn('Running', { meta: GOING }), has(slow))).toEqual([
      'its containers are being stopped',
      REPORT,
      'running until 8 s',
      'note',
      'again at 8 s',
    ]);
    expect(decided(podIn('Running', { meta: GOING }), has(killed(slow, at(2), 3_000)))).toEqual([
      'its containers were stopped (exit code 137)',
      REPORT,
      'delete Pod p',
      'over until never',
      'note',
    ]);
    expect(decided(podIn('Running', { meta: { deletionTimestamp: AT } }), has(running({ terminationDelayMs: 60_000 })))).toContain(
      'running until 35 s',
    );
  });

  it('is ended at its deadline, not before', () => {
    const limited = podIn('Running', { spec: { activeDeadlineSeconds: 10 } });
    expect(decided(limited, has(running()), 9.999).slice(-1)).toEqual(['again at 10 s']);
    expect(decided(limited, has(running({ terminationDelayMs: 9_000 })), 10)).toEqual([
      'its containers were stopped (exit code 137)',
      'patch Pod p Failed DeadlineExceeded',
      'over until never',
      'note',
    ]);
    expect(decided(podIn('Pending', { spec: { activeDeadlineSeconds: 10 }, status: { startTime: undefined } })).at(-1)).toBe('note');
  });

  it('is restarted with back-off', () => {
    expect(decided(pod, has(running({ runForMs: 1_000, exitCodes: [1] })), 3)).toEqual([
      'its containers exited with 1; they restart after 10 s',
      REPORT,
      'waiting until 12.5 s',
      'note',
      'again at 12.5 s',
    ]);
  });

  it('is reported again after a failure, and once by each incarnation unless the server knows', () => {
    const ready = 'its containers run and are ready';
    expect(decided(pod, has(running({}, known)))).toEqual([ready, REPORT, 'note']);
    expect(decided(pod, has(running({}, known)), 5, {}, { failures: 1 })).toEqual([ready, REPORT, 'note']);
    expect(decided(pod, has(running({}, { ...known, isAdopted: true })))).toEqual([ready, 'note']);
    const status = (decide(runnerOn(has(running({}, known))), { objects: [pod], now: at(5) }).writes[0] as { patch: { status: object } })
      .patch.status;
    expect(decided(podIn('Running', { status }), has(running({}, known)))).toEqual([ready, 'note']);
  });

  it('is no longer as another cluster reported it, once something has changed', () => {
    const run = running({ runForMs: 4_000 }, { ...known, isAdopted: true });
    const { actions = [] } = decide(runnerOn(has(run)), { objects: [pod], now: at(5) }) as Outcome<never, Action>;
    expect(actions[0]).toMatchObject({ does: 'put', run: { restarts: 1 } });
    expect(actions[0]).not.toHaveProperty('run.isAdopted');
  });

  it('is corrected at the next synchronization, where another client marked it', () => {
    const marked = podIn('Running', { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    const adopted = has(running({}, { ...known, isAdopted: true }));
    const ready = 'its containers run and are ready';
    expect(decided(marked, adopted)).toEqual([ready, 'note', 'again at 65 s', 'remembers uid,syncAt']);
    expect(decided(marked, adopted, 5, {}, { memory: { uid: 'uid-p', syncAt: at(9) } }).at(-2)).toBe('again at 9 s');
    expect(decided(marked, adopted, 5, {}, { memory: { uid: 'other', syncAt: at(9) } }).at(-2)).toBe('again at 65 s');
    expect(decided(marked, adopted, 9, {}, { memory: { uid: 'uid-p', syncAt: at(9) } })).toEqual([
      ready,
      REPORT,
      'note',
      'remembers nothing',
    ]);
  });
});

describe('a change of a pod', () => {
  const enqueue = (delta: Partial<Delta<'Pod'>>, prepare?: Prepare, options?: Partial<PodRunnerOptions>): unknown =>
    runnerOn(prepare, options).self?.enqueue?.(
      { type: 'MODIFIED', kind: 'Pod', key: 'default/p', object: podIn('Running'), old: podIn('Running'), ...delta } as never,
      observingWith({}) as never,
    );
  const same = podIn('Running');
  const ready = podIn('Running', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  const marked = { ...same, status: { ...same.status, conditions: [{ type: 'Ready', status: 'False' }] } } as never;

  it('enqueues the pod, and with a deletion what remains of it', () => {
    expect([enqueue({ type: 'ADDED', old: undefined as never }), enqueue({}), enqueue({ object: same, old: same })]).toEqual([
      'default/p',
      'default/p',
      undefined,
    ]);
    expect([
      enqueue({ type: 'DELETED' }),
      enqueue({ type: 'DELETED' }, has(running())),
      enqueue({ type: 'DELETED' }, undefined, { sources: { sources: [], settings: SETTINGS, machineName: 'n', startAt: 0 } }),
    ]).toEqual(['default/p', ['default/p', 'uid-p'], ['default/p', 'pod-sources']]);
  });

  it('enqueues the pod where the server shows it unready by mistake', () => {
    const shown = (object: Pod, prepare?: Prepare) => enqueue({ object, old: same }, prepare);
    expect([shown(marked, has(running())), shown(marked), shown({ ...same, status: ready.status }, has(running()))]).toEqual([
      'default/p',
      'default/p',
      undefined,
    ]);
    expect(shown(marked, has(running({ readyDelayMs: 1 })))).toBeUndefined();
  });
});

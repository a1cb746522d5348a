/** An agent at the end: of its machine, and of its only run; and volumes that are published again until then. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { freshState } from '../../../../src/controlplane/agents/node/actions.ts';
import { createWorld } from '../../../../src/controlplane/agents/index.ts';
import type { Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { runOnce, shutDown } from '../../../../src/controlplane/agents/node/shutdown.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';
import { podIn, runnerOn, running, said } from './runner.ts';

const names = namesFor('k8s.io');

describe('a machine that is being shut down', () => {
  const pod = (name: string, spec: object = {}, phase = 'Running', meta: Readonly<Record<string, unknown>> = {}): Pod =>
    barePod(name, phase, { spec, meta });
  const PLAIN = pod('plain');
  const VITAL = pod('vital', { priority: 2_000_000_000, terminationGracePeriodSeconds: 3 });
  const PERIODS = { totalMs: 20_000, criticalMs: 5_000 };
  function look(seconds: number, pods: readonly Pod[], shutdown?: object, { shutsDown = true, put = pods } = {}) {
    const machine = createWorld().machine('n');
    machine.shutsDown = shutsDown;
    for (const { metadata } of put) machine.put(metadata.uid, running({ terminationDelayMs: 60_000 }));
    const state = { ...freshState(), ...(shutdown === undefined ? {} : { shutdown }) };
    const input = { now: at(seconds), names, cache: { by: () => pods }, state };
    return said(shutDown(input as never, { nodeName: 'n', machine } as never, PERIODS));
  }

  it('has its pods ended, all but the critical ones, within what is left for them', () => {
    expect(look(0, [], undefined, { shutsDown: false })).toEqual(['its node is not being shut down']);
    expect(look(0, [PLAIN, VITAL])).toEqual([
      'its node is being shut down: pods end',
      'shutdown',
      'running until 15 s',
      'again at 1 s',
      'then default/plain',
    ]);
    expect(look(14.5, [PLAIN, VITAL], { since: at(0) }, { put: [] })).toEqual([
      'its node is being shut down: pods end',
      'shutdown',
      'again at 15 s',
    ]);
    expect(look(0, [pod('short', { terminationGracePeriodSeconds: 2 })])).toContain('running until 2 s');
  });

  it('has the critical ones ended when the others have ended, or their time is over', () => {
    const critical = [
      'its node is being shut down: critical pods end',
      'shutdown',
      'running until 18 s',
      'again at 16 s',
      'then default/vital',
    ];
    expect(look(15, [PLAIN, VITAL], { since: at(0) })).toEqual(critical);
    expect(look(14.999, [PLAIN, VITAL], { since: at(0) })[0]).toBe('its node is being shut down: pods end');
    expect(look(4, [VITAL], { since: at(0) }).slice(2)).toEqual(['running until 7 s', 'again at 5 s', 'then default/vital']);
    expect(look(4, [pod('done', {}, 'Failed'), VITAL], { since: at(0) })[0]).toBe(critical[0]);
  });

  it('ends its agent when the critical ones have ended, or a second after their time', () => {
    const turn = { since: at(0), criticalSince: at(10) };
    expect([look(9, [], { since: at(0) }), look(12, [PLAIN], turn)].map(([why]) => why)).toEqual([
      'its pods have ended: it stops',
      'its shutdownGracePeriod is over: it stops',
    ]);
    expect(look(15.999, [VITAL], turn, { put: [] })).toEqual([
      'its node is being shut down: critical pods end',
      'shutdown',
      'again at 16 s',
    ]);
    expect(look(16, [VITAL], turn)).toEqual(['its shutdownGracePeriod is over: it stops']);
  });

  it('does not end a pod twice, and a mirror by its static pod', () => {
    const mirror = pod('m', {}, 'Running', { uid: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'static' } });
    const machine = createWorld().machine('n');
    machine.shutsDown = true;
    machine.put('static', running());
    machine.put('uid-plain', { ...running(), failure: { reason: 'Evicted', message: '' } });
    const actionsWith = (shutdown: object) => {
      const input = { now: at(0), names, cache: { by: () => [PLAIN, mirror] }, state: { ...freshState(), shutdown } };
      return shutDown(input as never, { nodeName: 'n', machine } as never, PERIODS).actions;
    };
    expect(actionsWith({ since: at(0) })).toEqual([{ does: 'shutdown', is: { since: at(0) } }]);
    expect(actionsWith({ since: at(0), criticalSince: at(0) })).toMatchObject([
      { does: 'shutdown' },
      { does: 'put', uid: 'static', run: { failure: { reason: 'Terminated' } } },
    ]);
  });
});

describe('an agent that runs its pods once', () => {
  function look(runs: Readonly<Record<string, Partial<Run>>>, memory?: object, objects: readonly ApiObject[] = []) {
    const machine = createWorld().machine('n');
    for (const [uid, run] of Object.entries(runs)) machine.put(uid, { ...running(), ...run });
    const pods = { ...runOnce(machine, 'n'), watches: [{ kind: 'Pod' }] };
    const outcome = decide(pods, { objects, key: 'pods', now: at(10), memory });
    return [...linesOf(outcome)];
  }
  const again = (tries: number, delayMs: number) => `memory: {tries:${tries},delayMs:${delayMs}}`;
  const late = { stage: 'creating' } as const;

  it('gives them a second, and looks with doubling delays', () => {
    expect(look({ a: {} })).toEqual(['its pods have one second to start', again(1, 2_000), 'wakeAt: @11']);
    const pod = podIn('Pending');
    expect(look({ 'uid-p': late, b: { ...late, called: 'x/b' }, c: {}, d: late }, { tries: 3, delayMs: 8_000 }, [pod])).toEqual([
      'waiting for default/p, x/b, /d',
      again(4, 16_000),
      'wakeAt: @18',
    ]);
  });

  it('exits when all of them run, have ended or were refused', () => {
    const memory = { tries: 1, delayMs: 2_000 };
    const failure = { reason: 'x', message: '' };
    expect(look({}, memory)).toEqual(['runonce failed: no pod manifest update after 1s', 'process: stop']);
    expect(look({ a: {} }, memory)).toEqual(['1 pod started: it exits', 'process: stop']);
    expect(look({ a: {}, b: { stage: 'over' }, c: { stage: 'over', failure } }, memory)).toEqual([
      '2 pods started, 1 refused: it exits',
      'process: stop',
    ]);
    expect(look({ a: { until: at(10) } }, memory)[0]).toBe('waiting for /a');
    expect(look({ a: { until: at(10) + 1 } }, memory)[0]).toBe('1 pod started: it exits');
  });

  it('gives up after ten tries', () => {
    expect(look({ a: late, b: late }, { tries: 9, delayMs: 1 })[0]).toBe('waiting for /a, /b');
    expect(look({ a: late, b: late }, { tries: 10, delayMs: 1 })).toEqual(['runonce failed: error running pods: [/a /b]', 'process: stop']);
  });
});

describe('a volume that is published again', () => {
  const mount = { volume: 'v', driver: 'csi.d', context: {}, options: [], published: {}, republished: true };
  const driver = (modes: readonly string[]): ApiObject =>
    ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.d', uid: 'd', resourceVersion: '1' },
      spec: { requiresRepublish: true, volumeLifecycleModes: modes, tokenRequests: [{ audience: 'a' }] },
    }) as unknown as ApiObject;
  const pod = podIn('Running', { spec: { volumes: [{ name: 'v', csi: { driver: 'csi.d' } }] } });
  function look(seconds: number, mounts: readonly object[] = [mount], modes = ['Ephemeral'], run = running()) {
    const runner = runnerOn((machine) => {
      machine.put('uid-p', { ...run, isAdopted: true, reported: 'running/0/0/true//false' });
      machine.mount('uid-p', mounts as never);
    });
    return decide(runner, { objects: [pod, driver(modes)], key: 'default/p', now: at(seconds) });
  }

  it('is so once a minute since the start, in the background', () => {
    expect([59, 60, 61].map((seconds) => said(look(seconds)))).toEqual([
      ['its containers run and are ready', 'note', 'again at 60 s, background'],
      [
        'its containers run and are ready; v is mounted with csi.storage.k8s.io/serviceAccount.tokens, published again every minute',
        'mount',
        'note',
        'again at 120 s, background',
      ],
      ['its containers run and are ready', 'note', 'again at 120 s, background'],
    ]);
    expect(said(look(0, [mount], ['Ephemeral'])).at(-1)).toBe('again at 60 s, background');
    expect(said(look(60, [{ ...mount, republished: false }]))).toEqual(['its containers run and are ready', 'note']);
    expect(said(look(60, [mount], ['Ephemeral'], running({ runForMs: 61_000 }))).at(-1)).toBe('again at 61 s');
  });

  it('keeps the others as they are, and stays as it was where that fails', () => {
    const other = { ...mount, volume: 'other', republished: false };
    const actions = (look(60, [other, mount]) as { actions?: readonly { does: string; mounts?: readonly object[] }[] }).actions ?? [];
    expect(actions.flatMap(({ mounts = [] }) => mounts)).toMatchObject([other, { volume: 'v', published: {} }]);
    const why =
      'MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: volume mode "Ephemeral" not supported by driver csi.d (only supports ["Persistent"])';
    expect(said(look(60, [mount], ['Persistent']))).toEqual([
      `${why}; the pod keeps running`,
      'event FailedMount',
      'note',
      'again at 120 s, background',
    ]);
  });
});

it('an agent waits for a sandbox that cannot be made, and says why', () => {
  const FAILED = 'Failed to create pod sandbox: ';
  const NEW = podIn('Pending', { status: { startTime: undefined }, spec: { runtimeClassName: 'k' } });
  const runtime = (handler: string): ApiObject =>
    ({
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'k', uid: 'k', resourceVersion: '1' },
      handler,
    }) as unknown as ApiObject;
  const look = (objects: readonly ApiObject[]) =>
    said(decide(runnerOn(undefined, { handlers: ['runc'] }), { objects: [NEW, ...objects], key: 'default/p', now: at(0) }));
  const waits = (why: string) => [
    `${FAILED}${why}; retry in 10 s`,
    'event FailedCreatePodSandBox',
    'patch Pod p Pending',
    'creating until never',
    'note',
    'again at 10 s, background',
  ];
  expect(look([])).toEqual(waits('runtimeclass.node.k8s.io "k" not found'));
  expect(look([runtime('kata')])).toEqual(
    waits('rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "kata" is configured'),
  );
  expect([look([runtime('runc')])[0], look([runtime('')])[0]]).toEqual(Array(2).fill('its containers run and are ready'));
});

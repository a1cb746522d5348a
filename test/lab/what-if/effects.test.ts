/** What a run changes from the instant of a question on, from its entries alone. */
import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../src/lab/what-if/index.ts';
import { deletion, effectsOf, objectOf, podOf, refusal, write } from './entries.ts';

const deployment = (name: string, replicas: number | undefined, availableReplicas?: number) =>
  objectOf('Deployment', name, { spec: { replicas }, status: { availableReplicas } });
const NO_EFFECT = {
  workloads: [],
  nodes: [],
  gone: 0,
  made: 0,
  others: {},
  evictions: 0,
  refused: {},
  restarts: 0,
  runs: 0,
  restMs: 0,
  waiting: [],
};

it('nothing changes where nothing is written', () => {
  expect(effectsOf([], [])).toEqual(NO_EFFECT);
});

describe('workloads', () => {
  const workloadsOf = (...given: Parameters<typeof effectsOf>) => effectsOf(...given).workloads;

  it('are those that no other controls, by title, with what they want and have', () => {
    const of = [
      objectOf('StatefulSet', 'db', { spec: { replicas: 2 }, status: { availableReplicas: 1 } }),
      objectOf('DaemonSet', 'logs', { spec: {}, status: { desiredNumberScheduled: 4, numberAvailable: 3 } }),
      objectOf('DaemonSet', 'idle', { spec: {}, status: { desiredNumberScheduled: 4 } }),
      objectOf('ReplicaSet', 'web-1', { spec: { replicas: 3 }, status: { availableReplicas: 3 } }, { kind: 'Deployment' }),
      objectOf('ReplicaSet', 'alone', { spec: { replicas: 1 }, status: { availableReplicas: 1 } }),
      deployment('web', undefined),
      objectOf('Job', 'pi', { spec: {}, status: {} }),
    ];
    const steady = (kind: string, name: string, wanted: number, available: number) => ({
      workload: { kind, namespace: 'shop', name },
      before: { wanted, available },
      after: { wanted, available },
      least: available,
      leastAtMs: 0,
    });
    expect(workloadsOf(of, [])).toEqual([
      steady('DaemonSet', 'idle', 4, 0),
      steady('DaemonSet', 'logs', 4, 3),
      steady('Deployment', 'web', 1, 0),
      steady('ReplicaSet', 'alone', 1, 1),
      steady('StatefulSet', 'db', 2, 1),
    ]);
  });

  it('have the least that was available after the question, and when that was first so', () => {
    const web = (available: number) => deployment('web', 3, available);
    const entries = [-1, 0, 10, 20, 30, 40].map((sinceMs, at) => write(sinceMs, web([1, 3, 2, 1, 1, 2][at] ?? 0)));
    expect(workloadsOf([web(3)], entries)).toEqual([
      {
        workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        before: { wanted: 3, available: 1 },
        after: { wanted: 3, available: 2 },
        least: 1,
        leastAtMs: 0,
      },
    ]);
    expect(workloadsOf([web(3)], entries.slice(1))).toMatchObject([{ before: { available: 3 }, least: 1, leastAtMs: 20 }]);
  });

  it('that are made have no least, those that are deleted have nothing after it', () => {
    const [early, made, gone] = [deployment('early', 2, 2), deployment('made', 2, 2), deployment('gone', 2, 2)];
    const entries = [write(-20, early), deletion(-10, early), write(5, made), write(6, deployment('made', 2, 0)), deletion(7, gone)];
    const workload = (name: string) => ({ kind: 'Deployment', namespace: 'shop', name });
    expect(workloadsOf([gone], entries)).toEqual([
      { workload: workload('early') },
      { workload: workload('gone'), before: { wanted: 2, available: 2 }, least: 0, leastAtMs: 7 },
      { workload: workload('made'), after: { wanted: 2, available: 0 } },
    ]);
  });

  it('have titles with their namespace, if any', () => {
    expect([titleOf({ kind: 'Node', name: 'n' }), titleOf({ kind: 'Pod', namespace: 'shop', name: 'a' })]).toEqual([
      'Node n',
      'Pod shop/a',
    ]);
  });
});

describe('nodes', () => {
  const nodeOf = (name: string, allocatable?: object) => objectOf('Node', name, { spec: {}, status: { allocatable } });
  const load = (milliCpu = 0, memory = 0, pods = 0) => ({ milliCpu, memory, pods });

  it('have room, and what their pods request before and after', () => {
    const leaving = podOf('a', { node: 'n1', cpu: '500m', memory: '1Ki' });
    const entries = [
      write(1, podOf('b2', { node: 'n2', cpu: '250m', memory: '10' })),
      deletion(2, leaving),
      write(3, podOf('waits', { cpu: '9' })),
      write(4, nodeOf('n3', { cpu: '1', memory: '1Gi', pods: '3' })),
      deletion(5, nodeOf('gone')),
    ];
    const objects = [
      nodeOf('n1', { cpu: '4', memory: '2Ki', pods: '110' }),
      nodeOf('n2'),
      nodeOf('gone'),
      leaving,
      podOf('b', { node: 'n2', cpu: '1', memory: '5' }),
      podOf('done', { node: 'n2', cpu: '1', phase: 'Succeeded' }),
      podOf('failed', { node: 'n2', cpu: '1', phase: 'Failed' }),
    ];
    expect(effectsOf(objects, entries).nodes).toEqual([
      { node: 'n1', room: load(4000, 2048, 110), before: load(500, 1024, 1), after: load() },
      { node: 'n2', room: load(), before: load(1000, 5, 1), after: load(1250, 15, 2) },
      { node: 'n3', room: load(1000, 1 << 30, 3), before: load(), after: load() },
    ]);
  });
});

describe('pods', () => {
  it('are counted as gone and made, and restarts, from the question on', () => {
    const [once, twice] = [podOf('a', { restarts: [1, 0] }), podOf('a', { restarts: [2, 3] })];
    const entries = [
      write(-3, podOf('early')),
      deletion(-2, podOf('early')),
      write(-1, twice, { previous: once }),
      write(0, podOf('new')),
      write(1, twice, { previous: once }),
      write(2, once, { previous: twice }),
      write(3, podOf('a'), { previous: twice }),
      write(4, twice, { previous: podOf('a') }),
      deletion(5, twice),
      deletion(6, podOf('new')),
    ];
    expect(effectsOf([], entries)).toEqual({ ...NO_EFFECT, gone: 2, made: 1, restarts: 4 + 5, restMs: 6 });
  });

  it('wait at the end where they are not ready or are going, unless they are over', () => {
    const going = podOf('going');
    const objects = [
      podOf('ready', { node: 'n' }),
      podOf('starts', { ready: 'False' }),
      podOf('over', { ready: 'False', phase: 'Succeeded' }),
      podOf('failed', { ready: 'False', phase: 'Failed' }),
      { ...going, metadata: { ...going.metadata, deletionTimestamp: 'T' } },
      objectOf('Pod', 'new', { spec: { containers: [] }, status: { phase: 'Pending' } }),
      { ...objectOf('Pod', 'bare', { spec: { containers: [] }, status: {} }), metadata: { name: 'bare', uid: 'bare' } },
    ];
    expect(effectsOf(objects as never, []).waiting).toEqual([
      { kind: 'Pod', namespace: 'shop', name: 'starts' },
      { kind: 'Pod', namespace: 'shop', name: 'going' },
      { kind: 'Pod', namespace: 'shop', name: 'new' },
      { kind: 'Pod', namespace: 'default', name: 'bare' },
    ]);
  });
});

describe('objects of other kinds', () => {
  it('are counted by kind, without those that are kept for others', () => {
    const kept = ['Lease', 'Event', 'Endpoints', 'EndpointSlice', 'ControllerRevision'].flatMap((kind) => [
      write(1, objectOf(kind, 'x')),
      deletion(2, objectOf(kind, 'x')),
    ]);
    const entries = [
      deletion(-1, objectOf('Secret', 'early')),
      ...kept,
      write(3, objectOf('Service', 'a')),
      write(4, objectOf('Service', 'a'), { previous: objectOf('Service', 'a') }),
      write(5, objectOf('ConfigMap', 'b')),
      write(5, objectOf('ConfigMap', 'c')),
      deletion(6, objectOf('ConfigMap', 'c')),
      deletion(7, objectOf('Job', 'by-hand')),
    ];
    const { others, gone, made } = effectsOf([], entries);
    expect(Object.entries(others)).toEqual([
      ['ConfigMap', { gone: 1, made: 2 }],
      ['Job', { gone: 1, made: 0 }],
      ['Service', { gone: 0, made: 1 }],
    ]);
    expect([gone, made]).toEqual([0, 0]);
  });

  it('that CronJobs make are runs, and their pods come and go by themselves', () => {
    const cron = objectOf('CronJob', 'nightly', { spec: {}, status: {} });
    const run = objectOf('Job', 'nightly-1', {}, { kind: 'CronJob', uid: cron.metadata.uid });
    const runPod = podOf('nightly-1-a', { restarts: [0], by: { kind: 'Job', uid: run.metadata.uid } });
    const again = podOf('nightly-1-a', { restarts: [7], by: { kind: 'Job', uid: run.metadata.uid } });
    const former = objectOf('Job', 'nightly-0', {}, { kind: 'CronJob', uid: cron.metadata.uid });
    const formerPod = podOf('nightly-0-a', { by: { kind: 'Job', uid: former.metadata.uid } });
    const entries = [
      write(-9, objectOf('Job', 'nightly-9', {}, { kind: 'CronJob' })),
      write(1, objectOf('Job', 'by-hand')),
      write(2, run),
      write(3, runPod),
      write(4, again, { previous: runPod }),
      deletion(5, formerPod),
      deletion(6, run),
      write(7, cron, { previous: cron }),
    ];
    expect(effectsOf([formerPod, cron, former], entries)).toEqual({
      ...NO_EFFECT,
      runs: 1,
      others: { Job: { gone: 0, made: 1 } },
      restMs: 1,
      waiting: [],
    });
  });
});

describe('the time to rest', () => {
  it('ends with the last write that is neither a lease, an Event, a node as it registers, nor of a CronJob', () => {
    const last = (...entries: Parameters<typeof effectsOf>[1]) => effectsOf([], entries).restMs;
    const config = objectOf('ConfigMap', 'a');
    expect(last(write(40, config), write(90, config))).toBe(90);
    expect(last(write(-40, config))).toBe(0);
    for (const kind of ['Lease', 'Event']) expect(last(write(40, config), write(90, objectOf(kind, 'x')))).toBe(40);
    expect(last(write(40, config), write(90, objectOf('Node', 'n', { status: {} }), { controller: 'node-registration' }))).toBe(40);
    expect(last(write(40, config), write(90, objectOf('CronJob', 'c')))).toBe(40);
  });
});

describe('evictions', () => {
  const EVICT = 'create Pod/eviction shop/a';
  const budget = (message: string, text = 'Cannot evict pod.') => ({ message: text, details: { causes: [{ message }] } });

  it('are the changes of pods by their requests, after the question', () => {
    const pod = podOf('a');
    const entries = [
      write(-1, pod, { previous: pod, request: EVICT }),
      write(1, pod, { previous: pod, request: EVICT }),
      deletion(2, podOf('b'), 'create Pod/eviction shop/b'),
      deletion(3, podOf('c'), 'delete Pod shop/c'),
      write(4, objectOf('PodDisruptionBudget', 'web'), { request: EVICT }),
    ];
    expect(effectsOf([], entries).evictions).toBe(2);
  });

  it('that are refused count by budget, or by what the refusal says', () => {
    const needs = (name: string) => budget(`The disruption budget ${name} needs 2 healthy pods and has 2 currently`);
    const entries = [
      refusal(1, EVICT, needs('web')),
      refusal(2, EVICT, needs('web')),
      refusal(3, 'create Pod/eviction lone', needs('web')),
      refusal(4, EVICT, budget('The disruption budget web is still being processed by the server.')),
      refusal(5, EVICT, { message: 'it is gone' }),
      refusal(5, EVICT, { message: 'why', details: {} }),
      refusal(5, EVICT, { details: { causes: [{ field: 'x' }, { message: 'one' }, { message: 'two' }] } }),
      refusal(6, 'delete Pod shop/a', { message: 'no' }),
    ];
    expect(effectsOf([], entries)).toEqual({
      ...NO_EFFECT,
      refused: {
        'PodDisruptionBudget shop/web': 2,
        'PodDisruptionBudget default/web': 1,
        'Cannot evict pod. The disruption budget web is still being processed by the server.': 1,
        'it is gone': 1,
        why: 1,
        ' one two': 1,
      },
    });
  });
});

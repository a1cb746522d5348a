/** Machines: what they have of pods, their addresses, and what they tell of it. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { createWorld } from '../../../../src/controlplane/agents/index.ts';
import { behaviorsBy, type Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { containers, running } from './runner.ts';

const names = namesFor('k8s.io');
const asks = (cpu: string, memory = '0'): Pick<Run, 'asks'> => ({
  asks: requestsOf({ containers: [{ name: 'c', resources: { requests: { cpu, memory } } }] } as never),
});

describe('a machine', () => {
  it('books what its pods ask for until they have ended', () => {
    const machine = createWorld().machine('n');
    const booked = () => [machine.booked.pods, machine.booked.amounts.milliCpu, machine.booked.amounts.memory];
    machine.put('a', running({}, asks('1', '5')));
    machine.put('b', running({}, asks('2')));
    expect(booked()).toEqual([2, 3_000, 5]);
    machine.put('a', { ...running({}, asks('1', '5')), restarts: 1 });
    expect(booked()).toEqual([2, 3_000, 5]);
    machine.put('b', { ...running({}, asks('2')), stage: 'over' });
    expect(booked()).toEqual([1, 1_000, 5]);
    machine.forget('b', at(1));
    machine.forget('a', at(1));
    machine.forget('gone', at(1));
    expect(booked()).toEqual([0, 0, 0]);
    machine.put('c', { ...running({}, asks('2')), stage: 'over' });
    expect(booked()).toEqual([0, 0, 0]);
  });

  it('has the containers, volumes and mounts of its pods, until they are forgotten', () => {
    const machine = createWorld().machine('n');
    const mount = { volume: 'v', driver: 'd', context: {}, options: [], published: {}, republished: false };
    machine.put('a', running());
    machine.use('a', ['x']);
    machine.mount('a', [mount]);
    expect([[...machine.uids()], [...machine.volumesOf], machine.mounts('a'), machine.mounts('b')]).toEqual([
      ['a'],
      [['a', ['x']]],
      [mount],
      [],
    ]);
    machine.use('a', undefined);
    expect([...machine.volumesOf]).toEqual([]);
    machine.use('a', ['x']);
    machine.forget('a', at(0));
    expect([[...machine.uids()], [...machine.volumesOf], machine.mounts('a'), machine.run('a')]).toEqual([[], [], [], undefined]);
  });

  it('has its images until their last pod is forgotten', () => {
    const image = { name: 'web:1', sizeBytes: 5, pullMs: 0, nodes: ['n'] };
    const world = createWorld(0, { images: [image, { ...image, name: 'db:1', nodes: ['m'] }], startAt: at(0) });
    const { images } = world.machine('n');
    images?.act({ does: 'useImage', uid: 'a', image: 'web:1' });
    images?.act({ does: 'useImage', uid: 'b', image: 'web:1' });
    const state = () => [images?.isUsed('web:1'), images?.get('web:1')?.unusedSince, images?.there(at(0)).map(({ name }) => name)];
    world.machine('n').forget('a', at(1));
    expect(state()).toEqual([true, undefined, ['web:1']]);
    world.machine('n').forget('b', at(2));
    expect(state()).toEqual([false, at(2), ['web:1']]);
    expect(images?.describe()).toEqual([new Map([['web:1', images?.get('web:1')]]), new Map(), -Infinity]);
    images?.act({ does: 'removeImage', image: 'web:1' });
    expect(images?.there(at(9))).toEqual([]);
    expect(createWorld().machine('n').images).toBeUndefined();
  });

  it('keeps the earliest end of several pulls of an image, and no failed one', () => {
    const image = { name: 'web', sizeBytes: 5, pullMs: 0 };
    const { images } = createWorld(0, { images: [image], startAt: at(0) }).machine('n');
    const pull = (endsAt: number, fails = false): number | undefined => {
      images?.act({ does: 'pull', image, endsAt, fails });
      return images?.get('web:latest')?.readyAt;
    };
    expect([pull(at(9), true), pull(at(8)), pull(at(9)), pull(at(7)), images?.queueEndsAt]).toEqual([
      undefined,
      at(8),
      at(8),
      at(7),
      at(9),
    ]);
    expect([images?.there(at(6.999)).length, images?.there(at(7)).length]).toEqual([0, 1]);
  });
});

describe('addresses', () => {
  it('of pods are given in order, each once, and go on after those of a restored cluster', () => {
    const world = createWorld();
    const [n, m] = [world.machine('n'), world.machine('m')];
    n.put('a', running());
    n.put('a', running());
    m.put('b', running());
    expect([n.nextAddress(), m.nextAddress(), n.nextAddress(2)]).toEqual(['10.244.0.3', '10.244.0.3', '10.244.0.5']);
    const after = (...taken: readonly string[]) => createWorld(0, { images: [], startAt: 0, taken }).machine('n').nextAddress();
    expect([
      after('10.244.0.7', '10.244.0.3'),
      after('10.244.1.255'),
      after('10.245.0.0'),
      after('10.251.3.4'),
      after('10.243.0.9', '10.252.0.9', '192.168.0.9', '10.244.0', 'x10.244.0.9'),
    ]).toEqual(['10.244.0.8', '10.244.2.0', '10.245.0.1', '10.251.3.5', '10.244.0.1']);
  });

  it('in use are those of pods that have not ended', () => {
    const machine = createWorld().machine('n');
    machine.put('a', running({}, { ip: '10.0.0.1' }));
    machine.put('b', { ...running({}, { ip: '10.0.0.2' }), stage: 'over' });
    machine.put('c', containers({}, { ip: '' }));
    expect([...machine.addressesInUse()]).toEqual(['10.0.0.1']);
  });

  it('of machines are given in order, unless they are known', () => {
    const world = createWorld(0, { images: [], startAt: 0, hosts: new Map([['b', '10.9.9.9']]) });
    const host = (name: string): string => world.machine(name).hostAddress;
    expect([host('a'), host('b'), host('c'), host('a')]).toEqual(['192.168.0.10', '10.9.9.9', '192.168.0.12', '192.168.0.10']);
    for (let i = 0; i < 253; i++) world.machine(`m${i}`);
    expect(host('last')).toBe('192.168.1.10');
  });
});

describe('the world', () => {
  it('tells the containers of a machine, by the names of their pods', () => {
    const world = createWorld();
    const machine = world.machine('n');
    machine.put('a', { ...running(), restarts: 2 });
    machine.put('b', { ...running(), called: 'x/b' });
    machine.put('c', running());
    const each = { stage: 'running', ip: '10.244.0.1', restarts: 0 };
    expect(world.contents('n', (uid) => (uid === 'c' ? undefined : `default/${uid}`))).toEqual([
      { ...each, pod: 'default/a', restarts: 2 },
      { ...each, pod: 'x/b' },
      { ...each, pod: 'c' },
    ]);
    expect(world.contents('m', () => undefined)).toBeUndefined();
  });

  it('tells the state of a pod, with the attempts of the others of its owner', () => {
    const world = createWorld();
    const run = { ...running(), attemptsOf: 'job', attempts: 2 };
    world.machine('n').put('a', run);
    world.machine('m').put('b', { ...run, attempts: 3 });
    world.machine('m').put('b', { ...run, attempts: 4 });
    expect([world.runOf('n', 'a'), world.runOf('m', 'b')?.othersAttempts]).toEqual([{ is: run, othersAttempts: 4 }, 2]);
    expect([world.runOf('n', 'b'), world.runOf('x', 'a')]).toEqual([undefined, undefined]);
  });

  it('tells why a pod was evicted, with what is available by the usage of these pods', () => {
    const world = createWorld();
    const cause = { at: at(1), signal: 'memory.available', available: 5, limit: 9, metForMs: 0, graceMs: 0 };
    world.machine('n');
    const machine = world.machine('m');
    machine.evictions.set('a', cause);
    const pods: readonly Pod[] = [barePod('p')];
    expect([world.evictionOf('a', () => pods, names), world.evictionOf('b', () => pods, names)]).toEqual([cause, undefined]);
    machine.leftAt = (signal, when, of) => (signal === cause.signal && when === cause.at ? of.length : undefined);
    expect(world.evictionOf('a', () => pods, names)).toEqual({ ...cause, available: 1 });
  });

  it('is described whole', () => {
    const world = createWorld(3);
    const machine = world.machine('n');
    const run = { ...running(), attempts: 1 };
    machine.put('a', run);
    const parts = [true, new Map([['a', run]]), new Map(), new Map(), new Map(), undefined];
    const shared = { leastStartMs: 3, attempts: new Map([['uid-p', 1]]), addresses: 1 };
    expect(world.describe()).toEqual([[['n', parts]], shared]);
    machine.ready = false;
    machine.checkpoints = { active: { x: 1 } };
    machine.shutsDown = true;
    expect(world.describe()).toEqual([[['n', [false, ...parts.slice(1), machine.checkpoints, 'shuts down']]], shared]);
  });
});

describe('the behaviour of a pod', () => {
  const sim = (annotations: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`sim.orch.io/${name}`, value]));
  const described = {
    startDelayMs: 1,
    readyDelayMs: 2,
    runForMs: 3,
    exitCodes: [4],
    terminationDelayMs: 5,
    terminationExitCode: 6,
    log: ['x'],
  };
  const of = (annotations: Readonly<Record<string, string>> | undefined, behaviors = [described], meta: object = {}) =>
    behaviorsBy(
      behaviors,
      names,
    )(barePod('p', 'Pending', { meta: { labels: { app: 'w' }, ...meta, ...(annotations && { annotations }) } }));
  const NONE = { startDelayMs: 0, readyDelayMs: 0, runForMs: undefined, exitCodes: [0], terminationDelayMs: 0, terminationExitCode: 143 };

  it('is as described, and as its annotations say instead', () => {
    expect([of(undefined, []), of(undefined), of({})]).toEqual([NONE, described, described]);
    const said = {
      'start-delay': '1.5',
      'ready-delay': '0',
      'exit-after': '2',
      'exit-code': '1, 2,x',
      'term-delay': '7',
      'term-code': '9',
      log: 'a\nb',
    };
    const expected = {
      startDelayMs: 1_500,
      readyDelayMs: 0,
      runForMs: 2_000,
      exitCodes: [1, 2],
      terminationDelayMs: 7_000,
      terminationExitCode: 9,
      log: ['a', 'b'],
    };
    expect([of(sim(said)), of(sim(said), [])]).toEqual([expected, expected]);
  });

  it('does not follow annotations that are no numbers', () => {
    const bad = sim({
      'start-delay': 'x',
      'ready-delay': '-1',
      'exit-after': 'Infinity',
      'exit-code': 'x,y',
      'term-delay': 'NaN',
      'term-code': 'z',
    });
    expect(of(bad)).toEqual(described);
  });

  it('of an indexed pod has the exit codes of its index, where there are some', () => {
    const index = (at: string, more: Readonly<Record<string, string>> = {}) => ({
      'batch.kubernetes.io/job-completion-index': at,
      ...sim(more),
    });
    const byIndex = [{ ...described, exitCodesByIndex: { 3: [7, 8] } }];
    const codes = (annotations: Readonly<Record<string, string>>): readonly number[] => of(annotations, byIndex).exitCodes;
    expect([
      codes(index('3')),
      codes(index('2')),
      codes(index('3', { 'exit-codes-3': '5,6' })),
      codes(index('3', { 'exit-codes-2': '5', 'exit-code': '9' })),
      codes(index('2', { 'exit-code': '9' })),
      codes(sim({ 'exit-codes-3': '5' })),
    ]).toEqual([[7, 8], [4], [5, 6], [7, 8], [9], [4]]);
  });

  it('depends on the labels and on the namespace, whichever pod came before', () => {
    const find = behaviorsBy(
      [
        { namespace: 'x', startDelayMs: 1 },
        { selector: { matchLabels: { app: 'w' } }, startDelayMs: 2 },
      ],
      names,
    );
    const labels = { app: 'w' };
    const pod = (namespace: string, more: object = { labels }) =>
      find(barePod('p', 'Pending', { meta: { namespace, ...more } })).startDelayMs;
    expect([pod('x'), pod('y'), pod('x'), pod('y'), pod('y', { labels: {} }), pod('y', {})]).toEqual([1, 2, 1, 2, 0, 0]);
    const owned = behaviorsBy([{ owner: 'Job/j', startDelayMs: 1 }], names);
    const by = (name: string) =>
      owned(barePod('p', 'Pending', { meta: { labels, ownerReferences: [{ kind: 'Job', name, uid: 'u', controller: true }] } }))
        .startDelayMs;
    expect([by('j'), by('k')]).toEqual([1, 0]);
  });
});

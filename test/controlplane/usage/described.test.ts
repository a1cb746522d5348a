/** Which entry describes the usage of a container or of a node, and since when. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { createUsage, NOTHING_USED, type UsageSpec } from '../../../src/controlplane/usage/index.ts';
import { formatTime } from '../../../src/schema/values/index.ts';
import { at, barePod } from '../../support/objects.ts';

const constant = (is: number) => ({ shape: 'constant', is }) as const;
const ramp = { shape: 'ramp', from: 0, to: 1000, overMs: 1000 } as const;
const usageOf = (...specs: readonly UsageSpec[]) => createUsage(specs, at(100));
const podOf = (more: { meta?: object; since?: readonly (number | undefined)[] } = {}): Pod =>
  barePod('p', 'Running', {
    meta: { labels: { app: 'web' }, ...more.meta },
    spec: { containers: [{ name: 'a' }, { name: 'b' }] },
    status: {
      containerStatuses: (more.since ?? [0, 0]).map((second, index) => ({
        name: 'ab'.charAt(index),
        state: second === undefined ? { waiting: {} } : { running: { startedAt: formatTime(at(second)) } },
      })),
    },
  });
const memory = (usage: ReturnType<typeof usageOf>, container: string, pod = podOf()): number =>
  usage.containerAt(pod, container, at(0), at(1)).memory;

describe('the usage of a container', () => {
  it('is of the first entry that states the resource, for each resource', () => {
    const usage = usageOf({ disk: constant(1) }, { memory: constant(2), disk: constant(9) }, { pids: constant(3), cpu: constant(4) });
    expect(usage.containerAt(podOf(), 'a', at(0), at(1))).toEqual({ memory: 2, disk: 1, pids: 3, cpu: 4 });
    expect(usage.containerAt(podOf(), 'b', at(0), at(1))).toEqual(NOTHING_USED);
  });

  it('is of the entry for its name, its namespace and its labels', () => {
    const usage = usageOf(
      { memory: constant(1), namespace: 'other' },
      { memory: constant(2), container: 'b' },
      { memory: constant(3), selector: { matchLabels: { app: 'db' } } },
      { memory: constant(4), selector: { matchLabels: { app: 'web' } }, namespace: 'default', container: 'a' },
      { memory: constant(6), system: true },
      { memory: constant(5) },
      { memory: constant(7), shared: true },
    );
    expect([memory(usage, 'a'), memory(usage, 'b')]).toEqual([4, 2]);
    const labelled = (meta: object) => memory(usage, 'a', podOf({ meta }));
    expect([labelled({ namespace: 'other' }), labelled({ labels: { app: 'db' } }), labelled({ labels: undefined })]).toEqual([1, 3, 5]);
  });

  it('counts from its start, and is zero while it does not run', () => {
    const usage = usageOf({ memory: ramp }, { memory: ramp, container: 'b' });
    const pod = podOf({ since: [10, undefined] });
    expect([usage.containerNow(pod, 'a', at(10.4)), usage.containerNow(pod, 'b', at(10.4))]).toEqual([
      { ...NOTHING_USED, memory: 400 },
      NOTHING_USED,
    ]);
    expect(usage.containerAt(pod, 'b', at(5), at(5.25)).memory).toBe(250);
    expect([usage.usageAt(pod, at(10.4)).memory, usage.usageAt(pod, at(10.4), at(10)).memory]).toEqual([400, 800]);
  });

  it('exceeds a limit at a time after its start, or never', () => {
    const usage = usageOf({ memory: ramp });
    expect([usage.aboveAfterMs(podOf(), 'a', 499), usage.aboveAfterMs(podOf(), 'a', 1000), usage.aboveAfterMs(podOf(), 'b', 0)]).toEqual([
      500,
      undefined,
      undefined,
    ]);
  });
});

describe('the usage of a node outside pods', () => {
  const usage = () =>
    usageOf(
      { system: true, nodes: ['n', 'm'], memory: constant(1) },
      { system: true, memory: constant(2), cpu: ramp },
      { system: true, container: 'miner', nodes: ['n'], cpu: constant(50), memory: constant(8) },
      { system: true, container: 'idle', cpu: constant(0) },
      { memory: constant(99) },
    );

  it('is that of its system and of containers that its agent did not create', () => {
    expect([usage().systemAt('n', at(100.5)), usage().systemAt('other', at(100.5))]).toEqual([
      { memory: 9, disk: 0, pids: 0, cpu: 550 },
      { memory: 2, disk: 0, pids: 0, cpu: 500 },
    ]);
  });

  it('names the containers that use something', () => {
    expect([usage().foreignAt('n', at(101)), usage().foreignAt('m', at(101))]).toEqual([
      new Map([['miner', { memory: 8, disk: 0, pids: 0, cpu: 50 }]]),
      new Map(),
    ]);
  });
});

describe('shared work', () => {
  const ready = (name: string, meta: object = {}, conditions: readonly object[] = [{ type: 'Ready', status: 'True' }]): Pod =>
    barePod(name, 'Running', { meta: { labels: { app: 'web' }, ...meta }, status: { conditions } });
  const pods = [
    ready('a'),
    ready('b', { namespace: 'other' }),
    ready('c', { labels: { app: 'db' } }),
    ready('dying', { deletionTimestamp: 'now' }),
    ready('unready', {}, [{ type: 'Ready', status: 'False' }]),
    ready('started', {}, [{ type: 'Initialized', status: 'True' }]),
    ready('unknown', {}, []),
  ];
  const shares = (...specs: readonly UsageSpec[]) => Object.fromEntries(usageOf(...specs).sharesAt(() => pods, at(100.5)));

  it('is divided among the ready pods that it names, from the start of the run', () => {
    expect(shares({ shared: true, cpu: constant(1000) })).toEqual({ 'default/a': 333, 'other/b': 333, 'default/c': 333 });
    expect(shares({ shared: true, cpu: ramp, namespace: 'default' })).toEqual({ 'default/a': 250, 'default/c': 250 });
    const web = { matchLabels: { app: 'web' } };
    expect(shares({ shared: true, cpu: constant(10), selector: web }, { shared: true, cpu: constant(3), namespace: 'default' })).toEqual({
      'default/a': 6,
      'other/b': 5,
      'default/c': 1,
    });
    expect(shares({ shared: true, memory: constant(1) }, { cpu: constant(1) })).toEqual({});
  });

  it('asks for all pods only where there is some', () => {
    const never = (): never => {
      throw new Error('there is no shared work');
    };
    expect(usageOf({ cpu: constant(1) }, { shared: true, memory: constant(1) }).sharesAt(never, at(0))).toEqual(new Map());
  });
});

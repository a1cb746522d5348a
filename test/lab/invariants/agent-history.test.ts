/** Invariants of node agents, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, end, keep, objectOf, put, remove, START, tells, timeAt } from './history.ts';

const CLUSTER = { namespace: undefined };
const pod = (name: string, spec: object = {}, status: object = { phase: 'Running' }, metadata: object = {}): ApiObject =>
  objectOf('Pod', name, { metadata, spec: { nodeName: 'n', ...spec }, status });

describe('node/evicted-below-threshold', () => {
  const NAME = 'node/evicted-below-threshold';
  const low = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory. ' };
  const cause = { at: START, signal: 'memory.available', available: 99, limit: 100, metForMs: 20_000, graceMs: 20_000 } as const;
  const story = (status: object, about: object | undefined, verdict: string): void =>
    tells(
      NAME,
      [
        [put(pod('p')), '-'],
        [edit('Pod', 'default/p', { status }), verdict],
        [edit('Pod', 'default/p', { status }), '-'],
        [remove('Pod', 'default/p'), '-'],
        [put(pod('q', {}, status)), '-'],
      ],
      about === undefined ? {} : { evictionOf: () => about as never },
    );

  it.each<readonly [string, object, string]>([
    ['below the threshold', {}, 'holds'],
    [
      'at the threshold',
      { available: 100 },
      'Pod default/p was evicted from n for memory.available with 100 left, where 100 is the threshold',
    ],
    ['too soon', { metForMs: 19_999 }, 'Pod default/p was evicted from n for memory.available after 19.999 s below a threshold of 20 s'],
    ['with no grace period', { metForMs: 0, graceMs: 0 }, 'holds'],
  ])('judges an eviction %s', (_, about, verdict) => {
    story(low, { ...cause, ...about }, verdict);
  });

  it('judges only pods that end for a shortage of which the cause is known', () => {
    story(low, undefined, '-');
    story({ ...low, reason: 'Preempting' }, cause, '-');
    story({ ...low, message: 'Other' }, cause, '-');
    story({ ...low, message: undefined }, cause, '-');
    story({ ...low, phase: 'Running' }, cause, '-');
    story({ ...low, phase: 'Succeeded' }, cause, 'holds');
  });
});

describe('node/leases-renewed-in-time', () => {
  const NAME = 'node/leases-renewed-in-time';
  const node = objectOf('Node', 'n', { metadata: CLUSTER });
  const lease = (spec: object, namespace = 'orch-node-lease'): ApiObject => objectOf('Lease', 'n', { metadata: { namespace }, spec });
  const map = (at: number) => put(objectOf('ConfigMap', 'c'), { at });
  const late = (seconds: number): string => `the lease of node n lasts 40 s and has not been renewed for ${seconds} s`;

  it('looks once a second, and at the end', () => {
    tells(NAME, [
      [keep(node), '-'],
      [keep(lease({ renewTime: timeAt(0), leaseDurationSeconds: 40 })), '-'],
      [map(0), 'holds'],
      [map(0.999), '-'],
      [map(1), 'holds'],
      [described, START + 1000],
      [map(40), 'holds'],
      [map(40.5), '-'],
      [map(41), late(41)],
      [end(false, 41.5), late(41.5)],
    ]);
  });

  it('does not look before virtual time starts, nor at nodes without a lease that expires', () => {
    tells(NAME, [
      [keep(node), '-'],
      [map(-1), '-'],
      [map(100), '-'],
      [keep(lease({ leaseDurationSeconds: 40 })), '-'],
      [map(102), '-'],
      [keep(lease({ renewTime: timeAt(0) })), '-'],
      [map(104), '-'],
      [keep(lease({ renewTime: timeAt(110), leaseDurationSeconds: 40 })), '-'],
      [map(110), 'holds'],
    ]);
  });
});

describe('node/holds-its-pods', () => {
  const NAME = 'node/holds-its-pods';
  const node = (allocatable: object): ApiObject => objectOf('Node', 'n', { metadata: CLUSTER, status: { allocatable } });
  const asks = (requests: object): object => ({ resources: { requests } });
  const admitted = (name: string, spec: object, nodeName: string | undefined = 'n'): ApiObject =>
    pod(name, { nodeName, containers: [], ...spec }, { phase: 'Running', startTime: timeAt(0) });
  const full = (name: string, resource: string, amount: string): string =>
    `Pod default/${name} was admitted on n, whose ${resource} of ${amount} is not enough`;

  it.each<readonly [string, object, object, string]>([
    ['the sum of its containers', { cpu: '2' }, { containers: [asks({ cpu: '1500m' }), asks({ cpu: '500m' })] }, 'holds'],
    ['a thousandth more', { cpu: '2' }, { containers: [asks({ cpu: '1500m' }), asks({ cpu: '501m' })] }, full('p', 'cpu', '2')],
    [
      'a larger init container',
      { cpu: '2' },
      { containers: [asks({ cpu: '1' })], initContainers: [asks({ cpu: '1' }), asks({ cpu: '2001m' })] },
      full('p', 'cpu', '2'),
    ],
    [
      'init containers one after another',
      { cpu: '2' },
      { containers: [asks({ cpu: '1' })], initContainers: [asks({ cpu: '2' }), asks({ cpu: '2' })] },
      'holds',
    ],
    ['the overhead', { cpu: '2' }, { containers: [asks({ cpu: '2' })], overhead: { cpu: '1m' } }, full('p', 'cpu', '2')],
    ['memory', { memory: '1Gi' }, { containers: [asks({ memory: '2Gi' })] }, full('p', 'memory', '1Gi')],
    [
      'storage',
      { 'ephemeral-storage': '1Gi' },
      { containers: [asks({ 'ephemeral-storage': '2Gi' })] },
      full('p', 'ephemeral-storage', '1Gi'),
    ],
    ['a place', { pods: '0' }, {}, full('p', 'pods', '0')],
    ['what the node does not limit', {}, { containers: [asks({ cpu: '9' })] }, 'holds'],
    ['nothing of what there is none', { cpu: '0', pods: '1' }, { containers: [{}, { resources: {} }] }, 'holds'],
  ])('counts %s', (_, allocatable, spec, verdict) => {
    tells(NAME, [
      [keep(node(allocatable)), '-'],
      [put(admitted('p', spec)), verdict],
    ]);
  });

  it('counts the pods that are on the node and not over, each once', () => {
    const one = { containers: [asks({ cpu: '1' })] };
    tells(NAME, [
      [keep(node({ cpu: '2' })), '-'],
      [put(admitted('a', one)), 'holds'],
      [edit('Pod', 'default/a', { metadata: { labels: {} } }), '-'],
      [put(pod('waiting', one)), '-'],
      [put({ ...admitted('unbound', one), spec: one }), '-'],
      [put(admitted('b', one)), 'holds'],
      [put(admitted('c', one)), full('c', 'cpu', '2')],
      [edit('Pod', 'default/a', { status: { phase: 'Succeeded' } }), '-'],
      [remove('Pod', 'default/b'), '-'],
      [put(admitted('d', one)), 'holds'],
      [put(admitted('elsewhere', one, 'm')), '-'],
      [remove('Pod', 'default/waiting'), '-'],
      [
        described,
        {
          asked: new Map([
            ['n', { cpu: 2000, memory: 0, 'ephemeral-storage': 0, pods: 2000 }],
            ['m', { cpu: 1000, memory: 0, 'ephemeral-storage': 0, pods: 1000 }],
          ]),
          counted: new Map(
            ['c', 'd', 'elsewhere'].map((name) => [
              `uid-${name}`,
              { node: name === 'elsewhere' ? 'm' : 'n', amounts: { cpu: 1000, memory: 0, 'ephemeral-storage': 0, pods: 1000 } },
            ]),
          ),
        },
      ],
    ]);
  });
});

describe('node/writes-with-a-good-certificate', () => {
  it('is about agents whose certificates are modelled', () => {
    const map = (actor: string | undefined, at: number, by: string | undefined = 'pod-runner') =>
      put(objectOf('ConfigMap', 'c'), { at, by, ...(actor === undefined ? {} : { actor }) });
    const until: Readonly<Record<string, number>> = { 'agent/a': START + 10_000, 'agent/none': -Infinity, scheduler: 0 };
    tells(
      'node/writes-with-a-good-certificate',
      [
        [map('agent/a', 9.999), 'holds'],
        [map('agent/a', 10), 'agent/a changed ConfigMap default/c, and has a client certificate that expired 0 s ago'],
        [map('agent/a', 12.5), 'agent/a changed ConfigMap default/c, and has a client certificate that expired 2.5 s ago'],
        [map('agent/none', 13), 'agent/none changed ConfigMap default/c, and has no client certificate'],
        [map('agent/other', 13), '-'],
        [map('scheduler', 13), '-'],
        [map(undefined, 13), '-'],
        [put(objectOf('ConfigMap', 'c'), { actor: 'agent/a' }), '-'],
      ],
      { certifiedUntil: (process) => until[process] },
    );
    tells('node/writes-with-a-good-certificate', [[map('agent/a', 99), '-']]);
  });
});

/** The resources and the images of nodes: which pods they refuse, and which nodes are better. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { nodeWith, podWith, scoresBy, verdicts, world, type World } from './world.ts';

const worldWith = (...nodes: readonly ApiObject[]): World => {
  const made = world();
  made.set(...nodes);
  return made;
};
describe('resources', () => {
  const amounts = { cpu: '2', memory: '4Gi', 'ephemeral-storage': '10Gi', 'example.com/gpu': '2', pods: '2' };
  const using = (name: string, requests: Readonly<Record<string, string>>, nodeName?: string) =>
    podWith(name, { requests, ...(nodeName === undefined ? {} : { spec: { nodeName } }) });
  function lacks(requests: Readonly<Record<string, string>>, used: Readonly<Record<string, string>> | undefined, gates = {}): unknown {
    const one = world(gates);
    one.set(nodeWith('n', { allocatable: amounts }));
    if (used !== undefined) one.set(using('q', used, 'n'));
    const verdict = verdicts(one, using('p', requests));
    return typeof verdict === 'string' ? verdict : verdict['n'];
  }
  const half = { cpu: '1500m', memory: '3Gi', 'ephemeral-storage': '6Gi', 'example.com/gpu': '1' };

  it.each([
    [{ cpu: '500m', memory: '1Gi', 'ephemeral-storage': '4Gi', 'example.com/gpu': '1' }, half, 'fits'],
    [{ cpu: '501m' }, half, 'NodeResourcesFit: Insufficient cpu'],
    [{ memory: '1025Mi' }, half, 'NodeResourcesFit: Insufficient memory'],
    [{ 'ephemeral-storage': '4097Mi' }, half, 'NodeResourcesFit: Insufficient ephemeral-storage'],
    [{ 'example.com/gpu': '2' }, half, 'NodeResourcesFit: Insufficient example.com/gpu'],
    [{ 'example.com/fpga': '1' }, undefined, 'NodeResourcesFit: Insufficient example.com/fpga'],
    [
      { cpu: '2', memory: '4Gi', 'ephemeral-storage': '9Gi', 'example.com/gpu': '3' },
      half,
      'NodeResourcesFit: Insufficient cpu; Insufficient memory; Insufficient ephemeral-storage; Insufficient example.com/gpu',
    ],
    [{}, { cpu: '3', memory: '5Gi' }, 'fits'],
    [{ memory: '1Mi' }, { cpu: '3' }, 'NodeResourcesFit: Insufficient cpu'],
  ])('%j are free beside %j: %s', (requests, used, verdict) => {
    expect(lacks(requests, used)).toBe(verdict);
  });

  it('of local storage are ignored without the gate', () => {
    expect(lacks({ 'ephemeral-storage': '11Gi' }, undefined, { LocalStorageCapacityIsolation: false })).toBe('fits');
  });

  it('are places for pods too', () => {
    const nodes = worldWith(
      nodeWith('full', { allocatable: amounts }),
      nodeWith('one', { allocatable: amounts }),
      nodeWith('no', { allocatable: { cpu: '9' } }),
    );
    nodes.set(using('q', {}, 'full'), using('r', {}, 'full'), using('s', {}, 'one'));
    const full = 'NodeResourcesFit: Too many pods';
    expect(verdicts(nodes, podWith('p'))).toEqual({ full, one: 'fits', no: full });
    expect(verdicts(nodes, using('p', { cpu: '3', memory: '1Gi' }))).toEqual({
      full: 'NodeResourcesFit: Too many pods; Insufficient cpu',
      one: 'NodeResourcesFit: Insufficient cpu',
      no: 'NodeResourcesFit: Too many pods; Insufficient memory',
    });
  });

  it('that are free give the score: their mean percentage, with 100m and 200 MiB for containers without requests', () => {
    const nodes = worldWith(
      nodeWith('empty'),
      nodeWith('used'),
      nodeWith('over'),
      nodeWith('cpu-only', { allocatable: { cpu: '1', pods: '9' } }),
      nodeWith('memory-only', { allocatable: { memory: '1Gi', pods: '9' } }),
      nodeWith('nothing', { allocatable: { pods: '9' } }),
    );
    nodes.set(using('q', { cpu: '1', memory: '2Gi' }, 'used'), using('r', { cpu: '4', memory: '7Gi' }, 'over'));
    expect(scoresBy(nodes, 'NodeResourcesFit', using('p', { cpu: '1', memory: '1Gi' }))).toEqual({
      empty: Math.trunc((75 + 87) / 2),
      used: Math.trunc((50 + 62) / 2),
      over: 0,
      'cpu-only': 0,
      'memory-only': 0,
      nothing: 0,
    });
    expect(scoresBy(nodes, 'NodeResourcesFit', podWith('p'))).toMatchObject({
      empty: Math.trunc((97 + 97) / 2),
      over: Math.trunc((0 + 10) / 2),
      'cpu-only': 90,
      'memory-only': 80,
    });
  });

  it('are balanced where CPU and memory are used in equal parts', () => {
    const nodes = worldWith(
      nodeWith('empty'),
      nodeWith('cpu'),
      nodeWith('over'),
      nodeWith('cpu-only', { allocatable: { cpu: '1' } }),
      nodeWith('memory-only', { allocatable: { memory: '1Gi' } }),
    );
    nodes.set(using('q', { cpu: '2', memory: '0' }, 'cpu'), using('r', { cpu: '9', memory: '2Gi' }, 'over'));
    expect(scoresBy(nodes, 'NodeResourcesBalancedAllocation', using('p', { cpu: '1', memory: '2Gi' }))).toEqual({
      empty: 100,
      cpu: 75,
      over: 75,
      'cpu-only': 100,
      'memory-only': 100,
    });
  });
});

describe('images on nodes', () => {
  const MB = 1024 * 1024;
  const having = (name: string, ...images: readonly (readonly [string, number])[]) =>
    nodeWith(name, { status: { images: images.map(([image, size]) => ({ names: [image], sizeBytes: size * MB })) } });
  const using = (...images: readonly string[]) =>
    podWith('p', { spec: { containers: images.map((image, i) => ({ name: `c${i}`, image })) } });

  it('give a score by size and by the part of the nodes that have them, between 23 MB and 1000 MB a container', () => {
    const nodes = worldWith(
      having('a', ['web:1', 500], ['r.io:5000/db:latest', 900]),
      having('b', ['web:1', 500]),
      nodeWith('c'),
      nodeWith('d'),
    );
    const by = (...images: readonly string[]) => scoresBy(nodes, 'ImageLocality', using(...images));
    // web:1 on one node of four when `a` reported it, on two when `b` did.
    expect(by('web:1')).toEqual({ a: Math.trunc((100 * (125 - 23)) / 977), b: Math.trunc((100 * (250 - 23)) / 977), c: 0, d: 0 });
    expect(by('r.io:5000/db', 'web:1')).toMatchObject({ a: Math.trunc((100 * (350 - 23)) / 1977), b: Math.trunc((100 * 227) / 1977) });
    expect(by('r.io:5000/db:1', 'web')).toEqual({ a: 0, b: 0, c: 0, d: 0 });
  });

  it('count for no more than 1000 MB a container, and for nothing below 23 MB', () => {
    const one = worldWith(having('a', ['big:1', 9_000], ['small:1', 23]));
    expect([scoresBy(one, 'ImageLocality', using('big:1')), scoresBy(one, 'ImageLocality', using('small:1'))]).toEqual([
      { a: 100 },
      { a: 0 },
    ]);
  });

  it('that are removed count no more', () => {
    const nodes = worldWith(having('a', ['web:1', 800]), having('b', ['web:1', 800]));
    expect(scoresBy(nodes, 'ImageLocality', using('web:1'))).toEqual({ a: 38, b: 79 });
    nodes.set(having('b'));
    expect(scoresBy(nodes, 'ImageLocality', using('web:1'))).toEqual({ a: 38, b: 0 });
    nodes.set(having('a', ['web:1', 800]));
    nodes.set(having('b', ['other:1', 800]));
    nodes.drop('Node', 'b');
    expect(scoresBy(nodes, 'ImageLocality', using('web:1'))).toEqual({ a: 79 });
    nodes.drop('Node', 'a');
    nodes.set(nodeWith('a'));
    expect(scoresBy(nodes, 'ImageLocality', using('web:1'))).toEqual({ a: 0 });
  });
});

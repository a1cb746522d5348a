import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { Node } from '../../../../src/apiserver/kinds/index.ts';
import {
  queueTaint,
  countNode,
  createZones,
  mayTaint,
  taintTimeOf,
} from '../../../../src/controlplane/controllers/node-lifecycle/zones.ts';
import type { Zones } from '../../../../src/controlplane/controllers/node-lifecycle/zones.ts';

const NAMES = namesFor('orch.io');
const node = (name: string, ready: 'True' | 'False' | 'Unknown', zone = 'a', labels: Record<string, string> = {}): Node =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '', labels: { 'topology.orch.io/zone': zone, ...labels } },
    spec: {},
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as unknown as Node;
const see = (zones: Zones, object: Node, now = 0, type: 'MODIFIED' | 'DELETED' = 'MODIFIED'): void =>
  countNode(zones, { type, kind: 'Node', key: object.metadata.name, object, old: undefined }, NAMES, now);
/** Zone `a` with so many ready and unready nodes; zone `b` has one ready node, so that not all nodes are unready. */
const zonesOf = (ready: number, unready: number): Zones => {
  const zones = createZones(0);
  see(zones, node('other', 'True', 'b'));
  for (let i = 0; i < ready; i++) see(zones, node(`r${i}`, 'True'));
  for (let i = 0; i < unready; i++) see(zones, node(`u${i}`, 'Unknown'));
  return zones;
};

describe('taints of unready nodes', () => {
  it('are one in ten seconds, zone by zone', () => {
    const zones = zonesOf(8, 2);
    see(zones, node('elsewhere', 'Unknown', 'b'));
    expect([queueTaint(zones, 'u0', 5_000), queueTaint(zones, 'u1', 5_000), queueTaint(zones, 'elsewhere', 5_000)]).toEqual([
      5_100, 15_100, 5_100,
    ]);
  });

  it('keep their time when queued again', () => {
    const zones = zonesOf(8, 2);
    const first = queueTaint(zones, 'u0', 5_000);
    expect(queueTaint(zones, 'u0', 5_000)).toBe(first);
    expect(taintTimeOf(zones, 'u0')).toBe(first);
  });

  it('are cancelled when the node is ready or gone', () => {
    const zones = zonesOf(8, 2);
    queueTaint(zones, 'u0', 5_000);
    queueTaint(zones, 'u1', 5_000);
    see(zones, node('u0', 'True'));
    see(zones, node('u1', 'Unknown'), 0, 'DELETED');
    expect([taintTimeOf(zones, 'u0'), taintTimeOf(zones, 'u1')]).toEqual([undefined, undefined]);
  });
});

describe('a zone', () => {
  it.each([
    ['one of three', 2, 1, true],
    ['two of two', 0, 2, true],
    ['two of three: too few to speak of', 1, 2, true],
    ['three of five', 2, 3, false],
    ['three of six', 3, 3, true],
    ['all of a zone, but not of the cluster', 0, 5, true],
    ['most of a large one', 20, 40, true],
  ])('%s not ready (%i ready, %i not): evicts %s', (_, ready, unready, evicts) => {
    expect(mayTaint(zonesOf(ready, unready), 'u0')).toBe(evicts);
  });

  it('of more than fifty nodes continues, ten times slower', () => {
    const zones = zonesOf(20, 40);
    expect([queueTaint(zones, 'u0', 200_000), queueTaint(zones, 'u1', 200_000)]).toEqual([200_100, 300_100]);
  });

  it('that stopped waits a full interval when it continues', () => {
    const zones = zonesOf(2, 3);
    expect(queueTaint(zones, 'u0', 1_000)).toBeUndefined();
    see(zones, node('u2', 'True'), 2_000);
    expect(queueTaint(zones, 'u0', 5_000)).toBe(12_000);
  });

  it('does not count nodes with the exclusion label', () => {
    const zones = zonesOf(2, 2);
    see(zones, node('excluded', 'Unknown', 'a', { 'node.orch.io/exclude-disruption': '' }));
    expect(mayTaint(zones, 'u0')).toBe(true);
  });
});

describe('the whole cluster', () => {
  it('silent, evicts nothing; with one node back, continues', () => {
    const zones = createZones(0);
    for (const name of ['a', 'b', 'c']) see(zones, node(name, 'True', name));
    queueTaint(zones, 'a', 0);
    for (const name of ['a', 'b', 'c']) see(zones, node(name, 'Unknown', name), 1_000);
    expect([zones.allSilent, zones.turned, mayTaint(zones, 'a'), taintTimeOf(zones, 'a')]).toEqual([true, true, false, undefined]);
    see(zones, node('c', 'True', 'c'), 60_000);
    expect([zones.allSilent, zones.turned, zones.recoveredAt, queueTaint(zones, 'a', 65_000)]).toEqual([false, true, 60_000, 70_000]);
    see(zones, node('c', 'True', 'c'), 70_000);
    expect(zones.turned).toBe(false);
  });
});

/** Topology spread: the constraints of a pod, and those by default for the pods of a service or an owner. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { HOSTNAME, nodeWith, objectOf, podWith, scoresBy, verdicts, world, ZONE, type World } from './world.ts';

const SKEWED = "PodTopologySpread: node(s) didn't match pod topology spread constraints";
const NO_LABEL = "unresolvable, PodTopologySpread: node(s) didn't match pod topology spread constraints (missing required label)";
const fits = 'fits';

const constraint = (whenUnsatisfiable: string, topologyKey: string, maxSkew: number, more: object = {}) => ({
  whenUnsatisfiable,
  topologyKey,
  maxSkew,
  labelSelector: { matchLabels: { app: 'p' } },
  ...more,
});
const hard = (topologyKey: string, maxSkew = 1, more: object = {}) => constraint('DoNotSchedule', topologyKey, maxSkew, more);
const soft = (topologyKey: string, maxSkew = 1, more: object = {}) => constraint('ScheduleAnyway', topologyKey, maxSkew, more);
const spread = (constraints: readonly object[], spec: object = {}, app = 'p') =>
  podWith('new', { labels: { app }, spec: { topologySpreadConstraints: constraints, ...spec } });
const on = (name: string, nodeName: string, meta: object = {}, app = 'p') =>
  podWith(name, { labels: { app }, meta: { ...meta }, spec: { nodeName } });

const NODES = [
  nodeWith('a1', { labels: { [ZONE]: 'one', disk: 'ssd' } }),
  nodeWith('a2', { labels: { [ZONE]: 'one' } }),
  nodeWith('b', { labels: { [ZONE]: 'two', disk: 'ssd' } }),
];
const BARE = nodeWith('none', { labels: { disk: 'ssd' } });
/** Two pods in zone one, one pod in zone two. */
const THREE = [on('p1', 'a1'), on('p2', 'a2'), on('p3', 'b')];
function zones(...objects: readonly ApiObject[]): World {
  const made = world({ MinDomainsInPodTopologySpread: true });
  made.set(...NODES, ...objects);
  return made;
}

/** The final score of raw scores: the fewest pods are best; twice, for the weight. */
const inverted = (raw: number, least: number, most: number): number => 2 * Math.trunc((100 * (most + least - raw)) / most);

describe('a hard constraint', () => {
  it.each([
    ['the skew with the pod itself', [hard(ZONE, 1)], {}, [SKEWED, SKEWED, fits]],
    ['a greater skew', [hard(ZONE, 2)], {}, [fits, fits, fits]],
    ['each node by its hostname', [hard(HOSTNAME, 1)], {}, [fits, fits, fits]],
    ['two at once', [hard('disk', 9), hard(ZONE, 1)], {}, [SKEWED, NO_LABEL, fits]],
    ['only nodes that the pod may run on', [hard(ZONE, 1)], { nodeSelector: { [ZONE]: 'one' } }, [fits, fits, undefined]],
    ['at least so many domains', [hard(ZONE, 1, { minDomains: 3 })], {}, [SKEWED, SKEWED, SKEWED]],
    ['as many domains as there are', [hard(ZONE, 1, { minDomains: 2 })], {}, [SKEWED, SKEWED, fits]],
    ['no selector: no pod', [hard(ZONE, 1, { labelSelector: undefined })], {}, [fits, fits, fits]],
    ['the empty selector: no pod is counted', [hard(ZONE, 1, { labelSelector: {} })], {}, [fits, fits, fits]],
    ['a soft one never', [soft(ZONE, 1)], {}, [fits, fits, fits]],
  ])('checks %s', (_name, constraints, spec, expected) => {
    const [a1, a2, b = "unresolvable, NodeAffinity+PodTopologySpread: node(s) didn't match Pod's node affinity/selector"] = expected;
    const verdict = verdicts(zones(...THREE), spread(constraints, spec));
    if (expected[2] === undefined) expect(verdict).toMatchObject({ a1, a2 });
    else expect(verdict).toEqual({ a1, a2, b });
  });

  it('needs the label on a node', () => {
    expect(verdicts(zones(...THREE, BARE), spread([hard(ZONE)]))).toEqual({ a1: SKEWED, a2: SKEWED, b: fits, none: NO_LABEL });
    expect(verdicts(zones(...THREE, BARE), spread([hard(ZONE, 2)]))).toEqual({ a1: fits, a2: fits, b: fits, none: NO_LABEL });
  });

  it('does not count a pod that its selector does not match', () => {
    expect(verdicts(zones(...THREE), spread([hard(ZONE)], {}, 'other'))).toEqual({ a1: fits, a2: fits, b: fits });
    expect(verdicts(zones(...THREE, on('p4', 'a1')), spread([hard(ZONE)], {}, 'other'))).toEqual({ a1: SKEWED, a2: SKEWED, b: fits });
  });

  it('counts neither terminating pods nor those of other namespaces', () => {
    const leaving = on('p4', 'a1', { deletionTimestamp: '2024-01-01T00:00:00Z' });
    expect(verdicts(zones(...THREE, leaving, on('p5', 'a1', { namespace: 'y' })), spread([hard(ZONE, 2)]))).toEqual({
      a1: fits,
      a2: fits,
      b: fits,
    });
  });

  it('counts pods on other nodes only for the values that nodes of the pod share', () => {
    const selective = spread([hard(ZONE)], { nodeSelector: { disk: 'ssd' } });
    const found = verdicts(zones(...THREE), selective);
    expect(found).toMatchObject({ a1: SKEWED, b: fits });
    expect(verdicts(zones(on('p2', 'a2')), selective)).toMatchObject({ a1: SKEWED, b: fits });
  });

  it('ignores the minimum of domains without its gate', () => {
    const plain = world();
    plain.set(...NODES, ...THREE);
    expect(verdicts(plain, spread([hard(ZONE, 1, { minDomains: 3 })]))).toEqual({ a1: SKEWED, a2: SKEWED, b: fits });
  });
});

describe('soft constraints', () => {
  const by = (made: World, constraints: readonly object[], spec: object = {}) =>
    scoresBy(made, 'PodTopologySpread', spread(constraints, spec));

  it('prefer the zone with the fewest pods', () => {
    // 2 ln 4 = 2.8 and 1 ln 4 = 1.4, rounded
    const expected = { a1: inverted(3, 1, 3), a2: inverted(3, 1, 3), b: inverted(1, 1, 3) };
    expect(by(zones(...THREE), [soft(ZONE)])).toEqual(expected);
    expect(by(zones(...THREE, BARE), [soft(ZONE)])).toEqual({ ...expected, none: 0 });
  });

  it('prefer the node with the fewest pods, and add the skew that is allowed', () => {
    // 2, 1 and 1 pods times ln 5 = 1.6, plus 2
    expect(by(zones(...THREE, on('p4', 'a1')), [soft(HOSTNAME, 3)])).toEqual({
      a1: inverted(5, 4, 5),
      a2: inverted(4, 4, 5),
      b: inverted(4, 4, 5),
    });
  });

  it('are added up', () => {
    // 1 ln 5 + 2 ln 4 = 4.4; 1 ln 5 + 1 ln 4 = 3.0
    expect(by(zones(...THREE), [soft(HOSTNAME), soft(ZONE)])).toEqual({ a1: inverted(4, 3, 4), a2: inverted(4, 3, 4), b: 200 });
  });

  it('count only pods on nodes that the pod may run on', () => {
    // a1 counts for zone one, a2 does not: one pod in each zone.
    expect(by(zones(...THREE), [soft(ZONE)], { nodeSelector: { disk: 'ssd' } })).toEqual({ a1: 200, a2: 200, b: 200 });
  });

  it('do not prefer any node where there is no pod, or no soft constraint', () => {
    expect(by(zones(), [soft(ZONE)])).toEqual({ a1: 200, a2: 200, b: 200 });
    expect(by(zones(...THREE), [hard(ZONE)])).toEqual({ a1: 200, a2: 200, b: 200 });
  });
});

describe('default constraints', () => {
  const owned = (kind: string, apiVersion: string) => ({
    ownerReferences: [{ apiVersion, kind, name: 'owner', uid: 'uid-owner', controller: true }],
  });
  const owner = (kind: string, selector: object) => objectOf(kind, 'owner', { spec: { selector } }, { namespace: 'x' });
  const service = (name: string, selector: object | undefined, namespace = 'x') =>
    objectOf('Service', name, { spec: { selector } }, { namespace });
  const APP = { matchLabels: { app: 'p' } };
  const even = { a1: 200, a2: 200, b: 200 };
  /** Two pods per node, and one in zone two: 1 ln 5 + 2 ln 4 + 2 + 4, and 1 ln 5 + 1 ln 4 + 2 + 4. */
  const uneven = { a1: 2 * Math.trunc((100 * 9) / 10), a2: 2 * Math.trunc((100 * 9) / 10), b: 200 };

  it.each([
    ['a service that selects the pod', [service('s', { app: 'p' })], {}, uneven],
    ['no service that selects another', [service('s', { app: 'q' })], {}, even],
    ['no service that asks for more labels', [service('s', { app: 'p', tier: 'web' })], {}, even],
    ['no service without a selector', [service('s', undefined)], {}, even],
    ['no service with the empty selector', [service('s', {})], {}, even],
    ['no service of another namespace', [service('s', { app: 'p' }, 'y')], {}, even],
    ['a ReplicaSet that owns it', [owner('ReplicaSet', APP)], owned('ReplicaSet', 'apps/v1'), uneven],
    ['a StatefulSet that owns it', [owner('StatefulSet', APP)], owned('StatefulSet', 'apps/v1'), uneven],
    ['no owner that selects everything', [owner('ReplicaSet', {})], owned('ReplicaSet', 'apps/v1'), even],
    ['no owner of another group', [owner('ReplicaSet', APP)], owned('ReplicaSet', 'example.com/v1'), even],
    ['no owner that is gone', [], owned('ReplicaSet', 'apps/v1'), even],
    ['a ReplicationController that owns it', [owner('ReplicationController', { app: 'p' })], owned('ReplicationController', 'v1'), uneven],
    ['no ReplicationController of a group', [owner('ReplicationController', { app: 'p' })], owned('ReplicationController', 'x/v1'), even],
    ['an owner and a service', [owner('ReplicaSet', APP), service('s', { app: 'p' })], owned('ReplicaSet', 'apps/v1'), uneven],
    [
      'only pods that both select',
      [owner('ReplicaSet', { matchLabels: { app: 'z' } }), service('s', { app: 'p' })],
      owned('ReplicaSet', 'apps/v1'),
      even,
    ],
  ])('spread the pods of %s', (_name, objects, meta, expected) => {
    const pod = podWith('new', { labels: { app: 'p' }, meta });
    const scores = scoresBy(zones(...THREE, ...objects), 'PodTopologySpread', pod);
    expect(scores).toEqual(expected);
  });

  it('ignore missing labels', () => {
    const pod = podWith('new', { labels: { app: 'p' } });
    // ln 6 by node and ln 5 by zone (no zone is a value too): 11 in zone one, 9 in zone two; 2 where no pod is, and no zone.
    const scores = { a1: inverted(11, 2, 11), a2: inverted(11, 2, 11), b: inverted(9, 2, 11), none: 200 };
    expect(scoresBy(zones(...THREE, BARE, service('s', { app: 'p' })), 'PodTopologySpread', pod)).toEqual(scores);
  });
});

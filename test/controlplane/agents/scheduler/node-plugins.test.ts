/** What a pod and a node say of each other: names, labels, ports and taints. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { nodeWith, podWith, scoresBy, verdicts, world, type World } from './world.ts';

const worldWith = (...nodes: readonly ApiObject[]): World => {
  const made = world();
  made.set(...nodes);
  return made;
};
const MISMATCH = "unresolvable, NodeAffinity: node(s) didn't match Pod's node affinity/selector";
const byName = (...values: readonly string[]) => ({ key: 'metadata.name', operator: 'In', values });
const required = (...nodeSelectorTerms: readonly object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});

describe('node affinity', () => {
  const disks = (): World =>
    worldWith(nodeWith('a', { labels: { disk: 'ssd' } }), nodeWith('b', { labels: { disk: 'hdd' } }), nodeWith('c'));
  const ssd = { key: 'disk', operator: 'In', values: ['ssd'] };

  it.each([
    ['a selector', { nodeSelector: { disk: 'hdd' } }, ['b']],
    ['terms, of which one must match', required({ matchExpressions: [ssd] }, { matchFields: [byName('c')] }), ['a', 'c']],
    ['a term, of which all must match', required({ matchExpressions: [ssd], matchFields: [byName('a')] }), ['a']],
    ['a selector and terms', { nodeSelector: { disk: 'ssd' }, ...required({ matchFields: [byName('b')] }) }, []],
    ['no term', required(), []],
    ['neither', {}, ['a', 'b', 'c']],
  ])('is %s', (_name, spec, fits: readonly string[]) => {
    expect(verdicts(disks(), podWith('p', { spec }))).toEqual(
      Object.fromEntries(['a', 'b', 'c'].map((node) => [node, fits.includes(node) ? 'fits' : MISMATCH])),
    );
  });

  it.each([
    ['every term names some', required({ matchFields: [byName('a')] }, { matchFields: [byName('c'), byName('c')] }), ['a', 'c']],
    ['some term names none', required({ matchFields: [byName('a')] }, { matchExpressions: [ssd] }), undefined],
    ['a term excludes names', required({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }] }), undefined],
  ])('visits only named nodes where %s', (_name, spec, names) => {
    const placement = disks().state.place(podInfo(podWith('p', { spec })));
    expect(placement).toMatchObject({ type: 'placed', visited: names?.length ?? 3 });
    if (names !== undefined && placement.type === 'placed') expect(placement.feasible.map(({ name }) => name)).toEqual(names);
  });

  it('that can match no node refuses all of them at once', () => {
    expect(verdicts(disks(), podWith('p', { spec: required({ matchFields: [byName('a'), byName('b')] }) }))).toBe(
      'unresolvable, NodeAffinity: pod affinity terms conflict',
    );
  });

  it('may be preferred: the sum of the weights of matching terms, in proportion to the greatest', () => {
    const wish = (weight: number, ...matchExpressions: readonly object[]) => ({ weight, preference: { matchExpressions } });
    const labelled = { key: 'disk', operator: 'Exists' };
    const preferred = (...terms: readonly object[]) =>
      podWith('p', { spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } } } });
    expect(scoresBy(disks(), 'NodeAffinity', preferred(wish(5, ssd), wish(2, labelled), wish(9), wish(0, labelled)))).toEqual({
      a: 200,
      b: 2 * 28,
      c: 0,
    });
    expect(scoresBy(disks(), 'NodeAffinity', preferred(wish(9), wish(0, labelled)))).toEqual({ a: 0, b: 0, c: 0 });
  });
});

it('a pod that names its node fits only there', () => {
  const nodes = worldWith(nodeWith('a'), nodeWith('b'));
  expect(verdicts(nodes, podWith('p', { spec: { nodeName: 'b' } }))).toEqual({
    a: "unresolvable, NodeName: node(s) didn't match the requested node name",
    b: 'fits',
  });
});

describe('host ports', () => {
  const port = (hostPort: number, hostIP?: string, protocol?: string) => ({ containerPort: 1, hostPort, hostIP, protocol });
  const using = (name: string, ports: readonly object[], nodeName?: string) =>
    podWith(name, { spec: { containers: [{ name: 'c', image: 'i', ports }], ...(nodeName === undefined ? {} : { nodeName }) } });
  function usedPorts(): World {
    const nodes = worldWith(nodeWith('all'), nodeWith('one'), nodeWith('free'));
    nodes.set(using('q', [port(80)], 'all'), using('r', [port(80, '10.0.0.1'), port(53, undefined, 'UDP')], 'one'));
    return nodes;
  }

  it.each([
    ['any address', [port(80)], ['free']],
    ['the used address', [port(80, '10.0.0.1')], ['free']],
    ['another address', [port(80, '10.0.0.2')], ['one', 'free']],
    ['another protocol', [port(80, undefined, 'UDP')], ['all', 'one', 'free']],
    ['another port', [port(81)], ['all', 'one', 'free']],
    ['two ports, of which one is used', [port(81), port(53, undefined, 'UDP')], ['all', 'free']],
  ])('are free for %s', (_name, ports, fits) => {
    const taken = "NodePorts: node(s) didn't have free ports for the requested pod ports";
    expect(verdicts(usedPorts(), using('p', ports))).toEqual(
      Object.fromEntries(['all', 'one', 'free'].map((node) => [node, fits.includes(node) ? 'fits' : taken])),
    );
  });

  it('are free again when all pods that used them are gone', () => {
    const both = worldWith(nodeWith('n'));
    both.set(using('q', [port(80, '10.0.0.1')], 'n'), using('r', [port(80, '10.0.0.1')], 'n'), using('s', [port(80, '10.0.0.3')], 'n'));
    const fits = (ip: string): boolean => JSON.stringify(verdicts(both, using('p', [port(80, ip)]))) === '{"n":"fits"}';
    both.drop('Pod', 'x/q');
    expect([fits('10.0.0.1'), fits('10.0.0.2'), fits('10.0.0.3')]).toEqual([false, true, false]);
    both.drop('Pod', 'x/r');
    expect([fits('10.0.0.1'), fits('0.0.0.0')]).toEqual([true, false]);
    both.drop('Pod', 'x/s');
    expect(fits('0.0.0.0')).toBe(true);
  });
});

describe('cordons and taints', () => {
  const taint = (effect: string, key = 'k', value?: string) => ({ key, effect, ...(value === undefined ? {} : { value }) });
  const tainted = (): World =>
    worldWith(
      nodeWith('cordoned', { spec: { unschedulable: true } }),
      nodeWith('hard', { spec: { taints: [taint('NoSchedule')] } }),
      nodeWith('harder', { spec: { taints: [taint('PreferNoSchedule', 'soft'), taint('NoExecute', 'k', 'v')] } }),
      nodeWith('soft', { spec: { taints: [taint('PreferNoSchedule', 'soft'), taint('PreferNoSchedule', 'more')] } }),
      nodeWith('none', { spec: { taints: [] } }),
    );
  const tolerating = (...tolerations: readonly object[]) => podWith('p', { spec: { tolerations } });
  const refused = {
    cordoned: 'unresolvable, NodeUnschedulable: node(s) were unschedulable',
    hard: 'unresolvable, TaintToleration: node(s) had untolerated taint {k: }',
    harder: 'unresolvable, TaintToleration: node(s) had untolerated taint {k: v}',
    soft: 'fits',
    none: 'fits',
  };

  it.each([
    ['nothing', [], refused],
    ['a key', [{ key: 'k', operator: 'Exists' }], { ...refused, hard: 'fits', harder: 'fits' }],
    ['a value', [{ key: 'k', value: 'v' }], { ...refused, harder: 'fits' }],
    ['an effect', [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }], { ...refused, hard: 'fits' }],
    ['cordons', [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', operator: 'Exists' }], { ...refused, cordoned: 'fits' }],
  ])('refuse pods that tolerate %s', (_name, tolerations, expected) => {
    expect(verdicts(tainted(), tolerating(...tolerations))).toEqual(expected);
  });

  it('that only discourage lower the score, if the pod does not tolerate them', () => {
    const by = (...tolerations: readonly object[]) => scoresBy(tainted(), 'TaintToleration', tolerating(...tolerations));
    const worst = { cordoned: 300, hard: 300, harder: 150, soft: 0, none: 300 };
    expect(by()).toEqual(worst);
    expect(by({ key: 'soft', operator: 'Exists', effect: 'NoSchedule' })).toEqual(worst);
    expect(by({ key: 'soft', operator: 'Exists' })).toEqual({ ...worst, harder: 300 });
    expect(by({ key: 'more', operator: 'Exists', effect: 'PreferNoSchedule' })).toEqual({ ...worst, harder: 0 });
    expect(by({ operator: 'Exists', effect: '' })).toEqual({ cordoned: 300, hard: 300, harder: 300, soft: 300, none: 300 });
  });

  it('do not matter to the score where none discourages', () => {
    const hard = worldWith(nodeWith('hard', { spec: { taints: [taint('NoSchedule')] } }), nodeWith('none'));
    expect(scoresBy(hard, 'TaintToleration', podWith('p'))).toEqual({ hard: 300, none: 300 });
  });
});

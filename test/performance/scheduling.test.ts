/** Scheduling a pod visits a sample of the nodes, of the same size as upstream's. */
import { describe, expect, it } from 'vitest';
import { defaultSettings, KINDS } from '../../src/controlplane/agents/scheduler/index.ts';
import { plugins } from '../../src/controlplane/agents/scheduler/plugins/index.ts';
import { SchedulerState } from '../../src/controlplane/agents/scheduler/state.ts';
import { createRandom } from '../../src/engine/index.ts';
import { namesFor } from '../../src/apiserver/machinery/index.ts';
import type { Node, Pod } from '../../src/apiserver/kinds/index.ts';
import { podInfo } from '../../src/controlplane/agents/scheduler/node-info.ts';
import { createCache } from '../../src/controlplane/runtime/index.ts';
import { createJob, openCluster } from './workloads.ts';

const names = namesFor('orch.io');
const nodeOf = (at: number): Node =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${at}`, uid: `n${at}` },
    spec: {},
    status: { allocatable: { cpu: '8', memory: '8Gi', pods: '100' } },
  }) as unknown as Node;
const podOf = (at: number, spec: object): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${at}`, namespace: 'default', uid: `p${at}` },
    spec,
    status: {},
  }) as unknown as Pod;

/** Upstream's numFeasibleNodesToFind: all of few nodes, 50 % less one per 125 nodes of many, at least 5 % and a hundred. */
const sampleOf = (nodes: number): number =>
  nodes < 100 ? nodes : Math.max(Math.trunc((nodes * Math.max(50 - Math.trunc(nodes / 125), 5)) / 100), 100);

describe('nodes examined for a bind', () => {
  it.each([20, 150, 600])('are at most the sample in a cluster of %i', (nodes) => {
    const cluster = openCluster(nodes);
    const state = cluster.runtime.process('scheduler')?.running.get('scheduler')?.state as SchedulerState;
    const visited: number[] = [];
    state.onAttempt = (_pod, placement) => {
      if (placement.type === 'placed') visited.push(placement.visited);
    };
    createJob(cluster, 'spread', 30, 30);
    cluster.runUntilSettled(cluster.now + 600_000);
    expect(visited).toHaveLength(30);
    expect(Math.max(...visited)).toBeLessThanOrEqual(sampleOf(nodes));
  });
});

describe('nodes visited for a pod', () => {
  it('are those that changed since the last equivalent pod', () => {
    const fit = plugins.find(({ name }) => name === 'NodeResourcesFit');
    const { filterFor } = fit ?? {};
    if (fit === undefined || filterFor === undefined) throw new Error('there is no such plug-in');
    let asked = 0;
    const counting = {
      ...fit,
      filterFor: (...args: Parameters<typeof filterFor>) => {
        const result = filterFor(...args);
        if (result === undefined || 'code' in result) return result;
        return {
          ...result,
          check: (...node: Parameters<typeof result.check>) => {
            asked++;
            return result.check(...node);
          },
        };
      },
    };
    const state = new SchedulerState(
      { ...defaultSettings, plugins: plugins.map((plugin) => (plugin === fit ? counting : plugin)) },
      { names, gates: {}, now: 0, random: createRandom(1).stream('scheduler') },
    );
    const cache = createCache();
    for (const kind of KINDS) cache.open(kind);
    state.attach(cache);
    for (let at = 0; at < 100; at++) state.model.setNode(nodeOf(at));
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    for (let at = 0; at < 50; at++) {
      const pod = podInfo(podOf(at, spec));
      const placement = state.place(pod);
      if (placement.type !== 'placed') throw new Error('it fits anywhere');
      state.model.put(pod, placement.node, true);
    }
    expect(asked).toBe(100 + 49);
  });
});

/** How soon a pod's containers run: not before the agent could report that it creates them. */
import { describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { Delay } from '../../../../src/controlplane/runtime/index.ts';

const USER = { name: 'user', groups: ['system:masters'] };
const body = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'c:1' }] },
};

/** The pod's phase with its container's state, change by change, in milliseconds since its creation. */
function seen(api: Delay, act: (cluster: Cluster) => void = () => undefined): readonly string[] {
  const cluster = createCluster({ seed: 1, nodes: [{ name: 'node-0', capacity: { cpu: '4', pods: '110' } }], latency: { api, watch: 1 } });
  const states: string[] = [];
  cluster.store.onChange(({ object, at }) => {
    if (object?.kind !== 'Pod') return;
    const { phase, containerStatuses = [] } = (object as Pod).status;
    const line = `${phase} ${Object.keys(containerStatuses[0]?.state ?? {}).join()}`.trim();
    if (states.at(-1)?.endsWith(line) !== true) states.push(`${at - cluster.startAt} ${line}`);
  });
  cluster.request('user', { verb: 'create', kind: 'Pod', namespace: 'default', body, user: USER });
  act(cluster);
  cluster.runUntil(cluster.startAt + 1_000);
  return states;
}

describe('the containers of a pod', () => {
  it('are created, then run, a request later', () => {
    expect(seen(6)).toEqual(['0 Pending', '4 Pending waiting', '10 Running running']);
    expect(seen({ min: 6, max: 6 })).toEqual(['0 Pending', '4 Pending waiting', '10 Running running']);
  });

  it('run at once where requests take no time', () => {
    expect(seen(0)).toEqual(['0 Pending', '1 Running running']);
  });

  it('never run when the pod is deleted meanwhile', () => {
    const goes = (cluster: Cluster): void =>
      cluster.plan(cluster.startAt + 3, 'delete', () => {
        cluster.request('user', { verb: 'delete', kind: 'Pod', namespace: 'default', name: 'p', user: USER });
      });
    expect(seen(6, goes).some((state) => state.includes('Running'))).toBe(false);
    expect(seen(0, goes).some((state) => state.includes('Running'))).toBe(true);
  });
});

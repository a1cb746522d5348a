/** Claims with delayed binding: volumes are found, provisioned, or given up. */
import { describe, expect, it } from 'vitest';
import { podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { AssumedVolumes } from '../../../../src/controlplane/agents/scheduler/volumes/assumed-volumes.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { createWorld, type Json, type World } from '../../../conformance/scheduler/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const HOSTNAME = 'kubernetes.io/hostname';
const SELECTED = 'volume.kubernetes.io/selected-node';

function worldWith(provisioner: string, nodes = 2): World {
  const world = createWorld();
  for (let i = 1; i <= nodes; i++)
    world.createNode({ name: `n${i}`, labels: { [HOSTNAME]: `n${i}` }, capacity: { cpu: '4', memory: '8Gi', pods: '110' } });
  world.create({ kind: 'StorageClass', metadata: { name: 'w' }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
  return world;
}
const addClaim = (world: World, name: string): void =>
  void world.create({
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'w', resources: { requests: { storage: '1Gi' } } },
  });
function addLocalVolume(world: World, name: string, node: string): void {
  world.create({
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'w',
      local: { path: '/x' },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [node] }] }] } },
    },
  });
}
const addPod = (world: World, name: string, claim: string): void =>
  void world.create({
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'img' }], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }] },
  });
const run = (world: World, ms: number): void => world.cluster.runUntil(world.cluster.now + ms);
const messageOf = (world: World, name: string): string | undefined =>
  world.pod('default', name)?.status.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
const claimOf = (world: World, name: string): { readonly metadata: { readonly annotations?: Json } } =>
  world.cluster.store.get('PersistentVolumeClaim', `default/${name}`) as never;

describe('claims with delayed binding', () => {
  it('are bound to an accessible volume each, a second after the decision', () => {
    const world = worldWith('kubernetes.io/no-provisioner');
    for (const i of [1, 2]) {
      addLocalVolume(world, `pv${i}`, `n${i}`);
      addClaim(world, `c${i}`);
    }
    world.tendClaims();
    run(world, 10);
    for (const i of [1, 2]) addPod(world, `p${i}`, `c${i}`);
    run(world, 10);
    world.tendClaims();
    run(world, 500);
    expect(world.pod('default', 'p1')?.spec.nodeName).toBeUndefined();
    run(world, 1000);
    const nodes = [world.pod('default', 'p1')?.spec.nodeName, world.pod('default', 'p2')?.spec.nodeName];
    expect(new Set(nodes)).toEqual(new Set(['n1', 'n2']));
  });

  it('get the annotation of the selected node', () => {
    const world = worldWith('csi.example.com', 1);
    addClaim(world, 'c');
    addPod(world, 'p', 'c');
    run(world, 10);
    expect(claimOf(world, 'c').metadata.annotations?.[SELECTED]).toBe('n1');
    world.tendClaims();
    run(world, 2000);
    expect(world.pod('default', 'p')?.spec.nodeName).toBe('n1');
  });

  it('that cannot be provisioned there return the pod to the queue', () => {
    const world = worldWith('csi.example.com', 1);
    addClaim(world, 'c');
    addPod(world, 'p', 'c');
    run(world, 10);
    world.patch('PersistentVolumeClaim', 'default', 'c', { metadata: { annotations: { [SELECTED]: null } } });
    run(world, 1500);
    expect(messageOf(world, 'p')).toBe('running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "c"');
    run(world, 5000);
    expect(claimOf(world, 'c').metadata.annotations?.[SELECTED]).toBe('n1');
  });

  it('are given up after ten minutes', () => {
    const world = worldWith('csi.example.com', 1);
    addClaim(world, 'c');
    addPod(world, 'p', 'c');
    run(world, 599_000);
    expect(messageOf(world, 'p')).toBeUndefined();
    run(world, 2000);
    expect(messageOf(world, 'p')).toBe('running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition');
  });

  it('release assumed volumes when the pod is deleted', () => {
    const world = worldWith('kubernetes.io/no-provisioner', 1);
    addLocalVolume(world, 'pv', 'n1');
    for (const name of ['c1', 'c2']) addClaim(world, name);
    world.tendClaims();
    run(world, 10);
    world.cluster.addFaults({
      request: ({ by, request }) => (by.process === 'scheduler' && request.kind === 'PersistentVolume' ? { delayMs: 200 } : undefined),
    });
    addPod(world, 'p1', 'c1');
    run(world, 50);
    addPod(world, 'p2', 'c2');
    run(world, 10);
    expect(messageOf(world, 'p2')).toContain("1 node(s) didn't find available persistent volumes to bind");
    world.remove('Pod', 'default', 'p1', 0);
    run(world, 20);
    expect(world.state.volumes.claimOf('pv')).toBeUndefined();
  });
});

describe('pods with delayed binding', () => {
  const nodeOf = (gate: boolean, small: string): string | undefined => {
    const volume = (node: string, size: string) =>
      `{ apply: { apiVersion: v1, kind: PersistentVolume, metadata: { name: ${node} }, spec: { capacity: { storage: ${size} }, accessModes: [ReadWriteOnce], storageClassName: w, local: { path: /x }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: orch.io/hostname, operator: In, values: [${node}] }] }] } } } } }`;
    const { cluster } = simulate(
      scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: a }
spec:
  until: 30s
  featureGates: { VolumeCapacityPriority: ${gate} }
  cluster: { nodes: [{ name: a }, { name: b }] }
  steps:
    - apply: { apiVersion: storage.orch.io/v1, kind: StorageClass, metadata: { name: w }, provisioner: orch.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer }
    - ${volume(small, '2Gi')}
    - ${volume(small === 'a' ? 'b' : 'a', '9Gi')}
    - apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: c }, spec: { accessModes: [ReadWriteOnce], storageClassName: w, resources: { requests: { storage: 1Gi } } } }
    - { at: 5s, apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: c } }] } } }`),
    );
    return cluster.store.get('Pod', 'default/p')?.spec.nodeName;
  };

  it('prefer the volume that fits best, with VolumeCapacityPriority', () => {
    expect([nodeOf(true, 'a'), nodeOf(true, 'b')]).toEqual(['a', 'b']);
    expect(nodeOf(false, 'a')).toBe(nodeOf(false, 'b'));
  });
});

it('describes a pod whose claims are bound by its plan, and not by how long it has waited', () => {
  const info = podInfo({ kind: 'Pod', metadata: { namespace: 'default', name: 'web', uid: 'u' }, spec: { containers: [] } } as never);
  const boundAfter = (since: number): unknown => {
    const volumes = new AssumedVolumes();
    const plan = { bindings: [{ volume: 'pv', claim: 'default/data' }], provisions: [] };
    const waiting = { info, node: 'node-0', since, plan, claims: new Map([['default/data', '1']]) };
    volumes.reserve(waiting);
    volumes.bound(waiting);
    return volumes.describe();
  };
  expect(boundAfter(1)).toEqual(boundAfter(2));
});

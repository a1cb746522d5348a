/**
 * When an agent writes its node's status: at once at its start and for changes of its own, at the next status sync for changes by others.
 */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { defaultSettings } from '../../../../src/controlplane/agents/node/configuration.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import { nodeRegistration } from '../../../../src/controlplane/agents/node/registration.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { decide } from '../../../support/reconcile.ts';

const REPORTED = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];
const time = '2024-01-01T00:00:00Z';
const nodeWith = (status: (type: string) => string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', uid: 'uid-n', resourceVersion: '5', creationTimestamp: time },
  spec: {},
  status: {
    nodeInfo: { machineID: 'n' },
    conditions: REPORTED.map((type) => ({ type, status: status(type), lastHeartbeatTime: time, lastTransitionTime: time })),
  },
});
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'n', namespace: 'kube-node-lease', uid: 'uid-lease', resourceVersion: '6' },
  spec: { holderIdentity: 'n', leaseDurationSeconds: 40, renewTime: '2024-01-01T00:00:10.000000Z' },
} as unknown as ApiObject;
const silenced = nodeWith(() => 'Unknown');
const well = nodeWith((type) => (type === 'Ready' ? 'True' : 'False'));

function decided(
  node: ApiObject,
  seconds: number,
  { ready = true, starting = false }: { readonly ready?: boolean; readonly starting?: boolean } = {},
): Outcome {
  const world = createWorld();
  world.machine('n').ready = ready;
  return decide(
    nodeRegistration({
      machine: world.machine('n'),
      spec: { name: 'n', capacity: {} },
      settings: defaultSettings({ clusterGates: {}, leaseSeconds: 40 }),
      storageDrivers: [],
    }),
    {
      objects: [node, lease],
      key: 'n',
      now: at(seconds),
      startedAt: at(0),
      memory: starting ? undefined : { renewedAt: at(10) },
    },
  );
}
const written = ({ writes }: Outcome): readonly string[] => writes.flatMap((write) => ('kind' in write ? [write.kind] : []));

describe('a node that another client marked Unknown', () => {
  it('is corrected at the next status sync of ten seconds', () => {
    const waiting = decided(silenced, 13);
    expect(waiting).toMatchObject({ writes: [], wakeAt: at(20) });
    expect(waiting.background).toBeUndefined();
    expect(written(decided(silenced, 20))).toEqual(['Lease', 'Node']);
  });

  it('is corrected at once by an agent that has just started', () => {
    expect(written(decided(silenced, 13, { starting: true }))).toContain('Node');
  });
});

it('reports its own changes at once, and nothing without a change', () => {
  expect(written(decided(well, 13, { ready: false }))).toEqual(['Node']);
  expect(written(decided(well, 13))).toEqual([]);
});

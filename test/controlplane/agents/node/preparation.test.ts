/** What comes before the containers of a pod run: its volumes, its runtime and its address, by what its agent decides and reports: whole transcripts. */
import { describe, expect, it } from 'vitest';
import { decisionsIn, podStep, simulated, statusesOf } from './transcript.ts';

const UNREADY = '(ContainersNotReady "containers with unready status: [c]")';

const retry = (message: string): string => `${message}; retry in 10 s`;
const SANDBOX = 'Failed to create pod sandbox: rpc error: code = Unknown desc = ';
const NO_RUNTIME = retry(`${SANDBOX}failed to get sandbox runtime: no runtime for "kata" is configured`);
const NO_ADDRESS = retry(`${SANDBOX}failed to allocate for range 0: no IP addresses available in range set: 10.9.0.1-10.9.0.2`);
const NO_MOUNT = retry(
  'MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: volume mode "Ephemeral" not supported by driver csi.fake.example (no CSIDriver object)',
);
const runtimeClass = (name: string, handler: string): string =>
  `{ apply: { apiVersion: node.orch.io/v1, kind: RuntimeClass, metadata: { name: ${name} }, handler: ${handler} } }`;
const CLAIM =
  '{ at: 5s, apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: fast, resources: { requests: { storage: 1Gi } } } } }';

/** A node with one address for pods, one runtime besides the usual one, and a driver that takes two seconds to attach. */
const run = () =>
  simulated(
    '{ nodes: [{ name: a, podCIDR: 10.9.0.0/30, runtimeHandlers: [gvisor] }], storageDrivers: [{ name: csi.fake.example, attachDelay: 2s, provisionDelay: 1s, storageClasses: [{ name: fast, volumeBindingMode: Immediate }] }] }',
    [
      runtimeClass('g', 'gvisor'),
      runtimeClass('k', 'kata'),
      podStep('1s', 'one', 'runtimeClassName: g'),
      podStep('2s', 'two', 'runtimeClassName: k'),
      podStep('3s', 'full'),
      CLAIM,
      podStep('5s', 'vol', 'hostNetwork: true, volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]'),
      podStep('6s', 'inline', 'hostNetwork: true, volumes: [{ name: v, csi: { driver: csi.fake.example } }]'),
      '{ at: 9s, delete: { kind: Pod, name: inline } }',
      '{ at: 9s, delete: { kind: Pod, name: two } }',
      '{ at: 10s, delete: { kind: Pod, name: one } }',
      '{ at: 20s, delete: { kind: Pod, name: vol } }',
    ],
    '25s',
  );

describe('a pod', () => {
  it('waits for its volumes, its runtime and its address, and is tried again', () => {
    expect(decisionsIn(run()).map((line) => line.replace(/pvc-[\da-f-]{36}/, 'pvc-UID'))).toEqual([
      '1s pod-runner one: its containers run and are ready',
      `2s pod-runner two: ${NO_RUNTIME}`,
      `3s pod-runner full: ${NO_ADDRESS}`,
      '5s pod-runner vol: read claim data from the API server',
      '5s pod-runner vol: waiting for its volumes to be attached',
      `6s pod-runner inline: ${NO_MOUNT}`,
      '7s pod-runner vol: read claim data from the API server',
      '7s pod-runner vol: read volume pvc-UID from the API server',
      '7s pod-runner vol: read from the API server what is attached to its node',
      '7s pod-runner vol: waiting for its volumes to be attached',
      '7s pod-runner a: 1 volume is in use on the node',
      '7s node-registration a: lease and status are up to date',
      '7s pod-runner vol: read from the API server what is attached to its node',
      '7s pod-runner vol: waiting for its volumes to be attached',
      '8.5s node-registration a: lease and status are up to date',
      '8.5s pod-runner vol: read from the API server what is attached to its node',
      '8.5s pod-runner vol: its containers run and are ready',
      '9s pod-runner inline: its containers never ran',
      '9s pod-runner inline: the pod is gone from this node',
      '9s pod-runner inline: its pod is gone, and its containers have stopped',
      '9s pod-runner a: status.volumesInUse of the node is up to date',
      '9s pod-runner two: its containers never ran',
      '9s pod-runner two: the pod is gone from this node',
      '9s pod-runner two: its pod is gone, and its containers have stopped',
      '9s pod-runner a: status.volumesInUse of the node is up to date',
      '10s pod-runner one: its containers were stopped (exit code 143)',
      '10s pod-runner one: the pod is gone from this node',
      '10s pod-runner one: its pod is gone, and its containers have stopped',
      '10s pod-runner a: status.volumesInUse of the node is up to date',
      '13s pod-runner full: its containers run and are ready',
      '20s pod-runner vol: its containers were stopped (exit code 143)',
      '20s pod-runner a: 0 volumes are in use on the node',
      '20s node-registration a: lease and status are up to date',
      '20s pod-runner vol: the pod is gone from this node',
      '20s pod-runner vol: its pod is gone, and its containers have stopped',
      '20s pod-runner a: status.volumesInUse of the node is up to date',
      '20s node-registration a: lease and status are up to date',
    ]);
  });

  it('is reported as being created until then', () => {
    const ran = run();
    expect(statusesOf(ran, 'full')).toEqual([
      [
        '3s',
        'Pending 192.168.0.10 BestEffort from 3s',
        'Initialized True from 3s',
        `Ready False from 3s ${UNREADY}`,
        `ContainersReady False from 3s ${UNREADY}`,
        'c: waiting ContainerCreating; unready, not started, 0 restarts; c:1 sim://c:1 no id',
      ],
      [
        '13s',
        'Running 192.168.0.10 10.9.0.2 10.9.0.2 BestEffort from 3s',
        'Initialized True from 3s',
        'Ready True from 13s',
        'ContainersReady True from 13s',
        'c: running from 13s; ready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
    ]);
    expect(statusesOf(ran, 'vol').slice(0, 2)).toEqual([
      [
        '5s',
        'Pending 192.168.0.10 192.168.0.10 192.168.0.10 BestEffort from 5s',
        'Initialized True from 5s',
        `Ready False from 5s ${UNREADY}`,
        `ContainersReady False from 5s ${UNREADY}`,
        'c: waiting ContainerCreating; unready, not started, 0 restarts; c:1 sim://c:1 no id',
      ],
      [
        '8.5s',
        'Running 192.168.0.10 192.168.0.10 192.168.0.10 BestEffort from 5s',
        'Initialized True from 5s',
        'Ready True from 8s',
        'ContainersReady True from 8s',
        'c: running from 8s; ready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
    ]);
  });
});

it('a volume of a pod itself needs a driver on its node, which its CSINode lists', () => {
  const ran = simulated(
    '{ nodes: [{ name: a }] }',
    [
      '{ apply: { apiVersion: storage.orch.io/v1, kind: CSIDriver, metadata: { name: csi.other.example }, spec: { volumeLifecycleModes: [Ephemeral] } } }',
      podStep('1s', 'early', 'volumes: [{ name: v, csi: { driver: csi.other.example } }]'),
      '{ at: 2s, apply: { apiVersion: storage.orch.io/v1, kind: CSINode, metadata: { name: a }, spec: { drivers: [{ name: csi.first.example, nodeID: a }, { name: csi.other.example, nodeID: a }] } } }',
      podStep('3s', 'late', 'volumes: [{ name: v, csi: { driver: csi.other.example } }]'),
      podStep('4s', 'never', 'volumes: [{ name: v, csi: { driver: csi.third.example } }]'),
    ],
    '5s',
  );
  const missing = (driver: string): string =>
    retry(
      `MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${driver} not found in the list of registered CSI drivers`,
    );
  expect(decisionsIn(ran)).toEqual([
    `1s pod-runner early: ${missing('csi.other.example')}`,
    '3s pod-runner late: its containers run and are ready',
    `4s pod-runner never: ${missing('csi.third.example')}`,
  ]);
});

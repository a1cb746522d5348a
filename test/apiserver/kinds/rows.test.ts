/** Whole rows of tables: of objects without anything, and of objects with all that a row shows. */
import { describe, expect, it } from 'vitest';
import { ago, registry, row } from './cells.ts';

const template = {
  spec: {
    nodeSelector: { b: '2', a: '1' },
    containers: [
      { name: 'c1', image: 'i1' },
      { name: 'c2', image: 'i2' },
    ],
  },
};
const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['x', 'y'] }] };
const deleted = { deletionTimestamp: ago(5) };
const BETA_CLASS = { annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } };
const owned = (apiVersion: string, controller = true) => ({
  ownerReferences: [{ apiVersion, kind: 'DaemonSet', name: 'd', uid: 'u', controller }],
});

const BARE = `
Job | x | 0/1 |  | 60m |  |  | <none>
Pod | x | 0/0 | Pending | 0 | 60m | <none> | <none> | <none> | <none>
Node | x | Unknown | <none> | 60m |  | <none> | <none> | <unknown> | <unknown> | <unknown>
Namespace | x | Active | 60m
Lease | x |  | 60m
Event | <unknown> |  |  |  |  |  |  | <unknown> | 1 | x
ControllerRevision | x | <none> | 0 | 60m
StatefulSet | x | 0/1 | 60m |  | 
Deployment | x | 0/1 | 0 | 0 | 60m |  |  | <none>
ReplicaSet | x | 1 | 0 | 0 | 60m |  |  | <none>
DaemonSet | x | 0 | 0 | 0 | 0 | 0 | <none> | 60m |  |  | <none>
CronJob | x |  | False | 0 | <none> | 60m |  |  | <none>
VolumeAttachment | x |  |  |  | false | 60m
CSIDriver | x | true | false | false | <unset> | false | Persistent | 60m
CSINode | x | 0 | 60m
CSIStorageCapacity | x | ${ago(3600)}
StorageClass | x |  | Delete | Immediate | false | 60m
RuntimeClass | x |  | 60m
PersistentVolume | x |  |  | Retain | Pending |  |  |  | 60m | Filesystem
PersistentVolumeClaim | x | Pending |  |  |  |  | 60m | Filesystem
Endpoints | x | <none> | 60m
EndpointSlice | x |  | <unset> | <unset> | 60m
Service | x | ClusterIP | <none> | <none> | <none> | 60m | <none>
ConfigMap | x | 0 | 60m
Secret | x | Opaque | 0 | 60m
ServiceAccount | x | 0 | 60m
ResourceQuota | x | 60m |  | 
LimitRange | x | ${ago(3600)}
PodDisruptionBudget | x | N/A | N/A | 0 | 60m
HorizontalPodAutoscaler | x | / | <unknown>/80% | 1 | 0 | 0 | 60m
Ingress | x | <none> | * |  | 80 | 60m
IngressClass | x |  | <none> | 60m
NetworkPolicy | x | <none> | 60m
APIService | x | Local | Unknown | 60m
PriorityClass | x | 0 | false | 60m
Role | x | ${ago(3600)}
ClusterRole | x | ${ago(3600)}
RoleBinding | x | / | 60m |  |  | 
ClusterRoleBinding | x | / | 60m |  |  | 
CertificateSigningRequest | x | 60m |  |  | <none> | Pending
CustomResourceDefinition | x | ${ago(3600)}
MutatingWebhookConfiguration | x | 0 | 60m
ValidatingWebhookConfiguration | x | 0 | 60m`;

it('an object of any kind without anything has a row', () => {
  const rows = registry.list().map(({ kind }) => `${kind} | ${row(kind, {}, { creationTimestamp: ago(3600) })}`);
  expect(rows).toEqual(BARE.trim().split('\n'));
});

describe('a row of', () => {
  it.each<[kind: string, parts: object, metadata: object, row: string]>([
    ['ConfigMap', { data: { a: '1', b: '2' }, binaryData: { c: '' } }, {}, 'x | 3 | 2m'],
    ['Secret', { type: 'a/b', data: { a: '', b: '' } }, {}, 'x | a/b | 2 | 2m'],
    ['ServiceAccount', { secrets: [{ name: 's' }, { name: 't' }] }, {}, 'x | 2 | 2m'],
    ['ControllerRevision', { revision: 7 }, owned('apps/v1'), 'x | daemonset.apps/d | 7 | 2m'],
    ['ControllerRevision', { revision: 8 }, owned('v1'), 'x | daemonset/d | 8 | 2m'],
    ['ControllerRevision', { revision: 9 }, owned('apps/v1', false), 'x | <none> | 9 | 2m'],
    ['Namespace', { status: { phase: 'Terminating' } }, {}, 'x | Terminating | 2m'],
    ['Lease', { spec: { holderIdentity: 'h' } }, {}, 'x | h | 2m'],
    [
      'PersistentVolume',
      {
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteOncePod', 'ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Delete',
          claimRef: { namespace: 'n', name: 'c' },
          storageClassName: 's',
          volumeMode: 'Block',
        },
        status: { phase: 'Failed', reason: 'Why' },
      },
      {},
      'x | 5Gi | RWO,ROX,RWX,RWOP | Delete | Failed | n/c | s | Why | 2m | Block',
    ],
    [
      'PersistentVolume',
      { spec: { storageClassName: 's' }, status: { phase: 'Bound' } },
      { ...deleted, ...BETA_CLASS },
      'x |  |  | Retain | Terminating |  | old |  | 2m | Filesystem',
    ],
    [
      'PersistentVolumeClaim',
      {
        spec: { volumeName: 'v', storageClassName: 's', volumeMode: 'Block', accessModes: ['ReadWriteOnce'] },
        status: { phase: 'Bound', capacity: { storage: '5Gi' }, accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] },
      },
      {},
      'x | Bound | v | 5Gi | RWO,ROX | s | 2m | Block',
    ],
    ['PersistentVolumeClaim', { spec: { volumeName: 'v' }, status: { phase: 'Lost' } }, {}, 'x | Lost | v | 0 |  |  | 2m | Filesystem'],
    [
      'PersistentVolumeClaim',
      { spec: { storageClassName: 's' }, status: { phase: 'Pending', capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'] } },
      { ...deleted, ...BETA_CLASS },
      'x | Terminating |  |  |  | old | 2m | Filesystem',
    ],
    [
      'VolumeAttachment',
      { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } }, status: { attached: true } },
      {},
      'x | a | v | n | true | 2m',
    ],
    [
      'CSIDriver',
      {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          storageCapacity: true,
          requiresRepublish: true,
          volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        },
      },
      {},
      'x | false | true | true | <unset> | true | Persistent,Ephemeral | 2m',
    ],
    [
      'CSINode',
      {
        spec: {
          drivers: [
            { name: 'a', nodeID: 'a' },
            { name: 'b', nodeID: 'b' },
          ],
        },
      },
      {},
      'x | 2 | 2m',
    ],
    [
      'StorageClass',
      { provisioner: 'p', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer', allowVolumeExpansion: true },
      {},
      'x | p | Retain | WaitForFirstConsumer | true | 2m',
    ],
    ['RuntimeClass', { handler: 'h' }, {}, 'x | h | 2m'],
    ['PriorityClass', { value: -5, globalDefault: true }, {}, 'x | -5 | true | 2m'],
    [
      'PodDisruptionBudget',
      { spec: { minAvailable: 0, maxUnavailable: '10%' }, status: { disruptionsAllowed: 3 } },
      {},
      'x | 0 | 10% | 3 | 2m',
    ],
    ['APIService', { spec: { service: { namespace: 'n', name: 's' } } }, {}, 'x | n/s | Unknown | 2m'],
    ['NetworkPolicy', { spec: { podSelector: selector } }, {}, 'x | app=web,tier in (x,y) | 2m'],
    [
      'EndpointSlice',
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1', '10.0.0.2'] }, { addresses: ['10.0.0.3'] }, { addresses: ['10.0.0.4'] }],
        ports: [{ port: 80 }, {}, { port: 443, name: 'a' }],
      },
      {},
      'x | IPv4 | 80,,443 | 10.0.0.1,10.0.0.2,10.0.0.3 + 1 more... | 2m',
    ],
    [
      'CronJob',
      {
        spec: { schedule: '* * * * *', suspend: true, jobTemplate: { spec: { template, selector } } },
        status: { active: [{ name: 'a' }, { name: 'b' }], lastScheduleTime: ago(90) },
      },
      {},
      'x | * * * * * | True | 2 | 90s | 2m | c1,c2 | i1,i2 | app=web,tier in (x,y)',
    ],
    [
      'DaemonSet',
      {
        spec: { template, selector },
        status: { desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2, numberAvailable: 1 },
      },
      {},
      'x | 5 | 4 | 3 | 2 | 1 | a=1,b=2 | 2m | c1,c2 | i1,i2 | app=web,tier in (x,y)',
    ],
    [
      'Deployment',
      { spec: { replicas: 4, template, selector }, status: { readyReplicas: 3, updatedReplicas: 2, availableReplicas: 1 } },
      {},
      'x | 3/4 | 2 | 1 | 2m | c1,c2 | i1,i2 | app=web,tier in (x,y)',
    ],
    [
      'ReplicaSet',
      { spec: { replicas: 4, template, selector }, status: { replicas: 3, readyReplicas: 2 } },
      {},
      'x | 4 | 3 | 2 | 2m | c1,c2 | i1,i2 | app=web,tier in (x,y)',
    ],
    ['StatefulSet', { spec: { replicas: 4, template, selector }, status: { readyReplicas: 2 } }, {}, 'x | 2/4 | 2m | c1,c2 | i1,i2'],
    [
      'Job',
      {
        spec: { completions: 3, parallelism: 2, template, selector },
        status: { succeeded: 3, startTime: ago(100), completionTime: ago(40) },
      },
      {},
      'x | 3/3 | 60s | 2m | c1,c2 | i1,i2 | app=web,tier in (x,y)',
    ],
    ['Job', { spec: { parallelism: 2 }, status: { succeeded: 1, startTime: ago(100) } }, {}, 'x | 1/1 of 2 | 100s | 2m |  |  | <none>'],
    ['Job', { spec: { parallelism: 1 }, status: {} }, {}, 'x | 0/1 |  | 2m |  |  | <none>'],
    [
      'Node',
      {
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: 'Ready', status: 'False' }],
          addresses: [
            { type: 'Hostname', address: 'h' },
            { type: 'InternalIP', address: '10.0.0.1' },
            { type: 'InternalIP', address: '10.0.0.2' },
            { type: 'ExternalIP', address: '1.2.3.4' },
          ],
          nodeInfo: { kubeletVersion: 'v1', osImage: 'os', kernelVersion: 'k', containerRuntimeVersion: 'r' },
        },
      },
      {
        labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/role': 'old', a: 'b' },
      },
      'x | NotReady,SchedulingDisabled | control-plane,old,worker | 2m | v1 | 10.0.0.1 | 1.2.3.4 | os | k | r',
    ],
    [
      'Pod',
      {
        spec: {
          nodeName: 'n',
          containers: [{ name: 'a' }, { name: 'b' }],
          readinessGates: [{ conditionType: 'g/1' }, { conditionType: 'g/2' }],
        },
        status: {
          phase: 'Running',
          podIP: '10.0.0.1',
          podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
          nominatedNodeName: 'm',
          conditions: [
            { type: 'g/1', status: 'True' },
            { type: 'g/2', status: 'False' },
          ],
          containerStatuses: [
            {
              name: 'a',
              ready: true,
              restartCount: 2,
              image: '',
              imageID: '',
              state: { running: {} },
              lastState: { terminated: { exitCode: 1, finishedAt: ago(61) } },
            },
            { name: 'b', ready: false, restartCount: 1, image: '', imageID: '', state: { waiting: { reason: 'CrashLoopBackOff' } } },
          ],
        },
      },
      {},
      'x | 1/2 | CrashLoopBackOff | 3 (61s ago) | 2m | 10.0.0.1 | n | m | 1/2',
    ],
  ])('%s %j', (kind, parts, metadata, expected) => expect(row(kind, parts, { creationTimestamp: ago(120), ...metadata })).toBe(expected));
});

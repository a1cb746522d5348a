/** One valid object of every kind there is, filled well enough that its rules have something to look at. */
import type { Kind, Names, ObjectInput } from '../../src/cluster/api/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const labels = { app: 'web' };
const template = {
  metadata: { labels },
  spec: {
    restartPolicy: 'Always',
    containers: [{ name: 'c', image: 'sim:1', ports: [{ name: 'http', containerPort: 80 }], env: [{ name: 'A', value: '1' }], resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } } }],
    tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    nodeSelector: { zone: 'a' },
  },
};
const jobSpec = { parallelism: 2, completions: 4, backoffLimit: 3, completionMode: 'Indexed', template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } };
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
const subjects = [{ kind: 'ServiceAccount', name: 'builder', namespace: 'default' }];

/** What each kind holds besides its metadata. */
const content = (group: (prefix: string) => string): Readonly<Record<string, Fields>> => ({
  Job: { spec: jobSpec },
  Pod: { spec: template.spec },
  Node: { spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] }, status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] } },
  Namespace: {},
  Lease: { spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2024-03-01T00:00:00.000000Z' } },
  Event: { involvedObject: { kind: 'Pod', name: 'x', namespace: 'default' }, reason: 'Started', message: 'started', type: 'Normal', count: 1 },
  ControllerRevision: { revision: 1, data: { spec: { a: 1 } } },
  StatefulSet: { spec: { serviceName: 's', replicas: 2, selector: { matchLabels: labels }, template, volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }] } },
  CronJob: { spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec: jobSpec } } },
  VolumeAttachment: { spec: { attacher: 'disk.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
  CSIDriver: { spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'], tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] } },
  CSINode: { spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] } },
  CSIStorageCapacity: { storageClassName: 'fast', nodeTopology: { matchLabels: { zone: 'a' } }, capacity: '10Gi' },
  StorageClass: { provisioner: 'disk.example.com', parameters: { a: 'b' }, allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }] },
  RuntimeClass: { handler: 'h', overhead: { podFixed: { cpu: '10m' } }, scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] } },
  PersistentVolume: { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'disk.example.com', volumeHandle: 'h' } } },
  PersistentVolumeClaim: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, selector: { matchLabels: labels } } },
  Endpoints: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }] },
  EndpointSlice: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] },
  Service: { spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } },
  ConfigMap: { data: { a: 'b' }, binaryData: { c: 'AAEC' } },
  Secret: { type: 'Opaque', data: { a: 'AAEC' }, stringData: { b: 'c' } },
  ServiceAccount: { secrets: [{ name: 's' }], automountServiceAccountToken: true },
  ResourceQuota: { spec: { hard: { pods: '100', 'requests.cpu': '10' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } } },
  LimitRange: { spec: { limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' }, max: { cpu: '2' } }] } },
  PodDisruptionBudget: { spec: { minAvailable: '50%', selector: { matchLabels: labels } } },
  Ingress: { spec: { rules: [{ host: 'a.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] } }], tls: [{ hosts: ['a.example.com'], secretName: 't' }] } },
  IngressClass: { spec: { controller: 'example.com/c' } },
  NetworkPolicy: { spec: { podSelector: { matchLabels: labels }, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, protocol: 'TCP' }] }], policyTypes: ['Ingress'] } },
  APIService: { spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, service: { name: 's', namespace: 'default', port: 443 } } },
  PriorityClass: { value: 1000, description: 'd' },
  Role: { rules },
  ClusterRole: { rules },
  RoleBinding: { roleRef: { apiGroup: group('rbac.authorization'), kind: 'Role', name: 'r' }, subjects },
  ClusterRoleBinding: { roleRef: { apiGroup: group('rbac.authorization'), kind: 'ClusterRole', name: 'r' }, subjects },
});

/** A body to create an object of a kind with. */
export function oneOf({ kind, version, groupPrefix, namespaced }: Kind, names: Names): ObjectInput {
  const fields = content(names.group)[kind];
  if (fields === undefined) throw new Error(`no example of ${kind}; give one in test/support/one-of-each.ts`);
  const group = names.group(groupPrefix);
  const name = kind === 'APIService' ? 'v1.example.com' : 'x';
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name, ...(namespaced ? { namespace: 'default' } : {}), labels, annotations: { note: 'n' } }, ...fields };
}

/** The same under a name the server makes up; a kind whose names follow from its content gets another content. */
export function renamed(body: ObjectInput): ObjectInput {
  if (body.kind === 'APIService') return { ...body, metadata: { ...body.metadata, name: 'v2.example.com' }, spec: { ...body['spec'] as Fields, version: 'v2' } };
  const { name: _, ...metadata } = body.metadata ?? {};
  return { ...body, metadata: { ...metadata, generateName: 'y-' } };
}

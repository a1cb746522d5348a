/**
 * A violating and a conforming object for each rule that refuses writes. `status`: the part is written as the status of an existing object.
 * `before`: the existing objects.
 */
type Fields = Readonly<Record<string, unknown>>;

export interface RuleExample {
  readonly kind: string;
  /** The fields of an object that violates the rule, and of the most similar one that does not. */
  readonly refused: Fields;
  readonly accepted: Fields;
  /** The fields in the refusal. */
  readonly names: readonly string[];
  /** The base object of a status update: the object without the status. */
  readonly status?: Fields;
  readonly before?: readonly Fields[];
}

const template = (more: Fields = {}): Fields => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'c:1', ...more }] },
});
const jobTemplate = { metadata: {}, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] } };
const set = (more: Fields = {}, pod: Fields = {}): Fields => ({
  spec: { serviceName: 'web', selector: { matchLabels: { app: 'a' } }, template: template(pod), ...more },
});
const web = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { clusterIP: 'None' } };
const shop = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'shop', namespace: 'default' },
  spec: {
    ports: [
      { name: 'a', port: 80 },
      { name: 'b', port: 443 },
    ],
  },
};
const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
const slice = (endpoint: Fields, more: Fields = {}): Fields => ({ addressType: 'IPv4', endpoints: [endpoint], ...more });
const ports = (count: number): Fields => ({
  addressType: 'IPv4',
  endpoints: [],
  ports: Array.from({ length: count }, (_, at) => ({ name: `p${at}`, port: at + 1 })),
});
const points = (...ports: readonly Fields[]): Fields => ({ status: { loadBalancer: { ingress: [{ ip: '10.1.0.1', ports }] } } });
const conditions = (...all: readonly Fields[]): Fields => ({ status: { conditions: all } });
/** A condition with another one of the same type, and with one of another type. */
const twice = (condition: Fields, more: Fields = {}): Pick<RuleExample, 'names' | 'refused' | 'accepted'> => ({
  names: ['status.conditions[1].type'],
  refused: { status: { ...more, conditions: [condition, condition] } },
  accepted: { status: { ...more, conditions: [condition] } },
});
const CERTIFICATE = btoa(`-----BEGIN CERTIFICATE-----\n${btoa('0\u0003\u0002\u0001\u0001')}\n-----END CERTIFICATE-----\n`);
const apiService = (caBundle: string): Fields => ({
  metadata: { name: 'v1.g' },
  spec: { group: 'g', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, service: { name: 's', namespace: 'n' }, caBundle },
});
const INFO = {
  architecture: 'a',
  bootID: 'b',
  containerRuntimeVersion: 'c',
  kernelVersion: 'd',
  machineID: 'e',
  operatingSystem: 'f',
  osImage: 'g',
  systemUUID: 'h',
  agentVersion: 'i',
  orchProxyVersion: 'j',
  kubeletVersion: 'i',
  kubeProxyVersion: 'j',
};
const { bootID: _, ...INFO_LACKING } = INFO;
const at = '2026-01-01T00:00:00Z';
const policyCondition = { type: 'Accepted', status: 'True', reason: 'Fine', message: '', lastTransitionTime: at };
const { message: _message, ...withoutMessage } = policyCondition;
const ingress = { spec: { defaultBackend: { service: { name: 'shop', port: { number: 80 } } } } };

export const EXAMPLES: Readonly<Record<string, RuleExample>> = {
  'api-service/ca-bundle-is-pem': {
    kind: 'APIService',
    refused: apiService(btoa('no certificate')),
    accepted: apiService(CERTIFICATE),
    names: ['spec.caBundle'],
  },
  'api-service/condition-states': {
    kind: 'APIService',
    status: apiService(''),
    names: ['status.conditions[0].type'],
    refused: conditions({ type: '', status: 'True' }),
    accepted: conditions({ type: 'Available', status: 'True' }),
  },
  'api-service/one-condition-of-a-type': {
    kind: 'APIService',
    status: apiService(''),
    ...twice({ type: 'Available', status: 'True' }),
  },
  'job/one-condition-of-a-type': {
    kind: 'Job',
    status: { spec: { template: jobTemplate } },
    ...twice({ type: 'Suspended', status: 'True' }),
  },
  'node/one-condition-of-a-type': { kind: 'Node', status: {}, ...twice({ type: 'Ready', status: 'True' }) },
  'stateful-set/one-condition-of-a-type': {
    kind: 'StatefulSet',
    before: [web],
    status: set(),
    ...twice({ type: 'Stuck', status: 'True' }, { replicas: 0 }),
  },
  'storage-class/reclaim-policy-is-one': {
    kind: 'StorageClass',
    names: ['reclaimPolicy'],
    refused: { provisioner: 'p', reclaimPolicy: '' },
    accepted: { provisioner: 'p' },
  },
  'api-service/condition-reasons': {
    kind: 'APIService',
    status: apiService(''),
    names: ['status.conditions[0].reason'],
    refused: conditions({ type: 'Available', status: 'True', reason: 'it works' }),
    accepted: conditions({ type: 'Available', status: 'True', reason: 'ItWorks' }),
  },
  'cluster-role/star-is-the-last-step': {
    kind: 'ClusterRole',
    names: ['rules[0].nonResourceURLs[1]', 'rules[0].nonResourceURLs[2]'],
    refused: { rules: [{ verbs: ['get'], nonResourceURLs: ['/a/*', '/b*', '/*/c'] }] },
    accepted: { rules: [{ verbs: ['get'], nonResourceURLs: ['/a/*', '/b', '*'] }] },
  },
  'cron-job/deadline-is-positive': {
    kind: 'CronJob',
    names: ['spec.jobTemplate.spec.activeDeadlineSeconds'],
    refused: { spec: { schedule: '* * * * *', jobTemplate: { spec: { activeDeadlineSeconds: 0, template: jobTemplate } } } },
    accepted: { spec: { schedule: '* * * * *', jobTemplate: { spec: { activeDeadlineSeconds: 1, template: jobTemplate } } } },
  },
  'csi-driver/name-length': {
    kind: 'CSIDriver',
    names: ['metadata.name'],
    refused: { metadata: { name: 'd'.repeat(64) }, spec: {} },
    accepted: { metadata: { name: 'd'.repeat(63) }, spec: {} },
  },
  'csi-driver/spec-is-there': { kind: 'CSIDriver', refused: {}, accepted: { spec: {} }, names: ['spec'] },
  'csi-driver/audiences-are-named': {
    kind: 'CSIDriver',
    names: ['spec.tokenRequests[1].audience'],
    refused: { spec: { tokenRequests: [{ audience: 'a' }, { expirationSeconds: 600 }] } },
    accepted: { spec: { tokenRequests: [{ audience: 'a' }, { audience: '', expirationSeconds: 600 }] } },
  },
  'csi-driver/modes-are-a-set': {
    kind: 'CSIDriver',
    names: ['spec.volumeLifecycleModes[1]'],
    refused: { spec: { volumeLifecycleModes: ['Persistent', 'Persistent'] } },
    accepted: { spec: { volumeLifecycleModes: ['Persistent', 'Ephemeral'] } },
  },
  'csi-node/drivers-are-there': {
    kind: 'CSINode',
    names: ['spec.drivers'],
    refused: { spec: { drivers: null } },
    accepted: { spec: { drivers: [] } },
  },
  'endpoint-slice/endpoints-are-there': {
    kind: 'EndpointSlice',
    refused: { addressType: 'IPv4', endpoints: null },
    accepted: { addressType: 'IPv4', endpoints: [] },
    names: ['endpoints'],
  },
  'endpoint-slice/endpoints-are-unique': {
    kind: 'EndpointSlice',
    names: ['endpoints[1]'],
    refused: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.1'] }] },
    accepted: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }] },
  },
  'endpoint-slice/addresses-are-unique': {
    kind: 'EndpointSlice',
    names: ['endpoints[0].addresses[1]'],
    refused: slice({ addresses: ['10.0.0.1', '10.0.0.1'] }),
    accepted: slice({ addresses: ['10.0.0.1', '10.0.0.2'] }),
  },
  'endpoint-slice/zones-have-names': {
    kind: 'EndpointSlice',
    names: ['endpoints[0].hints.forZones[0].name'],
    refused: slice({ addresses: ['10.0.0.1'], hints: { forZones: [{ name: '' }] } }),
    accepted: slice({ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'a' }] } }),
  },
  'endpoint-slice/ending-is-not-ready': {
    kind: 'EndpointSlice',
    names: ['endpoints[0].conditions.ready'],
    refused: slice({ addresses: ['10.0.0.1'], conditions: { ready: true, terminating: true } }),
    accepted: slice({ addresses: ['10.0.0.1'], conditions: { ready: false, serving: true, terminating: true } }),
  },
  'endpoint-slice/hundred-ports': { kind: 'EndpointSlice', refused: ports(101), accepted: ports(100), names: ['ports'] },
  'endpoints/app-protocols-are-service-names': {
    kind: 'Endpoints',
    names: ['subsets[0].ports[1].appProtocol'],
    refused: {
      subsets: [
        {
          addresses: [{ ip: '10.0.0.1' }],
          ports: [
            { name: 'a', port: 1, appProtocol: 'http' },
            { name: 'b', port: 2, appProtocol: 'my_protocol' },
          ],
        },
      ],
    },
    accepted: {
      subsets: [
        {
          addresses: [{ ip: '10.0.0.1' }],
          ports: [
            { name: 'a', port: 1, appProtocol: 'http' },
            { name: 'b', port: 2, appProtocol: 'example.com/my_protocol' },
          ],
        },
      ],
    },
  },
  'endpoint-slice/app-protocols-are-service-names': {
    kind: 'EndpointSlice',
    names: ['ports[0].appProtocol'],
    refused: { addressType: 'IPv4', endpoints: [], ports: [{ port: 1, appProtocol: 'longer-than-fifteen' }] },
    accepted: { addressType: 'IPv4', endpoints: [], ports: [{ port: 1, appProtocol: 'https' }] },
  },
  'service/app-protocols-are-service-names': {
    kind: 'Service',
    names: ['spec.ports[0].appProtocol'],
    refused: { spec: { ports: [{ port: 80, appProtocol: '8080' }] } },
    accepted: { spec: { ports: [{ port: 80, appProtocol: 'h2c' }] } },
  },
  'endpoints/ready-or-not': {
    kind: 'Endpoints',
    names: ['subsets[0].notReadyAddresses[1].ip'],
    refused: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }, { ip: '10.0.0.1' }] }] },
    accepted: {
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }] }, { notReadyAddresses: [{ ip: '10.0.0.1' }] }],
    },
  },
  'ingress/port-protocols': {
    kind: 'Ingress',
    status: ingress,
    names: [
      'status.loadBalancer.ingress[0].ports[0].port',
      'status.loadBalancer.ingress[0].ports[0].protocol',
      'status.loadBalancer.ingress[0].ports[1].protocol',
    ],
    refused: points({}, { port: 81, protocol: 'tcp' }),
    accepted: points({ port: 80, protocol: 'TCP' }, { port: 81, protocol: 'SCTP' }),
  },
  'ingress/port-errors': {
    kind: 'Ingress',
    status: ingress,
    names: ['status.loadBalancer.ingress[0].ports[0].error'],
    refused: points({ port: 80, protocol: 'TCP', error: 'no quota' }),
    accepted: points({ port: 80, protocol: 'TCP', error: 'example.com/NoQuota' }),
  },
  'ingress/every-port-has-an-entry': {
    kind: 'Ingress',
    status: ingress,
    before: [shop],
    names: ['status.loadBalancer.ingress[0].ports'],
    refused: points({ port: 80, protocol: 'TCP' }),
    accepted: points({ port: 80, protocol: 'TCP' }, { port: 443, protocol: 'TCP' }),
  },
  'job/deadline-is-positive': {
    kind: 'Job',
    names: ['spec.activeDeadlineSeconds'],
    refused: { spec: { activeDeadlineSeconds: 0, template: jobTemplate } },
    accepted: { spec: { activeDeadlineSeconds: 1, template: jobTemplate } },
  },
  'job/condition-states': {
    kind: 'Job',
    status: { spec: { template: jobTemplate } },
    names: ['status.conditions[0].type', 'status.conditions[1].status'],
    refused: conditions({ type: 'Done', status: 'True' }, { type: 'Failed', status: 'true' }),
    accepted: conditions({ type: 'Suspended', status: 'False' }, { type: 'Failed', status: 'Unknown' }),
  },
  'job/completion-time-means-success': {
    kind: 'Job',
    status: { spec: { template: jobTemplate } },
    names: ['status.completionTime'],
    refused: { status: { completionTime: at, conditions: [{ type: 'Failed', status: 'True' }] } },
    accepted: { status: { completionTime: at, conditions: [{ type: 'Complete', status: 'True' }] } },
  },
  'job/completed-indexes-format': {
    kind: 'Job',
    status: { spec: { template: jobTemplate } },
    names: ['status.completedIndexes'],
    refused: { status: { completedIndexes: '1,2,3,5' } },
    accepted: { status: { completedIndexes: '1-3,5,6' } },
  },
  'network-policy/pod-selector-is-there': {
    kind: 'NetworkPolicy',
    refused: { spec: { ingress: [] } },
    accepted: { spec: { podSelector: {} } },
    names: ['spec.podSelector'],
  },
  'network-policy/condition-types': {
    kind: 'NetworkPolicy',
    status: { spec: { podSelector: {} } },
    names: ['status.conditions[0].type'],
    refused: conditions({ ...policyCondition, type: 'is-accepted' }),
    accepted: conditions({ ...policyCondition, type: 'example.com/Accepted' }),
  },
  'network-policy/condition-messages': {
    kind: 'NetworkPolicy',
    status: { spec: { podSelector: {} } },
    names: ['status.conditions[0].message'],
    refused: conditions(withoutMessage),
    accepted: conditions(policyCondition),
  },
  'network-policy/condition-reasons': {
    kind: 'NetworkPolicy',
    status: { spec: { podSelector: {} } },
    names: ['status.conditions[0].reason'],
    refused: conditions({ ...policyCondition, reason: 'it_is' }),
    accepted: conditions({ ...policyCondition, reason: 'ItIs' }),
  },
  'node/agent-port-is-told': {
    kind: 'Node',
    status: {},
    names: ['status.daemonEndpoints.agentEndpoint.Port'],
    refused: { status: { daemonEndpoints: { agentEndpoint: {} }, phase: 'Running' } },
    accepted: { status: { daemonEndpoints: { agentEndpoint: { Port: 0 } }, phase: 'Running' } },
  },
  'node/provider-id-format': {
    kind: 'Node',
    refused: { spec: { providerID: 'machine-7' } },
    accepted: { spec: { providerID: 'cloud://zone-a/machine-7' } },
    names: ['spec.providerID'],
  },
  'node/time-added-for-no-execute': {
    kind: 'Node',
    names: ['spec.taints[0].timeAdded'],
    refused: { spec: { taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: at }] } },
    accepted: { spec: { taints: [{ key: 'k', effect: 'NoExecute', timeAdded: at }] } },
  },
  'node/addresses': {
    kind: 'Node',
    names: ['status.addresses[0].type', 'status.addresses[1].address'],
    refused: {
      status: {
        addresses: [
          { type: 'InternalDNS', address: 'a' },
          { type: 'Hostname', address: '' },
        ],
      },
    },
    accepted: {
      status: {
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'Hostname', address: 'n' },
        ],
      },
    },
  },
  'node/condition-states': {
    kind: 'Node',
    names: ['status.conditions[0].status'],
    refused: conditions({ type: 'Ready', status: 'yes' }),
    accepted: conditions({ type: 'Ready', status: 'Unknown' }),
  },
  'node/info-is-whole': {
    kind: 'Node',
    refused: { status: { nodeInfo: INFO_LACKING } },
    accepted: { status: { nodeInfo: INFO } },
    names: ['status.nodeInfo.bootID'],
  },
  'node/attached-volumes': {
    kind: 'Node',
    names: ['status.volumesAttached[0].devicePath'],
    refused: { status: { volumesAttached: [{ name: 'v' }] } },
    accepted: { status: { volumesAttached: [{ name: 'v', devicePath: '' }] } },
  },
  'stateful-set/replicas-are-counted': {
    kind: 'StatefulSet',
    status: set(),
    before: [web],
    names: ['status.replicas'],
    refused: { status: { observedGeneration: 1 } },
    accepted: { status: { replicas: 0, observedGeneration: 1 } },
  },
  'volume-attachment/attached-or-not': {
    kind: 'VolumeAttachment',
    status: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
    names: ['status.attached'],
    refused: { status: {} },
    accepted: { status: { attached: false } },
  },
  'stateful-set/service-is-named': {
    kind: 'StatefulSet',
    before: [web],
    refused: set({ serviceName: undefined }),
    accepted: set(),
    names: ['spec.serviceName'],
  },
  'stateful-set/service-comes-first': {
    kind: 'StatefulSet',
    before: [web],
    refused: set({ serviceName: 'wed' }),
    accepted: set(),
    names: ['spec.serviceName'],
  },
  'stateful-set/claims-are-mounted': {
    kind: 'StatefulSet',
    before: [web],
    names: ['spec.volumeClaimTemplates[0]'],
    refused: set({ volumeClaimTemplates: [claim] }),
    accepted: set({ volumeClaimTemplates: [claim] }, { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
  },
  'stateful-set/condition-states': {
    kind: 'StatefulSet',
    before: [web],
    status: set(),
    names: ['status.conditions[0].status'],
    refused: { status: { replicas: 0, conditions: [{ type: 'Stuck', status: '' }] } },
    accepted: { status: { replicas: 0, conditions: [{ type: 'Stuck', status: 'True' }] } },
  },
};

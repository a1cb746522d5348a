/**
 * Every member that the tables of resource-api.md call required (`(req)`), on every kind: left out, and null, a write is refused, whether
 * it creates, replaces or patches.
 */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiRequest, envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';

type Fields = Readonly<Record<string, unknown>>;

const kinds = kindsFor(namesFor('orch.io'));
const at = '2026-01-01T00:00:00Z';
const labels = { app: 'a' };
const pod = { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] } };
const always = { ...pod, spec: { containers: pod.spec.containers } };
const condition = { type: 'Ready', status: 'True' };
const web = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec: { clusterIP: 'None' } };
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
};
const source = { configMap: { name: 'c', namespace: 'default', agentConfigKey: 'k' } };
const settled = { configMap: { ...source.configMap, resourceVersion: '1', uid: 'u' } };
const set = { spec: { serviceName: 'web', selector: { matchLabels: labels }, template: always } };
const service = {
  metadata: { name: 'v1.g' },
  spec: { group: 'g', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, service: { name: 's', namespace: 'n' } },
};
const backend = { service: { name: 's', port: { number: 80 } } };
const attachment = { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } };

interface Table {
  readonly kind: string;
  readonly object: Fields;
  readonly members: readonly string[];
  /** With one, the members are those of a status, which is written over the object. */
  readonly status?: Fields;
}

const TABLES: readonly Table[] = [
  { kind: 'Role', object: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }, members: ['rules.0.verbs'] },
  { kind: 'ClusterRole', object: { rules: [{ nonResourceURLs: ['/a'], verbs: ['get'] }] }, members: ['rules.0.verbs'] },
  {
    kind: 'Endpoints',
    object: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [{ port: 1 }] }] },
    members: ['subsets.0.addresses.0.ip', 'subsets.0.notReadyAddresses.0.ip', 'subsets.0.ports.0.port'],
  },
  {
    kind: 'EndpointSlice',
    object: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'z' }] } }] },
    members: ['addressType', 'endpoints', 'endpoints.0.addresses', 'endpoints.0.hints.forZones.0.name'],
  },
  {
    kind: 'Ingress',
    object: { spec: { rules: [{ host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] } },
    members: [
      'spec.rules.0.http.paths',
      ...['backend', 'pathType', 'path', 'backend.service.name', 'backend.service.port'].map((name) => `spec.rules.0.http.paths.0.${name}`),
    ],
  },
  {
    kind: 'Ingress',
    object: { spec: { defaultBackend: backend } },
    status: { loadBalancer: { ingress: [{ ip: '10.0.0.1', ports: [{ port: 1, protocol: 'TCP' }] }] } },
    members: ['loadBalancer.ingress.0.ports.0.port', 'loadBalancer.ingress.0.ports.0.protocol'],
  },
  { kind: 'APIService', object: service, members: ['spec.groupPriorityMinimum', 'spec.versionPriority'] },
  { kind: 'APIService', object: service, status: { conditions: [condition] }, members: ['conditions.0.type', 'conditions.0.status'] },
  {
    kind: 'NetworkPolicy',
    object: {
      spec: {
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
        egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
        policyTypes: ['Ingress', 'Egress'],
      },
    },
    members: ['spec.podSelector', 'spec.ingress.0.from.0.ipBlock.cidr', 'spec.egress.0.to.0.ipBlock.cidr'],
  },
  {
    kind: 'NetworkPolicy',
    object: { spec: { podSelector: {} } },
    status: { conditions: [{ ...condition, reason: 'Fine', message: '', lastTransitionTime: at }] },
    members: ['lastTransitionTime', 'message', 'reason', 'status', 'type'].map((name) => `conditions.0.${name}`),
  },
  { kind: 'StatefulSet', object: set, members: ['spec.serviceName', 'spec.selector', 'spec.template'] },
  {
    kind: 'StatefulSet',
    object: set,
    status: { replicas: 0, conditions: [condition] },
    members: ['replicas', 'conditions.0.type', 'conditions.0.status'],
  },
  {
    kind: 'Job',
    object: { spec: { template: pod } },
    status: { conditions: [{ type: 'Suspended', status: 'True' }] },
    members: ['conditions.0.type', 'conditions.0.status'],
  },
  {
    kind: 'CronJob',
    object: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: pod } } } },
    members: ['spec.jobTemplate', 'spec.schedule'],
  },
  { kind: 'VolumeAttachment', object: attachment, members: ['spec.attacher', 'spec.nodeName', 'spec.source'] },
  { kind: 'VolumeAttachment', object: attachment, status: { attached: true }, members: ['attached'] },
  { kind: 'CSIDriver', object: { spec: { tokenRequests: [{ audience: 'a' }] } }, members: ['spec', 'spec.tokenRequests.0.audience'] },
  {
    kind: 'CSINode',
    object: { spec: { drivers: [{ name: 'd', nodeID: 'n' }] } },
    members: ['spec', 'spec.drivers', 'spec.drivers.0.name', 'spec.drivers.0.nodeID'],
  },
  { kind: 'CSIStorageCapacity', object: { storageClassName: 's' }, members: ['storageClassName'] },
  {
    kind: 'StorageClass',
    object: { provisioner: 'p', allowedTopologies: [{ matchLabelExpressions: [{ key: 'k', values: ['v'] }] }] },
    members: ['provisioner', 'allowedTopologies.0.matchLabelExpressions.0.key', 'allowedTopologies.0.matchLabelExpressions.0.values'],
  },
  { kind: 'RuntimeClass', object: { handler: 'h' }, members: ['handler'] },
  {
    kind: 'Node',
    object: { spec: { configSource: source, taints: [{ key: 'k', effect: 'NoExecute' }] } },
    members: [
      'spec.configSource.configMap',
      ...['agentConfigKey', 'name', 'namespace'].map((name) => `spec.configSource.configMap.${name}`),
      'spec.taints.0.effect',
      'spec.taints.0.key',
    ],
  },
  {
    kind: 'Node',
    object: {},
    status: {
      addresses: [{ type: 'Hostname', address: 'a' }],
      conditions: [condition],
      config: { active: settled, assigned: settled, lastKnownGood: settled },
      daemonEndpoints: { agentEndpoint: { Port: 1 } },
      nodeInfo: INFO,
      volumesAttached: [{ name: 'v', devicePath: '' }],
    },
    members: [
      'addresses.0.address',
      'addresses.0.type',
      'conditions.0.status',
      'conditions.0.type',
      'daemonEndpoints.agentEndpoint.Port',
      ...Object.keys(INFO).map((name) => `nodeInfo.${name}`),
      'volumesAttached.0.devicePath',
      'volumesAttached.0.name',
      ...['active', 'assigned', 'lastKnownGood'].flatMap((which) =>
        ['agentConfigKey', 'name', 'namespace', 'resourceVersion', 'uid'].map((name) => `config.${which}.configMap.${name}`),
      ),
    ],
  },
];

/** The value with the member at a way left out, or null. */
function without(value: unknown, [step = '', ...rest]: readonly string[], as: 'absent' | 'null'): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, i) => (String(i) === step ? without(item, rest, as) : item));
  const { [step]: member, ...others } = value as Fields;
  if (rest.length > 0) return { ...others, [step]: without(member, rest, as) };
  return as === 'null' ? { ...others, [step]: null } : others;
}

const cases = TABLES.flatMap((table) =>
  table.members.flatMap((member) =>
    (['absent', 'null'] as const).map(
      (as) => [`${table.kind} ${table.status === undefined ? '' : 'status.'}${member}`, as, table, member.split('.')] as const,
    ),
  ),
);

describe('a required member', () => {
  it.each(cases)('%s: %s', (_, as, { kind, object, status }, way) => {
    const { server, ok } = setup('orch.io', { NetworkPolicyStatus: true, DynamicKubeletConfig: true });
    ok({ verb: 'create', kind: 'Service', namespace: 'default', body: web as unknown as ApiObject });
    const found = kinds.byKind(kind);
    if (found === undefined) throw new Error(kind);
    const place = found.namespaced ? { kind, namespace: 'default' } : { kind };
    const bodyOf = ({ metadata = {}, ...rest }: Fields): ApiObject =>
      ({ apiVersion: kinds.apiVersionOf(found), kind, metadata: { name: 'x', ...(metadata as object) }, ...rest }) as unknown as ApiObject;
    const send = (request: ApiRequest) => server.handle(envelopeOf('client', request));
    const refusals: (readonly [string, boolean, number])[] = [];
    if (status === undefined) {
      const made = send({ verb: 'create', ...place, body: bodyOf(without(object, way, as) as Fields) });
      refusals.push(['create', made.ok, made.code]);
    }
    const stored = ok({ verb: 'create', ...place, body: bodyOf(object) });
    const { name } = stored.metadata;
    const sub = status === undefined ? {} : { subresource: 'status' as const };
    const full = status === undefined ? object : { status };
    const lacking = status === undefined ? (without(object, way, as) as Fields) : { status: without(status, way, as) };
    const { metadata } = ok({ verb: 'get', ...place, name });
    // The neighbour that lacks nothing is taken.
    ok({ verb: 'update', ...place, name, ...sub, body: { ...bodyOf(object), ...full, metadata } });
    const now = ok({ verb: 'get', ...place, name }).metadata;
    const replaced = send({
      verb: 'update',
      ...place,
      name,
      ...sub,
      body: { ...(status === undefined ? {} : bodyOf(object)), ...bodyOf(lacking), metadata: now },
    });
    refusals.push(['replace', replaced.ok, replaced.code]);
    // A list is replaced as a whole by such a patch; of an object the member is taken away.
    const patch = as === 'null' || way.some((step) => step === '0') ? lacking : undefined;
    if (patch !== undefined) {
      const patched = send({ verb: 'patch', ...place, name, ...sub, patchType: 'merge', body: patch });
      refusals.push(['patch', patched.ok, patched.code]);
    }
    expect(refusals.filter(([, taken, code]) => taken || (code !== 422 && code !== 400))).toEqual([]);
  });
});

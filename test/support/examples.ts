/**
 * Valid objects of kinds, as bodies of requests. A kind without an entry here has what the facets of its schema ask for: required members,
 * by their enumerations, bounds and defaults.
 */
import type { Kind, Names, ObjectInput } from '../../src/apiserver/machinery/index.ts';
import type { Bound, Schema } from '../../src/schema/shape/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a valid object holds besides its metadata. */
interface Example {
  /** Its name, where that follows from what it holds. */
  readonly name?: string;
  readonly fields: Fields;
  /** A second one of another name, for kinds whose names follow from what they hold. */
  readonly another?: { readonly name: string; readonly fields: Fields };
}

const LABELS = { app: 'web' };
const SELECTOR = { matchLabels: LABELS };
const TEMPLATE = {
  metadata: { labels: LABELS },
  spec: {
    restartPolicy: 'Always',
    containers: [
      {
        name: 'c',
        image: 'sim:1',
        ports: [{ name: 'http', containerPort: 80 }],
        env: [{ name: 'A', value: '1' }],
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1' } },
      },
    ],
    tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
    nodeSelector: { zone: 'a' },
  },
};
const JOB_SPEC = {
  parallelism: 2,
  completions: 4,
  backoffLimit: 3,
  completionMode: 'Indexed',
  template: { ...TEMPLATE, spec: { ...TEMPLATE.spec, restartPolicy: 'Never' } },
};
const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
/** A certificate request in PEM, in base64. */
export const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcE1JR1BBZ0VBTUMweEVUQVBCZ05WQkFvTUNIUmxZVzB0ZDJWaU1SZ3dGZ1lEVlFRRERBOXZjbU5vYzJsdApMV1Y0WVcxd2JHVXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUUI5ZjZYMWh2UUFMZ3lkT1pZCkRUaDhpbThhTjhncTNwTU5uVDZFTXVxS0x5Q2hhSm5Hd0hGT0NmcWV1bTJHRXU5bnRPZm5DVzUyMWJYbm5aZjMKWmxBdW9BQXdDZ1lJS29aSXpqMEVBd0lEU1FBd1JnSWhBSW41QjNhRWdTN2NTemlHMTdYbDBVOTBVZ05qSHJJMApQNlVHOFVaOWFJYVRBaUVBd2xGK0hCclFLa2d6OE9oenE4QmdMUmh4MVFiemZ0OHhUUEQvOFFHZkl1Yz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
const webhook = (more: Fields) => ({
  name: 'checks.example.com',
  clientConfig: { service: { namespace: 'default', name: 'checks', port: 443 } },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], scope: '*' }],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  sideEffects: 'None',
  timeoutSeconds: 10,
  admissionReviewVersions: ['v1'],
  ...more,
});
const apiService = (version: string) => ({
  spec: {
    group: 'example.com',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    service: { name: 's', namespace: 'default', port: 443 },
    version,
  },
});
const definition = (kind: string, plural: string) => ({
  spec: {
    group: 'example.com',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    conversion: { strategy: 'None' },
  },
});
const binding = (kind: string, names: Names) => ({
  roleRef: { apiGroup: names.group('rbac.authorization'), kind, name: 'r' },
  subjects: [{ kind: 'ServiceAccount', name: 'builder', namespace: 'default' }],
});
const RULES = { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] };

/** Fields by kind, where these are more than facets know: members that must agree, names of other objects, and what tests look at. */
const FIELDS: Readonly<Record<string, (names: Names) => Fields>> = {
  CertificateSigningRequest: () => ({ spec: { request: REQUEST, signerName: 'example.com/signer', usages: ['client auth'] } }),
  ClusterRole: () => RULES,
  ClusterRoleBinding: (names) => binding('ClusterRole', names),
  ConfigMap: () => ({ data: { a: 'b' }, binaryData: { c: 'AAEC' } }),
  ControllerRevision: () => ({ revision: 1, data: { spec: { a: 1 } } }),
  CronJob: () => ({ spec: { schedule: '*/5 * * * *', concurrencyPolicy: 'Forbid', jobTemplate: { spec: JOB_SPEC } } }),
  CSIDriver: () => ({
    spec: { attachRequired: true, volumeLifecycleModes: ['Persistent'], tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] },
  }),
  CSINode: () => ({
    spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] },
  }),
  CSIStorageCapacity: () => ({ storageClassName: 'fast', nodeTopology: { matchLabels: { zone: 'a' } }, capacity: '10Gi' }),
  DaemonSet: () => ({ spec: { selector: SELECTOR, template: TEMPLATE, minReadySeconds: 5 } }),
  Deployment: () => ({ spec: { replicas: 2, selector: SELECTOR, template: TEMPLATE, progressDeadlineSeconds: 60 } }),
  Endpoints: () => ({ subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }] }),
  EndpointSlice: () => ({
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
    ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
  }),
  Event: () => ({
    involvedObject: { kind: 'Pod', name: 'x', namespace: 'default' },
    reason: 'Started',
    message: 'started',
    type: 'Normal',
    count: 1,
  }),
  HorizontalPodAutoscaler: () => ({
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    },
  }),
  Ingress: () => ({
    spec: {
      rules: [
        {
          host: 'a.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
        },
      ],
      tls: [{ hosts: ['a.example.com'], secretName: 't' }],
    },
  }),
  IngressClass: () => ({ spec: { controller: 'example.com/c' } }),
  Job: () => ({ spec: JOB_SPEC }),
  Lease: () => ({ spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2024-03-01T00:00:00.000000Z' } }),
  LimitRange: () => ({
    spec: { limits: [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m' }, max: { cpu: '2' } }] },
  }),
  MutatingWebhookConfiguration: () => ({ webhooks: [webhook({ reinvocationPolicy: 'Never' })] }),
  Namespace: () => ({}),
  NetworkPolicy: () => ({
    spec: {
      podSelector: SELECTOR,
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, protocol: 'TCP' }] }],
      policyTypes: ['Ingress'],
    },
  }),
  Node: () => ({
    spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] },
    status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  }),
  PersistentVolume: () => ({
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'disk.example.com', volumeHandle: 'h' } },
  }),
  PersistentVolumeClaim: () => ({ spec: { ...CLAIM, selector: SELECTOR } }),
  Pod: () => ({ spec: TEMPLATE.spec }),
  PodDisruptionBudget: () => ({ spec: { minAvailable: '50%', selector: SELECTOR } }),
  PriorityClass: () => ({ value: 1000, description: 'd' }),
  ReplicaSet: () => ({ spec: { replicas: 2, minReadySeconds: 1, selector: SELECTOR, template: TEMPLATE } }),
  ResourceQuota: () => ({
    spec: {
      hard: { pods: '100', 'requests.cpu': '10' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
  }),
  Role: () => RULES,
  RoleBinding: (names) => binding('Role', names),
  RuntimeClass: () => ({
    handler: 'h',
    overhead: { podFixed: { cpu: '10m' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
  }),
  Secret: () => ({ type: 'Opaque', data: { a: 'AAEC' }, stringData: { b: 'c' } }),
  Service: () => ({ spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: 'http' }] } }),
  ServiceAccount: () => ({ secrets: [{ name: 's' }], automountServiceAccountToken: true }),
  StatefulSet: () => ({
    spec: {
      serviceName: 's',
      replicas: 2,
      selector: SELECTOR,
      template: TEMPLATE,
      volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: CLAIM }],
    },
  }),
  StorageClass: () => ({
    provisioner: 'disk.example.com',
    parameters: { a: 'b' },
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
  }),
  ValidatingWebhookConfiguration: () => ({ webhooks: [webhook({})] }),
  VolumeAttachment: () => ({ spec: { attacher: 'disk.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } }),
};

/** Kinds whose names follow from what their objects hold. */
const NAMED: Readonly<Record<string, Required<Example>>> = {
  APIService: {
    name: 'v1.example.com',
    fields: apiService('v1'),
    another: { name: 'v2.example.com', fields: apiService('v2') },
  },
  CustomResourceDefinition: {
    name: 'widgets.example.com',
    fields: definition('Widget', 'widgets'),
    another: { name: 'gadgets.example.com', fields: definition('Gadget', 'gadgets') },
  },
};

const limitOf = (bound: Bound | undefined): number | undefined => (typeof bound === 'object' ? bound[0] : bound);

/** The value of a member by its facets. */
function valueOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.oneOf !== undefined) return schema.oneOf[0];
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'int32':
    case 'int64':
    case 'intOrString':
      return Math.max(1, limitOf(schema.min) ?? 1);
    case 'list':
      return [valueOf(schema.items)];
    case 'object':
      return requiredOf(schema);
    default:
      return 'x';
  }
}

const METADATA: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** The required members of a struct. */
const requiredOf = ({ fields }: Schema & { readonly type: 'object' }): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]) =>
      schema.required === true && !METADATA.has(name) ? [[name, valueOf(schema)] as const] : [],
    ),
  );

const exampleFor = (kind: Kind, names: Names): Example =>
  NAMED[kind.kind] ?? { fields: FIELDS[kind.kind]?.(names) ?? requiredOf(kind.schema) };

/** Returns a body that creates an object of a kind. */
export function exampleOf(kind: Kind, names: Names): ObjectInput {
  const group = names.group(kind.groupPrefix);
  const { name = 'x', fields } = exampleFor(kind, names);
  return {
    apiVersion: group === '' ? kind.version : `${group}/${kind.version}`,
    kind: kind.kind,
    metadata: { name, ...(kind.namespaced ? { namespace: 'default' } : {}), labels: LABELS, annotations: { note: 'n' } },
    ...fields,
  };
}

/** Returns a body with a generated name; or the second example of a kind whose names follow from the content. */
export function anotherOf(kind: Kind, names: Names): ObjectInput {
  const body = exampleOf(kind, names);
  const { another } = exampleFor(kind, names);
  if (another !== undefined) return { ...body, ...another.fields, metadata: { ...body.metadata, name: another.name } };
  const { name: _, ...metadata } = body.metadata;
  return { ...body, metadata: { ...metadata, generateName: 'y-' } };
}

/** What is stored of new objects: their defaults, without what a creator may not set. */
import { checkStored } from './stored.ts';

checkStored([
  [
    'Namespace',
    'x',
    { spec: { finalizers: ['a.b/c'] }, status: { phase: 'Terminating' } },
    {
      spec: { finalizers: ['a.b/c', 'kubernetes'] },
      status: { phase: 'Active' },
      metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
    },
  ],
  [
    'Service',
    's1',
    { spec: { ports: [{ port: 80 }], sessionAffinity: 'ClientIP' }, status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } } },
    {
      spec: {
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        clusterIP: '10.0.0.1',
        clusterIPs: ['10.0.0.1'],
        type: 'ClusterIP',
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'Service',
    's2',
    { spec: { type: 'LoadBalancer', ports: [{ port: 80, targetPort: 'http', name: 'a' }] } },
    {
      spec: {
        ports: [{ name: 'a', protocol: 'TCP', port: 80, targetPort: 'http', nodePort: 30000 }],
        clusterIP: '10.0.0.1',
        clusterIPs: ['10.0.0.1'],
        type: 'LoadBalancer',
        sessionAffinity: 'None',
        externalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        allocateLoadBalancerNodePorts: true,
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  ],
  [
    'Service',
    's3',
    { spec: { type: 'ExternalName', externalName: 'a.b' } },
    { spec: { type: 'ExternalName', sessionAffinity: 'None', externalName: 'a.b' }, status: { loadBalancer: {} } },
  ],
  [
    'Service',
    's4',
    { spec: { clusterIP: 'None', selector: { a: 'b' } } },
    {
      spec: {
        selector: { a: 'b' },
        clusterIP: 'None',
        clusterIPs: ['None'],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
      },
      status: { loadBalancer: {} },
    },
  ],
  ['Secret', 'x', { data: { b: 'eA==' }, stringData: { a: 'y', b: 'z' } }, { data: { a: 'eQ==', b: 'eg==' }, type: 'Opaque' }],
  [
    'ConfigMap',
    'x',
    { data: { b: '1', a: '2' }, binaryData: { c: 'eA==' }, immutable: false },
    { immutable: false, data: { a: '2', b: '1' }, binaryData: { c: 'eA==' } },
  ],
  ['ServiceAccount', 'x', {}, {}],
  [
    'PersistentVolume',
    'x',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } }, status: { phase: 'Bound' } },
    {
      spec: {
        capacity: { storage: '1Gi' },
        hostPath: { path: '/x', type: '' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        volumeMode: 'Filesystem',
      },
      status: { phase: 'Pending' },
      metadata: { finalizers: ['kubernetes.io/pv-protection'] },
    },
  ],
  [
    'PersistentVolumeClaim',
    'x',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Bound' } },
    {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
      metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
    },
  ],
  [
    'ResourceQuota',
    'x',
    { spec: { hard: { pods: '10', cpu: '1500m' } }, status: { used: { pods: '1' } } },
    { spec: { hard: { cpu: '1500m', pods: '10' } }, status: {} },
  ],
  [
    'LimitRange',
    'x',
    {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' }, default: { memory: '2Mi' } },
          { type: 'Pod', max: { cpu: '4' } },
        ],
      },
    },
    {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { memory: '1Mi' },
            default: { cpu: '2', memory: '2Mi' },
            defaultRequest: { cpu: '2', memory: '2Mi' },
          },
          { type: 'Pod', max: { cpu: '4' } },
        ],
      },
    },
  ],
  [
    'Event',
    'x',
    { involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' } },
    {
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    },
  ],
  [
    'PriorityClass',
    'x',
    { value: 5, globalDefault: true },
    { value: 5, globalDefault: true, preemptionPolicy: 'PreemptLowerPriority', metadata: { generation: 1 } },
  ],
  [
    'IngressClass',
    'x',
    { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } } },
    { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', scope: 'Cluster' } }, metadata: { generation: 1 } },
  ],
  [
    'PodDisruptionBudget',
    'x',
    { spec: { minAvailable: 1, selector: {} }, status: { disruptionsAllowed: 5 } },
    {
      spec: { minAvailable: 1, selector: {} },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
      metadata: { generation: 1 },
    },
  ],
  [
    'RoleBinding',
    'x',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    },
    {
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'ServiceAccount', name: 's' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    },
  ],
  ['ClusterRole', 'x', {}, { rules: null }],
  [
    'MutatingWebhookConfiguration',
    'x',
    {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { service: { name: 'a', namespace: 'b' } },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        },
      ],
    },
    {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { service: { namespace: 'b', name: 'a', port: 443 } },
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }],
          failurePolicy: 'Fail',
          namespaceSelector: {},
          sideEffects: 'None',
          timeoutSeconds: 10,
          admissionReviewVersions: ['v1'],
          matchPolicy: 'Equivalent',
          reinvocationPolicy: 'Never',
          objectSelector: {},
        },
      ],
      metadata: { generation: 1 },
    },
  ],
  [
    'ValidatingWebhookConfiguration',
    'x',
    { webhooks: [{ name: 'a.b.c', clientConfig: { url: 'https://a' }, sideEffects: 'None', admissionReviewVersions: ['v1'] }] },
    {
      webhooks: [
        {
          name: 'a.b.c',
          clientConfig: { url: 'https://a' },
          failurePolicy: 'Fail',
          namespaceSelector: {},
          sideEffects: 'None',
          timeoutSeconds: 10,
          admissionReviewVersions: ['v1'],
          matchPolicy: 'Equivalent',
          objectSelector: {},
        },
      ],
      metadata: { generation: 1 },
    },
  ],
]);

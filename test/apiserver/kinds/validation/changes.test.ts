/** What an update may not change of services and of small objects. */
import { describe } from 'vitest';
import { SUBDOMAIN } from './causes.ts';
import { checkChanges } from './changes.ts';

const object = (apiVersion: string, kind: string, rest: object): object => ({ apiVersion, kind, metadata: { name: 'x' }, ...rest });
const service = (spec: object): object => object('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } });

describe('a service', () => {
  checkChanges([
    [
      'keeps its address',
      service({}),
      { spec: { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] } },
      ['spec.clusterIPs[0]: Invalid value: []string{"10.0.0.9"}: may not change once set'],
    ],
    ['keeps the address that is left out', service({}), { spec: { clusterIP: '', clusterIPs: [] } }, []],
    ['may lose its address with its type', service({}), { spec: { type: 'ExternalName', externalName: 'a.b' } }, []],
    ['may get an address with its type', service({ type: 'ExternalName', externalName: 'a.b' }), { spec: { type: 'ClusterIP' } }, []],
    ['may lose its node ports with its type', service({ type: 'NodePort' }), { spec: { type: 'ClusterIP' } }, []],
    [
      'keeps the class of its balancer',
      service({ type: 'LoadBalancer', loadBalancerClass: 'a/b' }),
      { spec: { loadBalancerClass: 'a/c' } },
      ['spec.loadBalancerClass: Invalid value: "a/c": may not change once set'],
    ],
    [
      'gets no class later',
      service({ type: 'LoadBalancer' }),
      { spec: { loadBalancerClass: 'a/c' } },
      ['spec.loadBalancerClass: Invalid value: "a/c": may not change once set'],
    ],
    ['may lose the class with its type', service({ type: 'LoadBalancer', loadBalancerClass: 'a/b' }), { spec: { type: 'ClusterIP' } }, []],
    [
      'keeps the port of its health check',
      service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30001 }),
      { spec: { healthCheckNodePort: 30002 } },
      ['spec.healthCheckNodePort: Forbidden: field is immutable'],
    ],
    [
      'keeps the families that it got without an address',
      service({ clusterIP: 'None' }),
      { spec: { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] } },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
        'spec.ipFamilies[1]: Invalid value: "IPv6": not configured on this cluster',
      ],
    ],
    [
      'keeps its family',
      service({}),
      { spec: { ipFamilies: ['IPv6'] } },
      ['spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    [
      'gets no second address in a cluster of one family',
      service({}),
      { spec: { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' } },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
        'spec.ipFamilies[1]: Invalid value: "IPv6": not configured on this cluster',
      ],
    ],
    [
      'has addresses and names of its balancer',
      service({}),
      { status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.1.1.1' }, { hostname: 'A_' }] } } },
      [
        'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address',
        'status.loadBalancer.ingress[1].hostname: Invalid value: "1.1.1.1": must be a DNS name, not an IP address',
        `status.loadBalancer.ingress[2].hostname: Invalid value: "A_": ${SUBDOMAIN}`,
      ],
      { subresource: 'status' },
    ],
  ]);
});

describe('small objects', () => {
  checkChanges([
    ['a Secret keeps its type', object('v1', 'Secret', { type: 'a' }), { type: 'b' }, ['type: Invalid value: "b": field is immutable']],
    [
      'a Secret that is immutable keeps its data',
      object('v1', 'Secret', { immutable: true, data: { a: 'eA==' } }),
      { immutable: false, data: { a: 'eQ==' } },
      ['immutable: Forbidden: field is immutable when `immutable` is set', 'data: Forbidden: field is immutable when `immutable` is set'],
    ],
    [
      'a ConfigMap that is immutable keeps its data',
      object('v1', 'ConfigMap', { immutable: true, data: { a: 'x' }, binaryData: { b: 'eA==' } }),
      { data: { a: 'y' }, binaryData: { b: 'eQ==' }, immutable: null },
      [
        'immutable: Forbidden: field is immutable when `immutable` is set',
        'data: Forbidden: field is immutable when `immutable` is set',
        'binaryData: Forbidden: field is immutable when `immutable` is set',
      ],
    ],
    [
      'a ConfigMap that is immutable may have other labels',
      object('v1', 'ConfigMap', { immutable: true, data: { a: 'x' } }),
      { metadata: { labels: { a: 'b' } } },
      [],
    ],
    [
      'a ConfigMap may become immutable with its last change',
      object('v1', 'ConfigMap', { data: { a: 'x' } }),
      { immutable: true, data: { a: 'y' } },
      [],
    ],
    [
      'a PriorityClass keeps its value and policy',
      object('scheduling.k8s.io/v1', 'PriorityClass', { value: 1 }),
      { value: 2, preemptionPolicy: 'Never', description: 'x', globalDefault: true },
      ['value: Forbidden: may not be changed in an update.', 'preemptionPolicy: Invalid value: "Never": field is immutable'],
    ],
    [
      'an IngressClass keeps its controller',
      object('networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'a.b/c' } }),
      { spec: { controller: 'a.b/d', parameters: { kind: 'a', name: 'b' } } },
      ['spec.controller: Invalid value: "a.b/d": field is immutable'],
    ],
    [
      'a RoleBinding keeps its role, and is judged twice',
      object('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: { kind: 'Role', name: 'a' } }),
      { roleRef: { name: 'b' }, subjects: [{ kind: 'X', name: 'a' }] },
      [
        'subjects[0].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
        'subjects[0].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
        'roleRef: Invalid value: rbac.RoleRef{APIGroup:"rbac.authorization.k8s.io", Kind:"Role", Name:"b"}: cannot change roleRef',
      ],
    ],
    [
      'a Role is judged twice',
      object('rbac.authorization.k8s.io/v1', 'Role', {}),
      { rules: [{ verbs: [] }] },
      [
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
        'rules[0].verbs: Required value: verbs must contain at least one value',
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'a ResourceQuota keeps its scopes',
      object('v1', 'ResourceQuota', { spec: { scopes: ['BestEffort', 'Terminating'] } }),
      { spec: { scopes: ['BestEffort'] } },
      ['spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort"}: field is immutable'],
    ],
    [
      'a ResourceQuota may list them in another order',
      object('v1', 'ResourceQuota', { spec: { scopes: ['BestEffort', 'Terminating'] } }),
      { spec: { scopes: ['Terminating', 'BestEffort'] } },
      [],
    ],
    [
      'the status of a ResourceQuota has known resources',
      object('v1', 'ResourceQuota', { spec: {} }),
      { status: { hard: { foo: '1' }, used: { pods: '-1' } } },
      [
        'status.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'status.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
        'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
      ],
      { subresource: 'status' },
    ],
    ['a Namespace keeps its finalizers', object('v1', 'Namespace', {}), { spec: { finalizers: [] } }, []],
    [
      'a Namespace is active until it is deleted',
      object('v1', 'Namespace', {}),
      { status: { phase: 'X' } },
      [`status.Phase: Invalid value: "X": may only be 'Active' if \`deletionTimestamp\` is empty`],
      { subresource: 'status' },
    ],
  ]);
});

/** Validation of kinds of networking and access control that no recording covers. */
import { envelopeOf, type ApiRequest } from '../../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import type { ApiObject, FeatureGates } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';

const VERSIONS: Readonly<Record<string, string>> = {
  NetworkPolicy: 'networking.k8s.io/v1',
  Ingress: 'networking.k8s.io/v1',
  IngressClass: 'networking.k8s.io/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Job: 'batch/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
};
const CLUSTERED = new Set(['Namespace', 'IngressClass', 'ClusterRole', 'ClusterRoleBinding']);

function world(gates: FeatureGates = {}) {
  const { server, ok } = setup('k8s.io', gates);
  const place = (kind: string) => (CLUSTERED.has(kind) ? {} : { namespace: 'default' });
  const create = (kind: string, parts: object, metadata: object = {}) =>
    ({
      verb: 'create',
      kind,
      ...place(kind),
      body: { apiVersion: VERSIONS[kind] ?? 'v1', kind, metadata: { name: 'x', ...metadata }, ...parts },
    }) as const;
  const update = (object: ApiObject, parts: object, subresource?: 'status') =>
    ({
      verb: 'update',
      kind: object.kind,
      ...place(object.kind),
      name: object.metadata.name,
      body: { ...object, ...parts },
      ...(subresource === undefined ? {} : { subresource }),
    }) as const;
  const causes = (request: ApiRequest): readonly string[] => {
    const answer = server.handle(envelopeOf('client', request));
    return answer.ok ? [] : (answer.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
  };
  return { ok, causes, create, update };
}

describe('gates that are off', () => {
  it('ServiceInternalTrafficPolicy: the policy has no default and is dropped, unless the stored Service has one', () => {
    const parts = { spec: { ports: [{ port: 80 }], internalTrafficPolicy: 'Local' } };
    const policy = (object: ApiObject) => (object['spec'] as { readonly internalTrafficPolicy?: string }).internalTrafficPolicy;
    const on = world();
    expect(policy(on.ok(on.create('Service', parts)))).toBe('Local');
    const off = world({ ServiceInternalTrafficPolicy: false });
    const made = off.ok(off.create('Service', parts));
    expect(policy(made)).toBeUndefined();
    const spec = { ...(made['spec'] as object), internalTrafficPolicy: 'Local' };
    expect(policy(off.ok(off.update(made, { spec })))).toBeUndefined();
  });

  it('MixedProtocolLBService: a balancer has ports of one protocol, unless it had several before', () => {
    const gates: Record<string, boolean> = {};
    const { ok, causes, create, update } = world(gates);
    const ports = (protocol: string) => [
      { name: 'a', port: 80, protocol: 'TCP' },
      { name: 'b', port: 81, protocol },
    ];
    const mixed = { spec: { type: 'LoadBalancer', ports: ports('UDP') } };
    const stored = ok(create('Service', mixed));
    gates['MixedProtocolLBService'] = false;
    expect(causes(create('Service', mixed, { name: 'y' }))).toEqual([
      expect.stringMatching(
        /^spec\.ports: Invalid value: \[\]core\.ServicePort\{core\.ServicePort\{Name:"a", Protocol:"TCP", .*\}: may not contain more than 1 protocol when type is 'LoadBalancer'$/,
      ),
    ]);
    expect(causes(create('Service', { spec: { ...mixed.spec, type: 'NodePort' } }, { name: 'z' }))).toEqual([]);
    const spec = stored['spec'] as { readonly ports: readonly object[] };
    const more = [...spec.ports, { name: 'c', port: 82, protocol: 'SCTP' }];
    expect(causes(update(stored, { spec: { ...spec, ports: more } }))).toEqual([]);
    const plain = ok(create('Service', { spec: { type: 'LoadBalancer', ports: ports('TCP') } }, { name: 'w' }));
    const [one, two] = (plain['spec'] as { readonly ports: readonly object[] }).ports;
    expect(causes(update(plain, { spec: { ...(plain['spec'] as object), ports: [one, { ...two, protocol: 'UDP' }] } }))).toHaveLength(1);
  });

  it('NetworkPolicyStatus: a policy has no status', () => {
    const status = {
      conditions: [{ type: 'Accepted', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2024-03-01T00:00:00Z' }],
    };
    const seen = (gates: FeatureGates) => {
      const { ok, create, update } = world(gates);
      const made = ok(create('NetworkPolicy', { spec: { podSelector: {} } }));
      return (ok(update(made, { status }, 'status'))['status'] as { readonly conditions?: readonly object[] }).conditions?.length;
    };
    expect([seen({ NetworkPolicyStatus: true }), seen({})]).toEqual([1, undefined]);
  });

  it('ServerSideFieldValidation: the option fieldValidation is ignored', () => {
    const answer = (gates: FeatureGates) =>
      setup('k8s.io', gates).server.handle(
        envelopeOf('client', {
          verb: 'create',
          kind: 'ConfigMap',
          namespace: 'default',
          fieldValidation: 'Strict',
          body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, other: 1 },
        }),
      ).ok;
    expect([answer({ ServerSideFieldValidation: true }), answer({})]).toEqual([false, true]);
  });

  it('PodSecurity: levels of a namespace are not validated', () => {
    const level = (gates: FeatureGates) => {
      const { causes, create } = world(gates);
      return causes(create('Namespace', {}, { labels: { 'pod-security.kubernetes.io/warn': 'x' } })).length;
    };
    expect([level({}), level({ PodSecurity: false })]).toEqual([1, 0]);
  });

  it('AnyVolumeDataSource: a claim has only the older field, unless the stored one has the other', () => {
    const gates: Record<string, boolean> = {};
    const { ok, create, update } = world(gates);
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const ref = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'other' };
    const sources = ({ spec: made }: ApiObject) => {
      const { dataSource, dataSourceRef } = made as { readonly dataSource?: object; readonly dataSourceRef?: object };
      return [dataSource, dataSourceRef];
    };
    const both = ok(create('PersistentVolumeClaim', { spec: { ...spec, dataSource: ref } }));
    expect(sources(both)).toEqual([ref, ref]);
    gates['AnyVolumeDataSource'] = false;
    const made = (more: object, name: string) => sources(ok(create('PersistentVolumeClaim', { spec: { ...spec, ...more } }, { name })));
    expect(made({ dataSource: ref }, 'a')).toEqual([ref, undefined]);
    expect(made({ dataSourceRef: { ...ref, kind: 'Backup', apiGroup: 'b.example' } }, 'b')).toEqual([undefined, undefined]);
    expect(
      sources(ok(update(both, { metadata: { ...both.metadata, labels: { a: 'b' } }, spec: { ...(both['spec'] as object) } }))),
    ).toEqual([ref, ref]);
  });

  it('RecoverVolumeExpansionFailure: a claim with a failed expansion cannot request less', () => {
    const spec = { accessModes: ['ReadWriteOnce'], volumeName: 'v', storageClassName: 'c', resources: { requests: { storage: '5Gi' } } };
    const asking = (gates: FeatureGates, storage: string) => {
      const { ok, causes, create, update } = world(gates);
      const made = ok(create('PersistentVolumeClaim', { spec }));
      const bound = ok(update(made, { status: { phase: 'Bound', capacity: { storage: '2Gi' } } }, 'status'));
      return causes(update(bound, { spec: { ...(bound['spec'] as object), resources: { requests: { storage } } } }));
    };
    const field = 'spec.resources.requests.storage: Forbidden:';
    expect(asking({}, '3Gi')).toEqual([`${field} field can not be less than previous value`]);
    expect(asking({ RecoverVolumeExpansionFailure: true }, '3Gi')).toEqual([]);
    expect(asking({ RecoverVolumeExpansionFailure: true }, '2Gi')).toEqual([`${field} field can not be less than status.capacity`]);
  });

  it('JobMutableNodeSchedulingDirectives: the template of a suspended Job is immutable', () => {
    const template = (nodeSelector: object) => ({
      spec: { nodeSelector, restartPolicy: 'Never', containers: [{ name: 'c', image: 'c:1' }] },
    });
    const changed = (gates: FeatureGates) => {
      const { ok, causes, create, update } = world(gates);
      const made = ok(create('Job', { spec: { suspend: true, template: template({}) } }));
      const spec = made['spec'] as { readonly template: { readonly metadata: object } };
      return causes(update(made, { spec: { ...spec, template: { ...spec.template, ...template({ zone: 'a' }) } } }));
    };
    expect(changed({})).toEqual([]);
    expect(changed({ JobMutableNodeSchedulingDirectives: false })).toEqual([
      expect.stringMatching(/^spec\.template: .*field is immutable/),
    ]);
  });

  const ranged = {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80, endPort: 90 }] }], egress: [{ ports: [{ port: 1, endPort: 2 }, {}] }] },
  };
  const ports = (object: ApiObject) => {
    const { ingress, egress } = object['spec'] as {
      readonly ingress: readonly { readonly ports: readonly object[] }[];
      readonly egress: readonly { readonly ports: readonly object[] }[];
    };
    return [...ingress, ...egress].flatMap((rule) => rule.ports.map((port) => 'endPort' in port));
  };
  it('drop the ends of port ranges, unless the stored policy has some', () => {
    const on = world();
    expect(ports(on.ok(on.create('NetworkPolicy', ranged)))).toEqual([true, true, false]);
    const off = world({ NetworkPolicyEndPort: false });
    const made = off.ok(off.create('NetworkPolicy', ranged));
    expect(ports(made)).toEqual([false, false, false]);
    expect(ports(off.ok(off.update(made, ranged)))).toEqual([false, false, false]);
  });

  const slice = {
    addressType: 'IPv4',
    ports: [],
    endpoints: [
      { addresses: ['1.2.3.4'], conditions: { ready: true, serving: true, terminating: false }, hints: { forZones: [{ name: 'a' }] } },
    ],
  };
  const shown = (object: ApiObject) => {
    const [first] = object['endpoints'] as readonly { readonly conditions: object; readonly hints?: object }[];
    return [Object.keys(first?.conditions ?? {}), first?.hints !== undefined];
  };
  it.each<[string, FeatureGates, unknown]>([
    ['nothing', {}, [['ready', 'serving', 'terminating'], true]],
    ['the termination message of pods', { EndpointSliceTerminatingCondition: false }, [['ready'], true]],
    ['hints', { TopologyAwareHints: false }, [['ready', 'serving', 'terminating'], false]],
  ])('drop of slices: %s', (_, gates, expected) => {
    const { ok, create, update } = world(gates);
    const made = ok(create('EndpointSlice', slice));
    expect([shown(made), shown(ok(update(made, slice)))]).toEqual([expected, expected]);
  });
});

describe('Ingress', () => {
  it('reports two errors for an IPv6 address as a host', () => {
    const { causes, create } = world();
    expect(causes(create('Ingress', { spec: { rules: [{ host: 'fd00::1' }] } })).map((text) => text.slice(0, 80))).toEqual([
      'spec.rules[0].host: Invalid value: "fd00::1": must be a DNS name, not an IP addr',
      'spec.rules[0].host: Invalid value: "fd00::1": a lowercase RFC 1123 subdomain mus',
    ]);
  });
});

describe('IngressClass', () => {
  const spec = (parameters: object) => ({ spec: { controller: 'x.io/y', parameters: { kind: 'K', name: 'n', ...parameters } } });
  it.each([
    [{ scope: 'Namespace' }, ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"]],
    [{ namespace: 'n' }, ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"]],
    [{ scope: 'Galaxy' }, ['spec.parameters.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespace"']],
    [
      { kind: 'a/b', name: '' },
      ['spec.parameters.kind: Invalid value: "a/b": may not contain \'/\'', 'spec.parameters.name: Required value: name is required'],
    ],
  ])('parameters %j', (parameters, expected) => {
    const { causes, create } = world();
    expect(causes(create('IngressClass', spec(parameters)))).toEqual(expected);
  });
  it('refuses an empty namespace, and a change of its controller', () => {
    const { ok, causes, create, update } = world();
    expect(causes(create('IngressClass', spec({ scope: 'Namespace', namespace: '' })))[0]).toContain(
      'spec.parameters.namespace: Invalid value: "": a lowercase RFC 1123 label',
    );
    const made = ok(create('IngressClass', { spec: { controller: 'x.io/y' } }));
    expect(causes(update(made, { spec: { controller: 'x.io/z' } }))).toEqual([
      'spec.controller: Invalid value: "x.io/z": field is immutable',
    ]);
    expect(causes(create('IngressClass', { spec: { controller: `x.io/${'y'.repeat(250)}` } }))).toEqual([
      'spec.controller: Too long: must have at most 250 bytes',
    ]);
  });
});

describe('PodDisruptionBudget', () => {
  it('validates its spec first, and accepts any path segment as a name', () => {
    const { ok, causes, create } = world();
    expect(
      causes(create('PodDisruptionBudget', { spec: { minAvailable: '110%', maxUnavailable: -1 } }, { name: 'a/b' })).map((text) =>
        text.replaceAll(/0x[0-9a-f]+/g, '0x'),
      ),
    ).toEqual([
      'spec: Invalid value: policy.PodDisruptionBudgetSpec{MinAvailable:(*intstr.IntOrString)(0x), Selector:(*v1.LabelSelector)(nil), MaxUnavailable:(*intstr.IntOrString)(0x)}: minAvailable and maxUnavailable cannot be both set',
      'spec.minAvailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"110%"}: must not be greater than 100%',
      'spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
    ]);
    expect(causes(create('PodDisruptionBudget', { spec: {} }, { name: 'a/b' }))).toEqual([
      'metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ]);
    expect(ok(create('PodDisruptionBudget', { spec: { minAvailable: 1 } }, { name: 'Any_Name' })).metadata.name).toBe('Any_Name');
  });
  it('must have valid counts and conditions', () => {
    const { ok, causes, create, update } = world();
    const made = ok(create('PodDisruptionBudget', { spec: {} }));
    expect(
      causes(update(made, { status: { disruptionsAllowed: -1, currentHealthy: 0, desiredHealthy: 0, expectedPods: -2 } }, 'status')),
    ).toEqual([
      'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
      'status.expectedPods: Invalid value: -2: must be greater than or equal to 0',
    ]);
  });
});

describe('conditions of policies', () => {
  const at = '2024-01-01T00:00:00Z';
  const good = { type: 'Accepted', status: 'True', reason: 'Fine', message: '', lastTransitionTime: at };
  it.each<[string, object, readonly string[]]>([
    ['are valid', good, []],
    ['have a name', { ...good, type: 'bad type' }, ['status.conditions[0].type: Invalid value: "bad type": name part must consist of']],
    [
      'are true, false or unknown',
      { ...good, status: 'X' },
      ['status.conditions[0].status: Unsupported value: "X": supported values: "False", "True", "Unknown"'],
    ],
    [
      'need a transition time',
      { ...good, lastTransitionTime: null },
      ['status.conditions[0].lastTransitionTime: Required value: must be set'],
    ],
    ['have a reason', { ...good, reason: '' }, ['status.conditions[0].reason: Required value: must be set']],
    [
      'have a reason of one word',
      { ...good, reason: 'bad reason' },
      ['status.conditions[0].reason: Invalid value: "bad reason": a condition reason must start with'],
    ],
    [
      'have a non-negative generation',
      { ...good, observedGeneration: -1 },
      ['status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero'],
    ],
    [
      'have a message of at most 32 KiB',
      { ...good, message: 'm'.repeat(32 * 1024 + 1) },
      ['status.conditions[0].message: Too long: must have at most 32768 bytes'],
    ],
  ])('%s', (_, condition, expected) => {
    const { ok, causes, create, update } = world({ NetworkPolicyStatus: true });
    const made = ok(create('NetworkPolicy', { spec: { podSelector: {} } }));
    const found = causes(update(made, { status: { conditions: [condition] } }, 'status'));
    expect(found.map((text, index) => text.slice(0, expected[index]?.length))).toEqual(expected);
  });
  it('have distinct types', () => {
    const { ok, causes, create, update } = world({ NetworkPolicyStatus: true });
    const made = ok(create('NetworkPolicy', { spec: { podSelector: {} } }));
    expect(causes(update(made, { status: { conditions: [good, good] } }, 'status'))).toEqual([
      'status.conditions[1].type: Duplicate value: "Accepted"',
    ]);
  });
});

describe('roles and bindings', () => {
  const group = 'rbac.authorization.k8s.io';
  const bound = (...subjects: readonly object[]) => ({ roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'r' }, subjects });
  it.each<[string, string, object, readonly string[]]>([
    [
      'rules with paths have no resource names',
      'ClusterRole',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resourceNames: ['a'] }] },
      ['rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs'],
    ],
    [
      'aggregation needs selectors',
      'ClusterRole',
      { aggregationRule: {} },
      ['aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil'],
    ],
    [
      'selectors must be valid',
      'ClusterRole',
      { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Like' }] }] } },
      [
        'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
      ],
    ],
    [
      'a user needs a name',
      'RoleBinding',
      bound({ kind: 'User', name: '' }),
      ['subjects[0].name: Required value', 'subjects[0].name: Invalid value: "": user name cannot be empty'],
    ],
    [
      'a group needs a name',
      'RoleBinding',
      bound({ kind: 'Group', name: '' }),
      ['subjects[0].name: Required value', 'subjects[0].name: Invalid value: "": group name cannot be empty'],
    ],
    [
      'a service account in a ClusterRoleBinding needs a namespace',
      'ClusterRoleBinding',
      bound({ kind: 'ServiceAccount', name: 'a' }),
      ['subjects[0].namespace: Required value'],
    ],
    [
      'a service account has no API group',
      'RoleBinding',
      bound({ kind: 'ServiceAccount', name: 'A', apiGroup: 'x' }),
      [
        'subjects[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain',
        'subjects[0].apiGroup: Unsupported value: "x": supported values: ""',
      ],
    ],
    [
      'subjects are of three kinds',
      'RoleBinding',
      bound({ kind: 'Team', name: 't' }),
      ['subjects[0].kind: Unsupported value: "Team": supported values: "ServiceAccount", "User", "Group"'],
    ],
    [
      'a ClusterRoleBinding cannot refer to a Role',
      'ClusterRoleBinding',
      { roleRef: { apiGroup: 'x', kind: 'Role', name: '..' } },
      [
        'roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"',
        'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
        'roleRef.name: Invalid value: "..": may not be \'..\'',
      ],
    ],
  ])('%s', (_, kind, parts, expected) => {
    const { causes, create } = world();
    expect(causes(create(kind, parts)).map((text, index) => text.slice(0, expected[index]?.length))).toEqual(expected);
  });
});

import { envelopeOf } from '../../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import type { ApiObject, ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';
import { causesOf, namespaceOf } from './causes.ts';

const make = (kind: string, rest: object, metadata: object = {}) =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'x', ...metadata }, ...rest }) as unknown as ObjectInput & { readonly kind: string };
const volume = (spec: object, metadata: object = {}) =>
  make('PersistentVolume', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec } }, metadata);
const HOST = { hostPath: { path: '/x' } };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const check = (cases: readonly (readonly [what: string, object: object, causes: readonly string[]])[]): void => {
  it.each(cases)('%s', (_, object, causes) => {
    expect(causesOf(object)).toEqual(causes);
  });
};

/** Returns the causes of an update. */
function changed(
  object: ObjectInput & { readonly kind: string },
  alter: (made: ApiObject) => object,
  subresource?: string,
): readonly string[] {
  const { ok, server } = setup();
  const at = { kind: object.kind, ...namespaceOf(object) };
  const made = ok({ verb: 'create', ...at, body: object });
  const response = server.handle(
    envelopeOf('client', {
      verb: 'update',
      ...at,
      name: 'x',
      body: alter(made) as ObjectInput,
      ...(subresource === undefined ? {} : { subresource }),
    }),
  );
  return response.ok ? [] : (response.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

describe('nodes', () => {
  const struct = (value: number, scale: number, s: string): string =>
    `Invalid value: resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${s}", Format:"DecimalSI"}: must be an integer`;
  check([
    [
      'are reported with amounts as written',
      make('Node', { status: { capacity: { pods: '1.5' }, allocatable: { pods: '1500m' } } }),
      [`status.capacity.pods: ${struct(15, -1, '')}`, `status.allocatable.pods: ${struct(1500, -3, '1500m')}`],
    ],
    [
      'are reported with amounts rounded to thousandths',
      make('Node', { status: { capacity: { 'a.b/c': '0.0001' } } }),
      ['capacity', 'allocatable'].map((side) => `status.${side}.a.b/c: ${struct(1, -3, '')}`),
    ],
    [
      'must have distinct ranges',
      make('Node', { spec: { podCIDRs: ['10.0.0.0/8', '10.0.0.0/8'] } }),
      [
        'spec.podCIDRs: Invalid value: []string{"10.0.0.0/8", "10.0.0.0/8"}: may specify no more than one CIDR for each IP family',
        'spec.podCIDRs[1]: Duplicate value: "10.0.0.0/8"',
      ],
    ],
  ]);

  it('report valid amounts', () => {
    expect(changed(make('Node', {}), (made) => ({ ...made, status: { capacity: { cpu: '-1' } } }), 'status')).toEqual(
      // By default all capacity is allocatable.
      ['capacity', 'allocatable'].map((side) => `status.${side}.cpu: Invalid value: "-1": must be greater than or equal to 0`),
    );
  });
});

describe('volumes', () => {
  check([
    [
      "have one source, found in upstream's order",
      volume({
        csi: { driver: 'd', volumeHandle: '' },
        nfs: { server: 's', path: 'p' },
        flexVolume: { driver: '' },
        iscsi: { targetPortal: 't', iqn: '', lun: 0 },
      }),
      [
        'spec.nfs.path: Invalid value: "p": must be an absolute path',
        'spec.iscsi: Forbidden: may not specify more than 1 volume type',
        'spec.flexVolume.driver: Required value',
        'spec.csi: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    [
      'of one machine must name it',
      volume({ local: { path: '' } }),
      ['spec.local.path: Required value', 'spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    [
      'of the root path cannot be recycled',
      volume({ hostPath: { path: '/a/..' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      [
        'spec.hostPath.path: Invalid value: "/a/..": must not contain \'..\'',
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      'of drivers need complete secret references',
      volume({ csi: { driver: 'd', volumeHandle: 'h', controllerExpandSecretRef: { name: 'A' }, nodeStageSecretRef: {} } }),
      [
        "spec.csi.controllerExpandSecretRef.name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.csi.controllerExpandSecretRef.namespace: Required value',
      ],
    ],
    [
      'accept mount options if their source does',
      volume(HOST, { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } }),
      ['metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type'],
    ],
    [
      'must have whole bytes',
      volume({ ...HOST, capacity: { storage: '-1500m' } }),
      [
        'spec.capacity[storage]: Invalid value: -2: must be a valid resource quantity',
        'spec.capacity[storage]: Invalid value: "-1500m": must be greater than zero',
      ],
    ],
  ]);

  it('may be for one pod with the gate, beside no other mode', () => {
    const world = setup('k8s.io', { ReadWriteOncePod: true });
    const of = (...accessModes: readonly string[]) => causesOf(volume({ ...HOST, accessModes }), world);
    expect([of('ReadWriteOncePod'), of('ReadWriteOnce')]).toEqual([[], []]);
    expect(of('ReadWriteOncePod', 'ReadWriteOnce', 'Any')).toEqual([
      'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ]);
  });

  it('may set the secret for expansion once', () => {
    const spec = { csi: { driver: 'd', volumeHandle: 'h' } };
    expect(
      changed(volume(spec), (made) => ({
        ...made,
        spec: { ...(made['spec'] as object), csi: { ...spec.csi, controllerExpandSecretRef: { name: 'a', namespace: 'b' } } },
      })),
    ).toEqual([]);
    expect(
      changed(volume(spec), (made) => ({ ...made, spec: { ...(made['spec'] as object), csi: { ...spec.csi, readOnly: true } } })),
    ).toEqual(['spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation']);
  });

  it('that have a secret for expansion keep it, and their source stays of one kind', () => {
    const csi = { driver: 'd', volumeHandle: 'h' };
    const secret = { name: 'a', namespace: 'b' };
    const becomes = (before: object, after: object): readonly string[] =>
      changed(volume(before), ({ spec, ...made }) => {
        const { csi: _, hostPath: __, ...rest } = spec as Record<string, unknown>;
        return { ...made, spec: { ...rest, storageClassName: 'other', ...after } };
      });
    const immutable = ['spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation'];
    const withSecret = { csi: { ...csi, controllerExpandSecretRef: secret } };
    expect(becomes(withSecret, withSecret)).toEqual([]);
    expect(becomes(withSecret, { csi })).toEqual(immutable);
    expect(becomes(withSecret, { csi: { ...csi, controllerExpandSecretRef: { ...secret, name: 'c' } } })).toEqual(immutable);
    expect(becomes(HOST, HOST)).toEqual([]);
    expect(becomes(HOST, { csi })).toEqual(immutable);
    expect(becomes({ csi }, HOST)).toEqual(immutable);
  });
});

describe('claims', () => {
  const claim = (spec: object) =>
    make('PersistentVolumeClaim', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2' } }, ...spec } });
  check([
    [
      'must name their source completely',
      claim({
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: '' },
        dataSourceRef: { kind: 'Pod', name: 'p' },
      }),
      [
        'spec.dataSource.name: Required value',
        'spec.dataSourceRef: Invalid value: "Pod"',
        'spec: Invalid value: field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}: must match dataSourceRef',
      ],
    ],
  ]);

  it('neither shrink nor change', () => {
    expect(
      changed(claim({}), (made) => ({
        ...made,
        spec: { ...(made['spec'] as object), resources: { requests: { storage: '1' } }, volumeMode: 'Block' },
      })),
    ).toEqual([
      'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims\n',
      'spec.resources.requests.storage: Forbidden: field can not be less than previous value',
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
    expect(changed(claim({}), (made) => ({ ...made, spec: { ...(made['spec'] as object), volumeName: 'v' } }))).toEqual([]);
  });
});

describe('services', () => {
  it('keep the class of a load balancer', () => {
    const balancer = make('Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerClass: 'x.io/y' } });
    const withSpec = (spec: object) => (made: ApiObject) => ({ ...made, spec: { ...(made['spec'] as object), ...spec } });
    expect(changed(balancer, withSpec({ loadBalancerClass: 'x.io/z' }))).toEqual([
      'spec.loadBalancerClass: Invalid value: "x.io/z": may not change once set',
    ]);
    const plain = make('Service', { spec: { ports: [{ port: 80 }] } });
    expect(changed(plain, withSpec({ type: 'LoadBalancer', loadBalancerClass: 'x.io/z' }))).toEqual([]);
  });
});

describe('secrets', () => {
  const secret = (type: string, data: object = {}) => make('Secret', { type, data });
  check([
    [
      'of registries must be a JSON object',
      secret('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64('[]') }),
      [
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    [
      'of registries must be JSON',
      secret('kubernetes.io/dockercfg', { '.dockercfg': base64('{') }),
      ['data[.dockercfg]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
    ],
    [
      'of users need a name or a password',
      secret('kubernetes.io/basic-auth'),
      ['data[username]: Required value', 'data[password]: Required value'],
    ],
    ['of users may have only one', secret('kubernetes.io/basic-auth', { password: '' }), []],
    ['of shells have a key', secret('kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }), ['data[ssh-privatekey]: Required value']],
  ]);
});

describe('bounds and quotas', () => {
  const limits = (item: object) => make('LimitRange', { spec: { limits: [item] } });
  const quota = (spec: object) => make('ResourceQuota', { spec });
  const struct = (value: number): string =>
    `resource.Quantity{i:resource.int64Amount{value:${value}, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"${value}", Format:"DecimalSI"}`;
  check([
    [
      'of pods have no defaults',
      limits({ type: 'Pod', default: { cpu: '1' } }),
      ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
    [
      'of claims must limit storage',
      limits({ type: 'PersistentVolumeClaim', max: { cpu: '1' } }),
      ['spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided'],
    ],
    [
      'must be consistent',
      limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
      [
        `spec.limits[0].min[cpu]: Invalid value: ${struct(2)}: min value 2 is greater than max value 1`,
        `spec.limits[0].defaultRequest[cpu]: Invalid value: ${struct(1)}: min value 2 is greater than default request value 1`,
        `spec.limits[0].default[cpu]: Invalid value: ${struct(2)}: min value 2 is greater than default value 1`,
      ],
    ],
    [
      'must allow the ratio',
      limits({ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      [`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: ${struct(3)}: ratio 3 is greater than max/min = 2.000000`],
    ],
    [
      'must have known types',
      limits({ type: 'Node' }),
      ['spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified'],
    ],
    [
      'count known resources',
      quota({ hard: { foo: '1', storage: '1', 'count/jobs.batch': '1' } }),
      [
        'spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota',
        'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota',
      ],
    ],
    [
      'must have compatible scopes',
      quota({ hard: { cpu: '1' }, scopes: ['BestEffort', 'NotBestEffort'] }),
      [
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: unsupported scope applied to resource',
        'spec.scopes: Invalid value: []core.ResourceQuotaScope{"BestEffort", "NotBestEffort"}: conflicting scopes',
      ],
    ],
    [
      'select scopes by existence, classes by value',
      quota({
        scopeSelector: {
          matchExpressions: [
            { scopeName: 'Terminating', operator: 'In' },
            { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
          ],
        },
      }),
      [
        'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exist\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
        "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
        "spec.scopeSelector.matchExpressions.values: Invalid value: []string{\"a\"}: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      ],
    ],
  ]);
});

describe('namespaces', () => {
  const LEVEL = 'pod-security.kubernetes.io/';
  check([
    [
      'must set known levels and versions',
      make('Namespace', {}, { labels: { [`${LEVEL}warn`]: 'x', [`${LEVEL}enforce-version`]: 'v2', [`${LEVEL}audit`]: 'baseline' } }),
      [
        `metadata.labels[${LEVEL}enforce-version]: Invalid value: "v2": must be "latest" or "v1.x"`,
        `metadata.labels[${LEVEL}warn]: Invalid value: "x": must be one of privileged, baseline, restricted`,
      ],
    ],
    ['may name future versions', make('Namespace', {}, { labels: { [`${LEVEL}enforce-version`]: 'v1.99' } }), []],
  ]);

  it('are terminating exactly while they are being deleted', () => {
    expect(changed(make('Namespace', {}), (made) => ({ ...made, status: { phase: 'Terminating' } }), 'status')).toEqual([
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ]);
  });
});

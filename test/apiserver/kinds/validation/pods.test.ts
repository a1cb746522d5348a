import { describe, expect, it } from 'vitest';
import type { ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';
import { causesOf } from './causes.ts';

const pod = (spec: object, metadata: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  }) as unknown as ObjectInput;
const container = (fields: object) => pod({ containers: [{ name: 'c', image: 'i', ...fields }] });
const withVolume = (source: object) => pod({ volumes: [{ name: 'v', ...source }] });
const C = 'spec.containers[0]';
const V = 'spec.volumes[0]';
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const ONE = 'Forbidden: may not specify more than 1 volume type';

const check = (cases: readonly (readonly [what: string, object: object, causes: readonly string[]])[]): void => {
  it.each(cases)('%s', (_, object, causes) => {
    expect(causesOf(object)).toEqual(causes);
  });
};

describe('containers', () => {
  check([
    [
      'report errors of a startup probe twice, as v1.24 does',
      container({ startupProbe: { exec: {}, successThreshold: 2 } }),
      [
        `${C}.startupProbe.exec.command: Required value`,
        `${C}.startupProbe.exec.command: Required value`,
        `${C}.startupProbe.successThreshold: Invalid value: 2: must be 1`,
      ],
    ],
    [
      "come in upstream's order: hooks, probes, messages, ports",
      container({ ports: [{ containerPort: 0 }], terminationMessagePolicy: 'X', lifecycle: { preStop: {} }, readinessProbe: {} }),
      [
        `${C}.lifecycle.preStop: Required value: must specify a handler type`,
        `${C}.terminationMessagePolicy: Invalid value: "X": must be 'File' or 'FallbackToLogsOnError'`,
        `${C}.readinessProbe: Required value: must specify a handler type`,
        `${C}.ports[0].containerPort: Required value`,
      ],
    ],
    [
      "without a number have none on the host's network either",
      pod({
        hostNetwork: true,
        containers: [
          {
            name: 'c',
            image: 'i',
            ports: [{ name: 'x' }, { hostPort: 0, containerPort: 80 }, { hostPort: 81, containerPort: 80, protocol: 'UDP' }],
          },
        ],
      }),
      [
        `${C}.ports[0].containerPort: Required value`,
        `${C}.ports[2].containerPort: Invalid value: 80: must match \`hostPort\` when \`hostNetwork\` is true`,
      ],
    ],
    [
      'check white space around images last',
      pod({ containers: [{ name: 'c', image: ' i' }], restartPolicy: 'X' }),
      [
        'spec.restartPolicy: Unsupported value: "X": supported values: "Always", "OnFailure", "Never"',
        `${C}.image: Invalid value: " i": must not have leading or trailing whitespace`,
      ],
    ],
    [
      'mount existing volumes at descending paths',
      pod({
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          { name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/a', subPath: '/b', mountPropagation: 'Bidirectional' }] },
        ],
      }),
      [
        `${C}.volumeMounts.subPath: Invalid value: "/b": must be a relative path`,
        `${C}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
      ],
    ],
    [
      'accept block devices from claims only',
      pod({
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [{ name: 'c', image: 'i', volumeDevices: [{ name: 'v', devicePath: '/dev/../x' }] }],
      }),
      [
        `${C}.volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
        `${C}.volumeDevices[0].devicePath: Invalid value: "/dev/../x": can not contain backsteps ('..')`,
      ],
    ],
    [
      'must have whole huge pages',
      container({ resources: { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } } }),
      ['limits', 'requests'].map(
        (side) => `${C}.resources.${side}[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
      ),
    ],
    [
      'need the name of the object of a key',
      container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: '', key: 'k' } } }] }),
      [`${C}.env[0].valueFrom.secretKeyRef.name: Invalid value: "": ${SUBDOMAIN}`],
    ],
    [
      'must have a divisor of the resource',
      container({ env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.ephemeral-storage', divisor: '3' } } }] }),
      [
        `${C}.env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.ephemeral-storage": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource`,
      ],
    ],
    [
      'have consistent privilege settings',
      container({ securityContext: { allowPrivilegeEscalation: false, privileged: true } }),
      [
        `${C}.securityContext: Invalid value: core.SecurityContext{Capabilities:(*core.Capabilities)(nil), Privileged:(*bool)(0xc000000000), SELinuxOptions:(*core.SELinuxOptions)(nil), WindowsOptions:(*core.WindowsSecurityContextOptions)(nil), RunAsUser:(*int64)(nil), RunAsGroup:(*int64)(nil), RunAsNonRoot:(*bool)(nil), ReadOnlyRootFilesystem:(*bool)(nil), AllowPrivilegeEscalation:(*bool)(0xc000000000), ProcMount:(*core.ProcMountType)(nil), SeccompProfile:(*core.SeccompProfile)(nil)}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
      ],
    ],
    [
      'that run first have no probes',
      pod({ initContainers: [{ name: 'c', image: 'i', livenessProbe: { tcpSocket: { port: 1 } } }] }),
      [
        'spec.initContainers[0].name: Duplicate value: "c"',
        'spec.initContainers[0].livenessProbe: Invalid value: core.Probe{ProbeHandler:core.ProbeHandler{Exec:(*core.ExecAction)(nil), HTTPGet:(*core.HTTPGetAction)(nil), TCPSocket:(*core.TCPSocketAction)(0xc000000000), GRPC:(*core.GRPCAction)(nil)}, InitialDelaySeconds:0, TimeoutSeconds:1, PeriodSeconds:10, SuccessThreshold:1, FailureThreshold:3, TerminationGracePeriodSeconds:(*int64)(nil)}: must not be set for init containers',
      ],
    ],
  ]);
});

describe('volumes of pods', () => {
  check([
    [
      "have one source, found in upstream's order",
      withVolume({ nfs: { server: 's', path: '/p' }, secret: { secretName: '' }, cephfs: { monitors: ['m'] }, downwardAPI: {} }),
      [`${V}.secret.secretName: Required value`, `${V}.nfs: ${ONE}`, `${V}.cephFS: ${ONE}`, `${V}.downwarAPI: ${ONE}`],
    ],
    [
      'of Google are called persistentDisk in errors',
      withVolume({ gcePersistentDisk: { pdName: '', partition: 256 } }),
      [
        `${V}.persistentDisk.pdName: Required value`,
        `${V}.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive`,
      ],
    ],
    [
      'of NFS need absolute paths',
      withVolume({ nfs: { server: '', path: '' } }),
      [`${V}.nfs.server: Required value`, `${V}.nfs.path: Required value`, `${V}.nfs.path: Invalid value: "": must be an absolute path`],
    ],
    [
      'of iSCSI need qualified names',
      withVolume({ iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthSession: true, initiatorName: 'iqn.bad' } }),
      [
        `${V}.iscsi.targetPortal: Required value`,
        `${V}.iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa`,
        `${V}.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
        `${V}.iscsi.secretRef: Required value`,
        `${V}.iscsi.initiatorname: Invalid value: "iqn.bad": must be valid format`,
      ],
    ],
    [
      'of fibre channels need a unit',
      withVolume({ fc: { targetWWNs: ['a'], wwids: ['b'] } }),
      [
        `${V}.fc.targetWWNs: Invalid value: []string{"a"}: targetWWNs and wwids can not be specified simultaneously`,
        `${V}.fc.lun: Required value: lun is required if targetWWNs is specified`,
      ],
    ],
    [
      'of Quobyte name their registries',
      withVolume({ quobyte: { registry: 'a:1,b', volume: '' } }),
      [
        `${V}.quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas`,
        `${V}.quobyte.volume: Required value`,
      ],
    ],
    [
      'must project each path once',
      withVolume({
        projected: {
          sources: [
            { secret: { name: 's', items: [{ key: 'k', path: 'f' }] } },
            { configMap: { name: '', items: [{ key: '', path: 'f', mode: 512 }] }, downwardAPI: { items: [{ path: '../x' }] } },
          ],
        },
      }),
      [
        `${V}.projected.sources[1].configMap.name: Required value`,
        `${V}.projected.sources[1].configMap.items[0].key: Required value`,
        `${V}.projected.sources[1].configMap.items[0].mode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`,
        `${V}.projected: Invalid value: "": conflicting duplicate paths`,
        `${V}.projected.sources[1].downwardAPI.path: Invalid value: "../x": must not contain '..'`,
        `${V}.projected.sources[1].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
        `${V}.projected.sources[1]: ${ONE}`,
      ],
    ],
    [
      'may project tokens only with a service account',
      withVolume({ projected: { sources: [{ serviceAccountToken: { path: '', expirationSeconds: 1 } }] } }),
      [
        `${V}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes`,
        `${V}.projected.path: Required value`,
        `${V}.projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set`,
      ],
    ],
    [
      'of ephemeral type have their own claims',
      pod({
        volumes: [
          {
            name: 'e',
            ephemeral: {
              volumeClaimTemplate: {
                metadata: { name: 'x', labels: { a: 'b' } },
                spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
              },
            },
          },
          { name: 'c', persistentVolumeClaim: { claimName: 'p-e' } },
        ],
      }),
      [
        `${V}.ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral volume`,
        'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-e": must not reference a PVC that gets created for an ephemeral volume',
      ],
    ],
    [
      'must not use reserved driver options',
      withVolume({ flexVolume: { driver: 'd', options: { 'a.Kubernetes.io/x': 'y' } } }),
      [`${V}.flexVolume.options[a.Kubernetes.io/x]: Invalid value: "a.Kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved`],
    ],
    [
      'of Azure need a valid kind of disk',
      withVolume({ azureDisk: { diskName: 'd', diskURI: 'x', kind: 'Managed', cachingMode: 'Y' } }),
      [
        `${V}.azureDisk.cachingMode: Unsupported value: "Y": supported values: "None", "ReadOnly", "ReadWrite"`,
        `${V}.azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"`,
      ],
    ],
  ]);
});

describe('specs of pods', () => {
  check([
    ['need no names for pull secrets', pod({ imagePullSecrets: [{}] }), []],
    [
      'need addresses for hosts and servers',
      pod({ hostAliases: [{ ip: 'x', hostnames: [''] }], dnsConfig: { nameservers: ['y'], options: [{ value: 'v' }] } }),
      [
        'spec.dnsConfig.nameservers[0]: Invalid value: "y": must be valid IP address',
        'spec.dnsConfig.options[0]: Required value: must not be empty',
        'spec.hostAliases.ip: Invalid value: "x": must be valid IP address',
        `spec.hostAliases.hostnames: Invalid value: "": ${SUBDOMAIN}`,
      ],
    ],
    [
      'must have profiles that match their type',
      pod({ securityContext: { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } } }),
      [
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: core.SeccompProfile{Type:"RuntimeDefault", LocalhostProfile:(*string)(0xc000000000)}: can only be set when seccomp type is Localhost',
      ],
    ],
    [
      'for Windows must not have Linux settings',
      pod({
        os: { name: 'windows' },
        hostPID: true,
        securityContext: { runAsUser: 1 },
        containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }],
      }),
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        `${C}.securityContext.privileged: Forbidden: cannot be set for a windows pod`,
      ],
    ],
    [
      'for Linux must not have Windows settings',
      pod({ os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } } }),
      [
        'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
        'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
      ],
    ],
    [
      'are host processes in all containers or none',
      pod({
        containers: [
          { name: 'c', image: 'i', securityContext: { windowsOptions: { hostProcess: true } } },
          { name: 'd', image: 'i' },
        ],
      }),
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
    ],
    [
      'share the process namespace of the pod or of the host',
      pod({ shareProcessNamespace: true, hostPID: true }),
      ['spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled'],
    ],
    [
      'must have a number as deletion cost',
      pod({}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+1' } }),
      ['metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer'],
    ],
    [
      'must have equal profiles in both forms',
      pod(
        { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
        { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
      ),
      ['spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match'],
    ],
  ]);

  it('keep both forms of seccomp profiles in step', () => {
    const { ok } = setup();
    const made = ok({
      verb: 'create',
      kind: 'Pod',
      namespace: 'default',
      body: pod(
        { containers: [{ name: 'c', image: 'i', securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a/b' } } }] },
        { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } },
      ),
    });
    expect(made.metadata.annotations).toEqual({
      'container.seccomp.security.alpha.kubernetes.io/c': 'localhost/a/b',
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
    });
    expect(made['spec']).toMatchObject({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } });
  });
});

describe('updates of pods', () => {
  const change = (alter: (spec: Record<string, unknown>) => object, metadata: object = {}): readonly string[] => {
    const { ok, refused } = setup();
    const made = ok({
      verb: 'create',
      kind: 'Pod',
      namespace: 'default',
      body: pod({ activeDeadlineSeconds: 10, tolerations: [{ key: 'a', operator: 'Exists' }] }),
    });
    const { details } = refused({
      verb: 'update',
      kind: 'Pod',
      namespace: 'default',
      name: 'p',
      body: { ...made, metadata: { ...made.metadata, ...metadata }, spec: alter(made['spec'] as Record<string, unknown>) },
    });
    return (details?.causes ?? []).map(({ field, message }) => `${field}: ${(message ?? '').slice(0, 90)}`);
  };

  it('stop validation at a longer deadline, and continue after a removed one', () => {
    expect(change((spec) => ({ ...spec, activeDeadlineSeconds: 11, tolerations: [] }))).toEqual([
      'spec.activeDeadlineSeconds: Invalid value: 11: must be less than or equal to previous value',
    ]);
    expect(change(({ activeDeadlineSeconds: _, ...spec }) => ({ ...spec, tolerations: [] }))).toEqual([
      'spec.activeDeadlineSeconds: Invalid value: "null": must not update from a positive integer to nil value',
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ]);
  });

  it('keep annotations of the system', () => {
    expect(change((spec) => spec, { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } })).toEqual([
      'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: Forbidden: may not add AppArmor annotations',
    ]);
  });

  it('keep omitted priorities', () => {
    const { ok } = setup();
    const made = ok({ verb: 'create', kind: 'Pod', namespace: 'default', body: pod({}) });
    const { priority: _, preemptionPolicy: __, ...spec } = made['spec'] as Record<string, unknown>;
    expect(ok({ verb: 'update', kind: 'Pod', namespace: 'default', name: 'p', body: { ...made, spec } })['spec']).toEqual(made['spec']);
  });

  it('must have the preemption policy of their class', () => {
    expect(causesOf(pod({ preemptionPolicy: 'Never' }))[0]).toContain(
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec',
    );
  });
});

/** Containers, probes and security contexts. Models: v1.24 core/v1 Container; defaults of pkg/apis/core/v1. */
import {
  embedded,
  always,
  bool,
  count32,
  def,
  filled,
  int32,
  int64,
  intOrString,
  list,
  mapList,
  mergeList,
  obj,
  ptr,
  req,
  str,
  field,
  oneOf,
} from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import { resourceRequirements } from './claims.ts';
import { localObjectReference } from './meta.ts';
import { completeContainer } from './pod-defaults.ts';
import { objectFieldSelector, resourceFieldSelector } from './volumes.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const containerPort = obj(
  'ContainerPort',
  'A port.',
  {
    name: field(1, 'Its name, for services and policies.', str(), { format: 'port name', distinct: 'if valid' }),
    hostPort: field(2, 'The port of the node.', int32, { format: 'port' }),
    containerPort: field(3, 'Its number.', req(int32), { needed: true, format: 'port' }),
    protocol: field(4, 'TCP, UDP or SCTP.', oneOf(filled(str('Protocol'), 'TCP'), PROTOCOLS), { among: PROTOCOLS }),
    hostIP: field(5, 'The address of the node.', str()),
  },
  { order: ['name', 'containerPort', 'hostPort', 'protocol'] },
);

const keySelector = {
  name: field([1, 1], str(), { zero: true, format: 'subdomain' }),
  key: field(2, req(str()), { needed: true, format: 'config map key' }),
  optional: field(3, ptr(bool)),
} as const;
export const envVar = obj('EnvVar', 'An environment variable.', {
  name: field(1, 'Its name.', req(str()), { needed: true, format: 'environment name' }),
  value: field(2, 'Its value.', str()),
  valueFrom: field(
    3,
    'The source of its value.',
    obj('EnvVarSource', {
      fieldRef: field(1, objectFieldSelector),
      resourceFieldRef: field(2, resourceFieldSelector),
      configMapKeyRef: field(3, obj('ConfigMapKeySelector', keySelector, { mapType: 'atomic' })),
      secretKeyRef: field(4, obj('SecretKeySelector', keySelector, { mapType: 'atomic' })),
    }),
  ),
});
export type EnvVar = Infer<typeof envVar>;

const envSource = {
  name: field([1, 1], str(), { needed: true, format: 'subdomain prefix' }),
  optional: field(2, ptr(bool)),
} as const;
export const envFromSource = obj('EnvFromSource', {
  prefix: field(1, str(), { format: 'environment name' }),
  configMapRef: field(2, obj('ConfigMapEnvSource', envSource)),
  secretRef: field(3, obj('SecretEnvSource', envSource)),
});

const execAction = obj('ExecAction', { command: field(1, list(str()), { needed: true }) });
const PORT = { format: 'port or port name' } as const;
const SCHEMES = ['HTTP', 'HTTPS'];
const httpGetAction = obj('HTTPGetAction', {
  path: field(1, filled(str(), '/')),
  port: field(2, req(intOrString), PORT),
  host: field(3, str()),
  scheme: field(4, oneOf(filled(str('URIScheme'), 'HTTP'), SCHEMES), { among: SCHEMES }),
  httpHeaders: field(
    5,
    list(obj('HTTPHeader', { name: field(1, req(str()), { format: 'header name', spelt: '' }), value: field(2, req(str())) })),
    { unindexed: true },
  ),
});
const tcpSocketAction = obj('TCPSocketAction', { port: field(1, req(intOrString), PORT), host: field(2, str()) });

const GRACE = field(7, ptr(int64), { min: [1, 'must be greater than 0'] });
const probe = obj('Probe', {
  exec: field([1, 1], execAction),
  httpGet: field([1, 2], httpGetAction),
  tcpSocket: field([1, 3], tcpSocketAction),
  grpc: field([1, 4], obj('GRPCAction', { port: field(1, req(int32), PORT), service: field(2, def(ptr(str()), '')) }), {
    since: 'GRPCContainerProbe',
  }),
  initialDelaySeconds: field(2, count32),
  timeoutSeconds: field(3, filled(count32, 1)),
  periodSeconds: field(4, filled(count32, 10)),
  successThreshold: field(5, filled(count32, 1)),
  failureThreshold: field(6, filled(count32, 3)),
  terminationGracePeriodSeconds: field(7, GRACE, { since: 'ProbeTerminationGracePeriod' }),
});
export type Probe = Infer<typeof probe>;
/** The period is refused in readiness probes, gate or not. */
const readinessProbe: typeof probe = { ...probe, fields: { ...probe.fields, terminationGracePeriodSeconds: GRACE } };

export const lifecycleHandler = obj('LifecycleHandler', {
  exec: field(1, execAction),
  httpGet: field(2, httpGetAction),
  tcpSocket: field(3, tcpSocketAction),
});
export type LifecycleHandler = Infer<typeof lifecycleHandler>;
const lifecycle = obj('Lifecycle', { postStart: field(1, lifecycleHandler), preStop: field(2, lifecycleHandler) });

export const seLinuxOptions = obj('SELinuxOptions', {
  user: field(1, str()),
  role: field(2, str()),
  type: field(3, str()),
  level: field(4, str()),
});
export const windowsOptions = obj('WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: field(1, ptr(str())),
  gmsaCredentialSpec: field(2, ptr(str())),
  runAsUserName: field(3, ptr(str())),
  hostProcess: field(4, ptr(bool)),
});
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
export const seccompProfile = obj('SeccompProfile', {
  type: field(1, oneOf(req(str('SeccompProfileType')), PROFILES), {
    needed: 'type is required when seccompProfile is set',
    among: PROFILES,
  }),
  localhostProfile: field(2, ptr(str())),
});

/** The number of a user or group. */
export const ID = { min: 0, max: 2147483647, words: 'must be between 0 and 2147483647, inclusive' } as const;

export const securityContext = obj('SecurityContext', {
  capabilities: field(1, obj('Capabilities', { add: field(1, list(str('Capability'))), drop: field(2, list(str('Capability'))) })),
  privileged: field(2, ptr(bool)),
  seLinuxOptions: field(3, seLinuxOptions),
  windowsOptions: field(10, windowsOptions),
  runAsUser: field(4, ptr(int64), ID),
  runAsGroup: field(8, ptr(int64), ID),
  runAsNonRoot: field(5, ptr(bool)),
  readOnlyRootFilesystem: field(6, ptr(bool)),
  allowPrivilegeEscalation: field(7, ptr(bool)),
  procMount: field(9, ptr(str('ProcMountType')), {
    among: ['Default', 'Unmasked'],
    // Existing values are kept: v1.24 had to keep values that older versions had set.
    since: { gate: 'ProcMountType', becomes: 'Default' },
  }),
  seccompProfile: field(11, seccompProfile),
});

const PULLS = ['Always', 'IfNotPresent', 'Never'];
const fields = {
  name: field(1, 'Unique in the pod.', req(str()), { needed: true, format: 'label' }),
  image: field(2, 'The container image.', str(), { needed: true }),
  command: field(3, 'The program; absent: that of the image.', list(str())),
  args: field(4, 'Its arguments.', list(str())),
  workingDir: field(5, 'The working directory.', str()),
  ports: field(6, 'Ports it listens on; for information.', { ...mapList(containerPort, 'containerPort', 'protocol') }),
  envFrom: field(19, 'Environment variables from ConfigMaps and Secrets.', list(envFromSource)),
  env: field(7, 'Environment variables.', mergeList(envVar, 'name')),
  resources: field(8, 'Resource requests and limits.', always(resourceRequirements)),
  volumeMounts: field(
    9,
    'Mount points of volumes.',
    mergeList(
      obj('VolumeMount', 'A mount of a volume.', {
        name: field(1, 'The volume.', req(str()), { needed: true }),
        readOnly: field(2, 'Whether it is read-only.', bool),
        mountPath: field(3, 'The path in the container.', req(str()), { needed: true }),
        subPath: field(4, 'The path in the volume.', str(), { format: 'descending path' }),
        mountPropagation: field(5, 'How mounts propagate between host and container.', ptr(str('MountPropagationMode')), {
          among: ['Bidirectional', 'HostToContainer', 'None'],
        }),
        subPathExpr: field(6, 'The path in the volume, with environment variables.', str(), { format: 'descending path' }),
      }),
      'mountPath',
    ),
  ),
  volumeDevices: field(
    21,
    'Paths of block devices.',
    mergeList(
      obj('VolumeDevice', { name: field(1, req(str()), { needed: true }), devicePath: field(2, req(str()), { needed: true }) }),
      'devicePath',
    ),
  ),
  livenessProbe: field(10, 'When it fails, the container is restarted.', probe),
  readinessProbe: field(11, 'When it fails, the pod is not ready.', readinessProbe),
  startupProbe: field(22, 'The other probes wait until it succeeds.', probe),
  lifecycle: field(12, 'Hooks after its start and before its end.', lifecycle),
  terminationMessagePath: field(13, 'The file with its termination message.', filled(str(), '/dev/termination-log')),
  terminationMessagePolicy: field(
    20,
    'File, or FallbackToLogsOnError.',
    oneOf(filled(str('TerminationMessagePolicy'), 'File'), ['FallbackToLogsOnError', 'File']),
    { among: ['File', 'FallbackToLogsOnError'], words: "must be 'File' or 'FallbackToLogsOnError'" },
  ),
  imagePullPolicy: field(14, 'Always, Never or IfNotPresent.', oneOf(str('PullPolicy'), PULLS), { among: PULLS }),
  securityContext: field(15, 'User, groups and privileges.', securityContext),
  stdin: field(16, 'Whether it has an input.', bool),
  stdinOnce: field(17, 'Whether the input ends with its first reader.', bool),
  tty: field(18, 'Whether it has a terminal.', bool),
} as const;

export const container = obj('Container', 'A container.', fields, { memo: true, complete: completeContainer });
export type Container = Infer<typeof container>;

export const ephemeralContainer = obj(
  'EphemeralContainer',
  'A container for debugging a running pod.',
  { ...embedded(1, fields), targetContainerName: field(2, 'The container whose process namespace it uses.', str()) },
  { memo: true, complete: completeContainer },
);

export const pullSecrets = mergeList(localObjectReference, 'name');

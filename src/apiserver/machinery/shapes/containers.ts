/** Containers, probes and security contexts. Models: v1.24 core/v1 Container; defaults of pkg/apis/core/v1. */
import {
  always,
  bool,
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
  type Complete,
  type Infer,
} from '../../../schema/shape/index.ts';
import { memoised } from '../../../schema/values/index.ts';
import { resourceRequirements } from './claims.ts';
import { localObjectReference } from './meta.ts';
import { objectFieldSelector, resourceFieldSelector } from './volumes.ts';

const containerPort = obj('ContainerPort', {
  name: str(),
  hostPort: int32,
  containerPort: req(int32),
  protocol: filled(str('Protocol'), 'TCP'),
  hostIP: str(),
});
export type ContainerPort = Infer<typeof containerPort>;

const keySelector = { name: str(), key: req(str()), optional: ptr(bool) } as const;
const envVar = obj('EnvVar', {
  name: req(str()),
  value: str(),
  valueFrom: obj('EnvVarSource', {
    fieldRef: objectFieldSelector,
    resourceFieldRef: resourceFieldSelector,
    configMapKeyRef: obj('ConfigMapKeySelector', keySelector, { mapType: 'atomic' }),
    secretKeyRef: obj('SecretKeySelector', keySelector, { mapType: 'atomic' }),
  }),
});
export type EnvVar = Infer<typeof envVar>;

const envFromSource = obj('EnvFromSource', {
  prefix: str(),
  configMapRef: obj('ConfigMapEnvSource', { name: str(), optional: ptr(bool) }),
  secretRef: obj('SecretEnvSource', { name: str(), optional: ptr(bool) }),
});

const execAction = obj('ExecAction', { command: list(str()) });
const httpGetAction = obj('HTTPGetAction', {
  path: filled(str(), '/'),
  port: req(intOrString),
  host: str(),
  scheme: filled(str('URIScheme'), 'HTTP'),
  httpHeaders: list(obj('HTTPHeader', { name: req(str()), value: req(str()) })),
});
const tcpSocketAction = obj('TCPSocketAction', { port: req(intOrString), host: str() });

export const probe = obj('Probe', {
  exec: execAction,
  httpGet: httpGetAction,
  tcpSocket: tcpSocketAction,
  grpc: obj('GRPCAction', { port: req(int32), service: def(ptr(str()), '') }),
  initialDelaySeconds: int32,
  timeoutSeconds: filled(int32, 1),
  periodSeconds: filled(int32, 10),
  successThreshold: filled(int32, 1),
  failureThreshold: filled(int32, 3),
  terminationGracePeriodSeconds: ptr(int64),
});
export type Probe = Infer<typeof probe>;

const lifecycleHandler = obj('LifecycleHandler', { exec: execAction, httpGet: httpGetAction, tcpSocket: tcpSocketAction });
export type LifecycleHandler = Infer<typeof lifecycleHandler>;
const lifecycle = obj('Lifecycle', { postStart: lifecycleHandler, preStop: lifecycleHandler });

export const seLinuxOptions = obj('SELinuxOptions', { user: str(), role: str(), type: str(), level: str() });
export const windowsOptions = obj('WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: ptr(str()),
  gmsaCredentialSpec: ptr(str()),
  runAsUserName: ptr(str()),
  hostProcess: ptr(bool),
});
export const seccompProfile = obj('SeccompProfile', { type: req(str('SeccompProfileType')), localhostProfile: ptr(str()) });

const securityContext = obj('SecurityContext', {
  capabilities: obj('Capabilities', { add: list(str('Capability')), drop: list(str('Capability')) }),
  privileged: ptr(bool),
  seLinuxOptions,
  windowsOptions,
  runAsUser: ptr(int64),
  runAsGroup: ptr(int64),
  runAsNonRoot: ptr(bool),
  readOnlyRootFilesystem: ptr(bool),
  allowPrivilegeEscalation: ptr(bool),
  procMount: ptr(str('ProcMountType')),
  seccompProfile,
});

const fields = {
  name: req(str()),
  image: str(),
  command: list(str()),
  args: list(str()),
  workingDir: str(),
  ports: { ...mapList(containerPort, 'containerPort', 'protocol') },
  envFrom: list(envFromSource),
  env: mergeList(envVar, 'name'),
  resources: always(resourceRequirements),
  volumeMounts: mergeList(
    obj('VolumeMount', {
      name: req(str()),
      readOnly: bool,
      mountPath: req(str()),
      subPath: str(),
      mountPropagation: ptr(str('MountPropagationMode')),
      subPathExpr: str(),
    }),
    'mountPath',
  ),
  volumeDevices: mergeList(obj('VolumeDevice', { name: req(str()), devicePath: req(str()) }), 'devicePath'),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle,
  terminationMessagePath: filled(str(), '/dev/termination-log'),
  terminationMessagePolicy: filled(str('TerminationMessagePolicy'), 'File'),
  imagePullPolicy: str('PullPolicy'),
  securityContext,
  stdin: bool,
  stdinOnce: bool,
  tty: bool,
} as const;

/** Images with a tag other than `latest`, or with a digest, may come from the node's cache. */
const pullPolicyOf = memoised((image: string): string => {
  const parts = IMAGE.exec(image);
  // A text that is not an image reference has no tag, so it is not the latest.
  if (parts === null) return 'IfNotPresent';
  const [, tag, digest] = parts;
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
}, 1024);

const COMPONENT = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
/** `host:port/path/name:tag@digest`. */
const IMAGE = new RegExp(
  `^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9-]+)*(?::\\d+)?)/)?${COMPONENT}(?:/${COMPONENT})*(?::(\\w[\\w.-]{0,127}))?(@[a-z0-9]+:[0-9a-fA-F]{32,})?$`,
);

const complete: Complete = (value) =>
  value['imagePullPolicy'] === undefined ? { imagePullPolicy: pullPolicyOf(String(value['image'] ?? '')) } : undefined;

export const container = obj('Container', fields, { memo: true, complete });
export type Container = Infer<typeof container>;

export const ephemeralContainer = obj('EphemeralContainer', { ...fields, targetContainerName: str() }, { memo: true, complete });

export const pullSecrets = mergeList(localObjectReference, 'name');

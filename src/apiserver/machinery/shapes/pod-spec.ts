/** The specification of a pod. Models: v1.24 core/v1 PodSpec and SetDefaults_PodSpec. */
import {
  always,
  bool,
  filled,
  int32,
  int64,
  list,
  map,
  mapList,
  mergeList,
  obj,
  ptr,
  req,
  str,
  type Complete,
  type Infer,
} from '../../../schema/shape/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { resourceList } from './claims.ts';
import { container, ephemeralContainer, pullSecrets, seccompProfile, seLinuxOptions, windowsOptions } from './containers.ts';
import { labelSelector, objectMeta } from './meta.ts';
import { volume } from './volumes.ts';

const nodeSelectorRequirement = obj('NodeSelectorRequirement', {
  key: req(str()),
  operator: req(str('NodeSelectorOperator')),
  values: list(str()),
});
export type NodeSelectorRequirement = Infer<typeof nodeSelectorRequirement>;
export const nodeSelectorTerm = obj(
  'NodeSelectorTerm',
  { matchExpressions: list(nodeSelectorRequirement), matchFields: list(nodeSelectorRequirement) },
  { mapType: 'atomic' },
);
export type NodeSelectorTerm = Infer<typeof nodeSelectorTerm>;
export const nodeSelector = obj('NodeSelector', { nodeSelectorTerms: req(list(nodeSelectorTerm)) }, { mapType: 'atomic' });
export type NodeSelector = Infer<typeof nodeSelector>;

const podAffinityTerm = obj('PodAffinityTerm', {
  labelSelector,
  namespaces: list(str()),
  topologyKey: req(str()),
  namespaceSelector: labelSelector,
});
export type PodAffinityTerm = Infer<typeof podAffinityTerm>;
const weightedPodAffinityTerm = obj('WeightedPodAffinityTerm', { weight: req(int32), podAffinityTerm: req(podAffinityTerm) });
const podAffinityFields = {
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(weightedPodAffinityTerm),
} as const;

export const affinity = obj(
  'Affinity',
  {
    nodeAffinity: obj('NodeAffinity', {
      requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
      preferredDuringSchedulingIgnoredDuringExecution: list(
        obj('PreferredSchedulingTerm', { weight: req(int32), preference: req(nodeSelectorTerm) }),
      ),
    }),
    podAffinity: obj('PodAffinity', podAffinityFields),
    podAntiAffinity: obj('PodAntiAffinity', podAffinityFields),
  },
  { memo: true },
);
export type Affinity = Infer<typeof affinity>;

export const toleration = obj(
  'Toleration',
  { key: str(), operator: str('TolerationOperator'), value: str(), effect: str('TaintEffect'), tolerationSeconds: ptr(int64) },
  { memo: true },
);
export type Toleration = Infer<typeof toleration>;

const topologySpreadConstraint = obj(
  'TopologySpreadConstraint',
  {
    maxSkew: req(int32),
    topologyKey: req(str()),
    whenUnsatisfiable: req(str('UnsatisfiableConstraintAction')),
    labelSelector,
    minDomains: ptr(int32),
  },
  { memo: true },
);
export type TopologySpreadConstraint = Infer<typeof topologySpreadConstraint>;

const podSecurityContext = obj('PodSecurityContext', {
  seLinuxOptions,
  windowsOptions,
  runAsUser: ptr(int64),
  runAsGroup: ptr(int64),
  runAsNonRoot: ptr(bool),
  supplementalGroups: list(int64),
  fsGroup: ptr(int64),
  sysctls: list(obj('Sysctl', { name: req(str()), value: req(str()) })),
  fsGroupChangePolicy: ptr(str('PodFSGroupChangePolicy')),
  seccompProfile,
});

const fields = {
  volumes: mergeList(volume, 'name', 'merge,retainKeys'),
  initContainers: mergeList(container, 'name'),
  containers: req(mergeList(container, 'name')),
  ephemeralContainers: mergeList(ephemeralContainer, 'name'),
  restartPolicy: filled(str('RestartPolicy'), 'Always'),
  terminationGracePeriodSeconds: filled(ptr(int64), 30),
  activeDeadlineSeconds: ptr(int64),
  dnsPolicy: filled(str('DNSPolicy'), 'ClusterFirst'),
  nodeSelector: { ...map(str()), mapType: 'atomic' } as const,
  serviceAccountName: str(),
  serviceAccount: str(),
  automountServiceAccountToken: ptr(bool),
  nodeName: str(),
  hostNetwork: bool,
  hostPID: bool,
  hostIPC: bool,
  shareProcessNamespace: ptr(bool),
  securityContext: filled(podSecurityContext, Object.freeze({})),
  imagePullSecrets: pullSecrets,
  hostname: str(),
  subdomain: str(),
  affinity,
  schedulerName: filled(str(), 'default-scheduler'),
  tolerations: list(toleration),
  hostAliases: mergeList(obj('HostAlias', { ip: str(), hostnames: list(str()) }), 'ip'),
  priorityClassName: str(),
  priority: ptr(int32),
  dnsConfig: obj('PodDNSConfig', {
    nameservers: list(str()),
    searches: list(str()),
    options: list(obj('PodDNSConfigOption', { name: str(), value: ptr(str()) })),
  }),
  readinessGates: list(obj('PodReadinessGate', { conditionType: req(str('PodConditionType')) })),
  runtimeClassName: ptr(str()),
  enableServiceLinks: ptr(bool),
  preemptionPolicy: ptr(str('PreemptionPolicy')),
  overhead: resourceList,
  topologySpreadConstraints: mapList(topologySpreadConstraint, 'topologyKey', 'whenUnsatisfiable'),
  setHostnameAsFQDN: ptr(bool),
  os: obj('PodOS', { name: req(str('OSName')) }),
} as const;

type Loose = Readonly<Record<string, unknown>>;
const looseList = (value: unknown): readonly Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);

/** A port without a number has no host port either. */
const hasHostPort = (port: Loose): boolean => port['hostPort'] !== undefined || port['containerPort'] === 0;

/** On the host's network the container port is the host port. */
function hostPorts(containers: unknown): readonly Loose[] | undefined {
  let changed = false;
  const result = looseList(containers).map((container) => {
    const ports = looseList(container['ports']);
    if (ports.every(hasHostPort)) return container;
    changed = true;
    return {
      ...container,
      ports: ports.map(({ name, ...port }) => ({
        ...(name === undefined ? {} : { name }),
        ...(hasHostPort(port) ? {} : { hostPort: port['containerPort'] }),
        ...port,
      })),
    };
  });
  return changed ? result : undefined;
}

const completeTemplate: Complete = (spec) => {
  const additions: Record<string, unknown> = {};
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  // The two names of one field have the same value in every response.
  if (account !== undefined && (spec['serviceAccountName'] !== account || spec['serviceAccount'] !== account))
    Object.assign(additions, { serviceAccountName: account, serviceAccount: account });
  if (spec['hostNetwork'] === true) {
    for (const field of ['containers', 'initContainers']) {
      const ports = hostPorts(spec[field]);
      if (ports !== undefined) additions[field] = ports;
    }
  }
  for (const _ in additions) return additions;
  return undefined;
};

/** The default request is the limit. */
function requestsFromLimits(containers: unknown): readonly Loose[] | undefined {
  let changed = false;
  const result = looseList(containers).map((container) => {
    const resources = (container['resources'] ?? {}) as { readonly limits?: Loose; readonly requests?: Loose };
    const limits = resources.limits;
    if (limits === undefined) return container;
    const requests = resources.requests ?? {};
    const missing = Object.keys(limits).filter((name) => requests[name] === undefined);
    if (missing.length === 0) return container;
    changed = true;
    const merged: Record<string, unknown> = { ...requests };
    for (const name of missing) merged[name] = limits[name];
    const names = Object.keys(merged).sort(compareText);
    return { ...container, resources: { limits, requests: Object.fromEntries(names.map((name) => [name, merged[name]])) } };
  });
  return changed ? result : undefined;
}

/** Defaults of pods; templates are kept as written. */
const completePod: Complete = (spec) => {
  const additions: Record<string, unknown> = { ...completeTemplate(spec) };
  if (spec['enableServiceLinks'] === undefined) additions['enableServiceLinks'] = true;
  for (const field of ['containers', 'initContainers']) {
    const requested = requestsFromLimits(additions[field] ?? spec[field]);
    if (requested !== undefined) additions[field] = requested;
  }
  for (const _ in additions) return additions;
  return undefined;
};

/** The pod spec in a template. */
const templatePodSpec = obj('PodSpec', fields, { memo: true, complete: completeTemplate });
/** The pod spec in a Pod. */
export const podSpec = obj('PodSpec', fields, { memo: true, complete: completePod });
export type PodSpec = Infer<typeof podSpec>;

export const podTemplateSpec = obj('PodTemplateSpec', { metadata: always(objectMeta), spec: always(templatePodSpec) }, { memo: true });
export type PodTemplateSpec = Infer<typeof podTemplateSpec>;

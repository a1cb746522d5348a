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
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { resourceList } from './claims.ts';
import { container, ephemeralContainer, pullSecrets, seccompProfile, seLinuxOptions, windowsOptions } from './containers.ts';
import { labelSelector, objectMeta } from './meta.ts';
import { volume } from './volumes.ts';

const nodeSelectorRequirement = obj('NodeSelectorRequirement', 'One requirement.', {
  key: field(1, 'The label.', req(str())),
  operator: field(
    2,
    'In, NotIn, Exists, DoesNotExist, Gt or Lt.',
    oneOf(req(str('NodeSelectorOperator')), ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn']),
  ),
  values: field(3, 'For Gt and Lt one number.', list(str())),
});
export type NodeSelectorRequirement = Infer<typeof nodeSelectorRequirement>;
export const nodeSelectorTerm = obj(
  'NodeSelectorTerm',
  'Requirements that must all hold.',
  {
    matchExpressions: field(1, 'On labels.', list(nodeSelectorRequirement)),
    matchFields: field(2, 'On fields; metadata.name is the one there is.', list(nodeSelectorRequirement)),
  },
  { mapType: 'atomic' },
);
export type NodeSelectorTerm = Infer<typeof nodeSelectorTerm>;
export const nodeSelector = obj(
  'NodeSelector',
  'Nodes.',
  { nodeSelectorTerms: field(1, 'One of them must hold.', req(list(nodeSelectorTerm))) },
  { mapType: 'atomic' },
);
export type NodeSelector = Infer<typeof nodeSelector>;

const podAffinityTerm = obj('PodAffinityTerm', 'Pods, and what counts as one place.', {
  labelSelector: field(1, 'The pods.', labelSelector),
  namespaces: field(2, 'Where they are; absent: where this one is.', list(str())),
  topologyKey: field(3, 'Nodes with one value of this label are one place.', req(str())),
  namespaceSelector: field(4, 'Where they are, by labels.', labelSelector),
});
export type PodAffinityTerm = Infer<typeof podAffinityTerm>;
const weightedPodAffinityTerm = obj('WeightedPodAffinityTerm', 'A wish.', {
  weight: field(1, '1 to 100.', req(int32)),
  podAffinityTerm: field(2, 'Pods, and what counts as one place.', req(podAffinityTerm)),
});
const podAffinityFields = {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, 'Must hold when it is scheduled.', list(podAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, 'Counts in favour of a node, by weight.', list(weightedPodAffinityTerm)),
} as const;

export const affinity = obj(
  'Affinity',
  'Whom it wants to be with.',
  {
    nodeAffinity: field(
      1,
      'Nodes.',
      obj('NodeAffinity', 'Nodes it wants.', {
        requiredDuringSchedulingIgnoredDuringExecution: field(1, 'Must hold when it is scheduled.', nodeSelector),
        preferredDuringSchedulingIgnoredDuringExecution: field(
          2,
          'Counts in favour of a node, by weight.',
          list(
            obj('PreferredSchedulingTerm', 'A wish.', {
              weight: field(1, '1 to 100.', req(int32)),
              preference: field(2, 'Requirements that must all hold.', req(nodeSelectorTerm)),
            }),
          ),
        ),
      }),
    ),
    podAffinity: field(2, 'Pods to be near.', obj('PodAffinity', 'Pods, and what counts as one place.', podAffinityFields)),
    podAntiAffinity: field(3, 'Pods to be far from.', obj('PodAntiAffinity', podAffinityFields)),
  },
  { memo: true },
);
export type Affinity = Infer<typeof affinity>;

export const toleration = obj(
  'Toleration',
  'A taint that is borne.',
  {
    key: field(1, 'Of the taint; empty, with Exists: all of them.', str()),
    operator: field(2, 'Equal, or Exists for any value.', oneOf(str('TolerationOperator'), ['Equal', 'Exists'])),
    value: field(3, 'Of the taint.', str()),
    effect: field(4, 'Of the taint; empty: all.', oneOf(str('TaintEffect'), ['NoExecute', 'NoSchedule', 'PreferNoSchedule'])),
    tolerationSeconds: field(5, 'For how long a NoExecute taint is borne; absent: for ever, 0 or less: not at all.', ptr(int64)),
  },
  { memo: true },
);
export type Toleration = Infer<typeof toleration>;

const topologySpreadConstraint = obj(
  'TopologySpreadConstraint',
  'How pods are spread.',
  {
    maxSkew: field(1, 'By how many the fullest place may be ahead of the emptiest.', req(int32)),
    topologyKey: field(2, 'Nodes with one value of this label are one place.', req(str())),
    whenUnsatisfiable: field(
      3,
      'DoNotSchedule or ScheduleAnyway.',
      oneOf(req(str('UnsatisfiableConstraintAction')), ['DoNotSchedule', 'ScheduleAnyway']),
    ),
    labelSelector: field(4, 'The pods that are counted.', labelSelector),
    minDomains: field(5, 'How many places there should be at least.', ptr(int32)),
  },
  { memo: true },
);
export type TopologySpreadConstraint = Infer<typeof topologySpreadConstraint>;

const podSecurityContext = obj('PodSecurityContext', {
  seLinuxOptions: field(1, seLinuxOptions),
  windowsOptions: field(8, windowsOptions),
  runAsUser: field(2, ptr(int64)),
  runAsGroup: field(6, ptr(int64)),
  runAsNonRoot: field(3, ptr(bool)),
  supplementalGroups: field(4, list(int64)),
  fsGroup: field(5, ptr(int64)),
  sysctls: field(7, list(obj('Sysctl', { name: field(1, req(str())), value: field(2, req(str())) }))),
  fsGroupChangePolicy: field(9, ptr(str('PodFSGroupChangePolicy'))),
  seccompProfile: field(10, seccompProfile),
});

const fields = {
  volumes: field(1, 'What its containers may mount.', mergeList(volume, 'name', 'merge,retainKeys')),
  initContainers: field(20, 'Run one after the other, each to its end, before the others start.', mergeList(container, 'name')),
  containers: field(2, 'What runs; at least one.', req(mergeList(container, 'name'))),
  ephemeralContainers: field(34, 'Added while it runs, to look into it.', mergeList(ephemeralContainer, 'name')),
  restartPolicy: field(
    3,
    'Always, OnFailure or Never: whether containers that ended are started again.',
    oneOf(filled(str('RestartPolicy'), 'Always'), ['Always', 'Never', 'OnFailure']),
  ),
  terminationGracePeriodSeconds: field(4, 'How long its containers may take to end.', filled(ptr(int64), 30)),
  activeDeadlineSeconds: field(5, 'How long it may run before it is failed.', ptr(int64)),
  dnsPolicy: field(
    6,
    'How it finds names.',
    oneOf(filled(str('DNSPolicy'), 'ClusterFirst'), ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
  ),
  nodeSelector: field(7, 'Labels that its node must have.', { ...map(str()), mapType: 'atomic' } as const),
  serviceAccountName: field(8, 'Who it is.', str()),
  serviceAccount: field(9, 'An old name of serviceAccountName.', str()),
  automountServiceAccountToken: field(21, 'Whether it gets a token.', ptr(bool)),
  nodeName: field(10, 'The node it is on; written by the scheduler.', str()),
  hostNetwork: field(11, "Whether it uses the node's network.", bool),
  hostPID: field(12, "Whether it sees the node's processes.", bool),
  hostIPC: field(13, "Whether it shares the node's memory.", bool),
  shareProcessNamespace: field(27, "Whether its containers see each other's processes.", ptr(bool)),
  securityContext: field(14, 'Who its containers are and what they may.', filled(podSecurityContext, Object.freeze({}))),
  imagePullSecrets: field(15, 'Secrets to pull images with.', pullSecrets),
  hostname: field(16, 'Its host name; absent: its name.', str()),
  subdomain: field(17, 'The service whose name is part of its own.', str()),
  affinity: field(18, 'Nodes and pods it wants to be with.', affinity),
  schedulerName: field(19, 'Who puts it onto a node.', filled(str(), 'default-scheduler')),
  tolerations: field(22, 'Taints it bears.', list(toleration)),
  hostAliases: field(
    23,
    'Names in its hosts file.',
    mergeList(obj('HostAlias', { ip: field(1, str()), hostnames: field(2, list(str())) }), 'ip'),
  ),
  priorityClassName: field(24, 'How important it is.', str()),
  priority: field(25, 'The same as a number; written by the server.', ptr(int32)),
  dnsConfig: field(
    26,
    'Further settings for names.',
    obj('PodDNSConfig', {
      nameservers: field(1, list(str())),
      searches: field(2, list(str())),
      options: field(3, list(obj('PodDNSConfigOption', { name: field(1, str()), value: field(2, ptr(str())) }))),
    }),
  ),
  readinessGates: field(
    28,
    'Conditions that must be true for it to be ready.',
    list(obj('PodReadinessGate', { conditionType: field(1, req(str('PodConditionType'))) })),
  ),
  runtimeClassName: field(29, 'How its containers are run.', ptr(str())),
  enableServiceLinks: field(30, 'Whether variables tell of services.', ptr(bool)),
  preemptionPolicy: field(31, 'Whether others may be ended for it.', ptr(str('PreemptionPolicy'))),
  overhead: field(32, 'What it needs besides its containers; written by the server.', resourceList),
  topologySpreadConstraints: field(
    33,
    'How pods like it are spread.',
    mapList(topologySpreadConstraint, 'topologyKey', 'whenUnsatisfiable'),
  ),
  setHostnameAsFQDN: field(35, 'Whether its host name is the full one.', ptr(bool)),
  os: field(36, 'The system it is for.', obj('PodOS', { name: field(1, req(str('OSName'))) })),
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
const templatePodSpec = obj('PodSpec', 'What runs, where, and for how long.', fields, { memo: true, complete: completeTemplate });
/** The pod spec in a Pod. */
export const podSpec = obj('PodSpec', 'What runs, where, and for how long.', fields, { memo: true, complete: completePod });
export type PodSpec = Infer<typeof podSpec>;

export const podTemplateSpec = obj(
  'PodTemplateSpec',
  'What pods are made of.',
  {
    metadata: field(1, 'Labels and annotations that each one gets.', always(objectMeta)),
    spec: field(2, 'What runs.', always(templatePodSpec)),
  },
  { memo: true },
);
export type PodTemplateSpec = Infer<typeof podTemplateSpec>;

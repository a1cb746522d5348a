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
  field,
  oneOf,
} from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import { resourceList } from './claims.ts';
import { container, ephemeralContainer, ID, pullSecrets, seccompProfile, seLinuxOptions, windowsOptions } from './containers.ts';
import { labelSelector, objectMeta } from './meta.ts';
import { completePod, completeTemplate } from './pod-defaults.ts';
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
  'Requirements; all must match.',
  {
    matchExpressions: field(1, 'Requirements on labels.', list(nodeSelectorRequirement)),
    matchFields: field(2, 'Requirements on fields; only metadata.name is supported.', list(nodeSelectorRequirement)),
  },
  { mapType: 'atomic' },
);
export type NodeSelectorTerm = Infer<typeof nodeSelectorTerm>;
export const nodeSelector = obj(
  'NodeSelector',
  'Constraints on nodes.',
  { nodeSelectorTerms: field(1, 'One of them must match.', req(list(nodeSelectorTerm))) },
  { mapType: 'atomic' },
);
export type NodeSelector = Infer<typeof nodeSelector>;

const weight = field(1, '1 to 100.', req(int32), { min: 1, max: 100, words: 'must be in the range 1-100' });
const podAffinityTerm = obj(
  'PodAffinityTerm',
  'Pods and a topology.',
  {
    labelSelector: field(1, 'The pods.', labelSelector, { format: 'label selector' }),
    namespaces: field(2, 'Their namespaces; absent: that of the pod.', list(str()), { format: 'label', spelt: 'namespace' }),
    topologyKey: field(3, 'Nodes with the same value of this label are one topology domain.', req(str()), { format: 'topology key' }),
    namespaceSelector: field(4, 'Their namespaces, by labels.', labelSelector, { format: 'label selector' }),
  },
  { order: ['labelSelector', 'namespaceSelector', 'namespaces', 'topologyKey'] },
);
export type PodAffinityTerm = Infer<typeof podAffinityTerm>;
const weightedPodAffinityTerm = obj('WeightedPodAffinityTerm', 'A preference.', {
  weight,
  podAffinityTerm: field(2, 'Pods and a topology.', req(podAffinityTerm)),
});
const podAffinityFields = {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, 'Required for scheduling.', list(podAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, 'Preferred in scheduling, by weight.', list(weightedPodAffinityTerm)),
} as const;

export const affinity = obj(
  'Affinity',
  'Scheduling constraints.',
  {
    nodeAffinity: field(
      1,
      'Constraints on nodes.',
      obj('NodeAffinity', 'Constraints on nodes.', {
        requiredDuringSchedulingIgnoredDuringExecution: field(1, 'Required for scheduling.', nodeSelector),
        preferredDuringSchedulingIgnoredDuringExecution: field(
          2,
          'Preferred in scheduling, by weight.',
          list(
            obj('PreferredSchedulingTerm', 'A preference.', {
              weight,
              preference: field(2, 'Requirements; all must match.', req(nodeSelectorTerm)),
            }),
          ),
        ),
      }),
    ),
    podAffinity: field(2, 'Pods to be placed together with.', obj('PodAffinity', 'Pods and a topology.', podAffinityFields)),
    podAntiAffinity: field(3, 'Pods to be placed apart from.', obj('PodAntiAffinity', podAffinityFields)),
  },
  { memo: true },
);
export type Affinity = Infer<typeof affinity>;

export const toleration = obj(
  'Toleration',
  'A tolerated taint.',
  {
    key: field(1, 'Of the taint; empty, with Exists: all of them.', str()),
    operator: field(2, 'Equal, or Exists for any value.', oneOf(str('TolerationOperator'), ['Equal', 'Exists'])),
    value: field(3, 'Of the taint.', str()),
    effect: field(4, 'Of the taint; empty: all.', oneOf(str('TaintEffect'), ['NoExecute', 'NoSchedule', 'PreferNoSchedule'])),
    tolerationSeconds: field(
      5,
      'Seconds for which a NoExecute taint is tolerated; absent: indefinitely, 0 or less: not at all.',
      ptr(int64),
    ),
  },
  { memo: true },
);
export type Toleration = Infer<typeof toleration>;

const POSITIVE = { min: [1, 'must be greater than zero'] } as const;
export const topologySpreadConstraint = obj(
  'TopologySpreadConstraint',
  'A constraint on the distribution of pods.',
  {
    maxSkew: field(1, 'The maximum difference between domains in the number of pods.', req(int32), POSITIVE),
    topologyKey: field(2, 'Nodes with the same value of this label are one topology domain.', req(str()), { needed: 'can not be empty' }),
    whenUnsatisfiable: field(
      3,
      'DoNotSchedule or ScheduleAnyway.',
      oneOf(req(str('UnsatisfiableConstraintAction')), ['DoNotSchedule', 'ScheduleAnyway']),
      { among: ['DoNotSchedule', 'ScheduleAnyway'] },
    ),
    labelSelector: field(4, 'The pods that are counted.', labelSelector),
    minDomains: field(5, 'The minimum number of domains.', ptr(int32), {
      ...POSITIVE,
      since: 'MinDomainsInPodTopologySpread',
    }),
  },
  { memo: true },
);
export type TopologySpreadConstraint = Infer<typeof topologySpreadConstraint>;

const SYSCTL = { needed: true, format: 'sysctl', distinct: 'if valid' } as const;
export const podSecurityContext = obj('PodSecurityContext', {
  seLinuxOptions: field(1, seLinuxOptions),
  windowsOptions: field(8, windowsOptions),
  runAsUser: field(2, ptr(int64), ID),
  runAsGroup: field(6, ptr(int64), ID),
  runAsNonRoot: field(3, ptr(bool)),
  supplementalGroups: field(4, list({ ...int64, ...ID })),
  fsGroup: field(5, ptr(int64), ID),
  sysctls: field(7, list(obj('Sysctl', { name: field(1, req(str()), SYSCTL), value: field(2, req(str())) }))),
  fsGroupChangePolicy: field(9, ptr(str('PodFSGroupChangePolicy')), { among: ['Always', 'OnRootMismatch'] }),
  seccompProfile: field(10, seccompProfile),
});

const fields = {
  volumes: field(1, 'Volumes that its containers may mount.', mergeList(volume, 'name', 'merge,retainKeys')),
  initContainers: field(
    20,
    'Containers that run to completion, one after the other, before the others start.',
    mergeList(container, 'name'),
  ),
  containers: field(2, 'Its containers; at least one.', req(mergeList(container, 'name'))),
  ephemeralContainers: field(34, 'Containers added to a running pod for debugging.', mergeList(ephemeralContainer, 'name')),
  restartPolicy: field(
    3,
    'Always, OnFailure or Never: whether terminated containers are restarted.',
    oneOf(filled(str('RestartPolicy'), 'Always'), ['Always', 'Never', 'OnFailure']),
    { among: ['Always', 'OnFailure', 'Never'] },
  ),
  terminationGracePeriodSeconds: field(4, 'Seconds that its containers have to terminate.', filled(ptr(int64), 30)),
  activeDeadlineSeconds: field(5, 'Seconds after which it fails.', ptr(int64), {
    min: 1,
    max: 2147483647,
    words: 'must be between 1 and 2147483647, inclusive',
  }),
  dnsPolicy: field(
    6,
    'The policy of name resolution.',
    oneOf(filled(str('DNSPolicy'), 'ClusterFirst'), ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
    { among: ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'] },
  ),
  nodeSelector: field(7, 'Labels that its node must have.', { ...map(str()), mapType: 'atomic' } as const, {
    format: 'labels',
  }),
  serviceAccountName: field(8, 'Its service account.', str(), { format: 'subdomain' }),
  serviceAccount: field(9, 'An old name of serviceAccountName.', str()),
  automountServiceAccountToken: field(21, 'Whether it gets a token.', ptr(bool)),
  nodeName: field(10, 'Its node; set by the scheduler.', str(), { format: 'subdomain' }),
  hostNetwork: field(11, "Whether it uses the node's network.", bool),
  hostPID: field(12, "Whether it uses the node's process namespace.", bool),
  hostIPC: field(13, "Whether it uses the node's IPC namespace.", bool),
  shareProcessNamespace: field(27, 'Whether its containers share a process namespace.', ptr(bool)),
  securityContext: field(14, 'User, groups and privileges of its containers.', filled(podSecurityContext, Object.freeze({}))),
  imagePullSecrets: field(15, 'Secrets for pulling images.', pullSecrets),
  hostname: field(16, 'Its host name; absent: its name.', str(), { format: 'label' }),
  subdomain: field(17, 'The service that is part of its domain name.', str(), { format: 'label' }),
  affinity: field(18, 'Scheduling constraints by nodes and pods.', affinity),
  schedulerName: field(19, 'The scheduler of the pod.', filled(str(), 'default-scheduler')),
  tolerations: field(22, 'Taints that it tolerates.', list(toleration)),
  hostAliases: field(
    23,
    'Names in its hosts file.',
    mergeList(
      obj('HostAlias', {
        ip: field(1, str(), { zero: true, format: 'address' }),
        hostnames: field(2, list(str()), { format: 'subdomain' }),
      }),
      'ip',
    ),
    { unindexed: true },
  ),
  priorityClassName: field(24, 'Its priority class.', str(), { format: 'subdomain' }),
  priority: field(25, 'Its priority; set by the server.', ptr(int32)),
  dnsConfig: field(
    26,
    'Settings of name resolution.',
    obj('PodDNSConfig', {
      nameservers: field(1, list({ ...str(), format: 'address' } as ReturnType<typeof str>)),
      searches: field(2, list(str())),
      options: field(3, list(obj('PodDNSConfigOption', { name: field(1, str()), value: field(2, ptr(str())) }))),
    }),
  ),
  readinessGates: field(
    28,
    'Conditions that must be true for it to be ready.',
    list(obj('PodReadinessGate', { conditionType: field(1, req(str('PodConditionType')), { format: 'qualified name' }) })),
  ),
  runtimeClassName: field(29, 'Its runtime class.', ptr(str()), { format: 'subdomain' }),
  enableServiceLinks: field(30, 'Whether environment variables describe services.', ptr(bool)),
  preemptionPolicy: field(31, 'Whether other pods may be evicted for it.', ptr(str('PreemptionPolicy'))),
  overhead: field(32, 'Resources in addition to its containers; set by the server.', resourceList),
  topologySpreadConstraints: field(
    33,
    'Constraints on the distribution of similar pods.',
    mapList(topologySpreadConstraint, 'topologyKey', 'whenUnsatisfiable'),
  ),
  setHostnameAsFQDN: field(35, 'Whether its host name is fully qualified.', ptr(bool)),
  os: field(36, 'Its operating system.', obj('PodOS', { name: field(1, req(str('OSName'))) }), { since: 'IdentifyPodOS' }),
} as const;

/** The pod spec in a template. */
const templatePodSpec = obj('PodSpec', 'The specification of a pod.', fields, { memo: true, complete: completeTemplate });
/** The pod spec in a Pod. */
export const podSpec = obj('PodSpec', 'The specification of a pod.', fields, { memo: true, complete: completePod });
export type PodSpec = Infer<typeof podSpec>;

export const podTemplateSpec = obj(
  'PodTemplateSpec',
  'The template of pods.',
  {
    metadata: field(1, 'Labels and annotations of each pod.', always(objectMeta)),
    spec: field(2, 'The specification of each pod.', always(templatePodSpec)),
  },
  { memo: true },
);
export type PodTemplateSpec = Infer<typeof podTemplateSpec>;

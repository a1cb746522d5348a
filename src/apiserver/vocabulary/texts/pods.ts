/** Pods and what is in them, as far as the cluster acts on it. */
import type { Texts } from './texts.ts';

const TERM = 'Requirements that must all hold.';
const WHEN_SCHEDULED = (what: string): Readonly<Record<string, string>> => ({ '': what, requiredDuringSchedulingIgnoredDuringExecution: 'Must hold when it is scheduled.', preferredDuringSchedulingIgnoredDuringExecution: 'Counts in favour of a node, by weight.' });
const CONTAINER: Readonly<Record<string, string>> = {
  name: 'Unique in the pod.', image: 'What is run.', command: 'The program; absent: as the image says.', args: 'Its arguments.', workingDir: 'Where it runs.', ports: 'Ports it listens on; for information.', envFrom: 'Variables from ConfigMaps and Secrets.', env: 'Variables.', resources: 'What it needs and may have.',
  volumeMounts: 'Where volumes are seen.', volumeDevices: 'Where block devices are seen.', livenessProbe: 'Fails: it is started again.', readinessProbe: 'Fails: it gets no traffic.', startupProbe: 'The other probes wait until it succeeds.', lifecycle: 'What is done after its start and before its end.',
  terminationMessagePath: 'A file whose text becomes the message of its end.', terminationMessagePolicy: 'File, or FallbackToLogsOnError.', imagePullPolicy: 'Always, Never or IfNotPresent.', securityContext: 'Who it is and what it may.', stdin: 'Whether it has an input.', stdinOnce: 'Whether the input ends with its first reader.', tty: 'Whether it has a terminal.',
};

export const PODS: Texts = {
  PodTemplateSpec: { '': 'What pods are made of.', metadata: 'Labels and annotations that each one gets.', spec: 'What runs.' },
  PodSpec: {
    '': 'What runs, where, and for how long.', volumes: 'What its containers may mount.', initContainers: 'Run one after the other, each to its end, before the others start.', containers: 'What runs; at least one.', ephemeralContainers: 'Added while it runs, to look into it.',
    restartPolicy: 'Always, OnFailure or Never: whether containers that ended are started again.', terminationGracePeriodSeconds: 'How long its containers may take to end.', activeDeadlineSeconds: 'How long it may run before it is failed.', dnsPolicy: 'How it finds names.', dnsConfig: 'Further settings for names.',
    nodeSelector: 'Labels that its node must have.', serviceAccountName: 'Who it is.', serviceAccount: 'An old name of serviceAccountName.', automountServiceAccountToken: 'Whether it gets a token.', nodeName: 'The node it is on; written by the scheduler.', hostNetwork: 'Whether it uses the node\'s network.', hostPID: 'Whether it sees the node\'s processes.', hostIPC: 'Whether it shares the node\'s memory.',
    shareProcessNamespace: 'Whether its containers see each other\'s processes.', securityContext: 'Who its containers are and what they may.', imagePullSecrets: 'Secrets to pull images with.', hostname: 'Its host name; absent: its name.', subdomain: 'The service whose name is part of its own.', affinity: 'Nodes and pods it wants to be with.', schedulerName: 'Who puts it onto a node.',
    tolerations: 'Taints it bears.', hostAliases: 'Names in its hosts file.', priorityClassName: 'How important it is.', priority: 'The same as a number; written by the server.', readinessGates: 'Conditions that must be true for it to be ready.', runtimeClassName: 'How its containers are run.', enableServiceLinks: 'Whether variables tell of services.', preemptionPolicy: 'Whether others may be ended for it.',
    overhead: 'What it needs besides its containers; written by the server.', topologySpreadConstraints: 'How pods like it are spread.', setHostnameAsFQDN: 'Whether its host name is the full one.', os: 'The system it is for.',
  },
  Container: { '': 'Something that runs.', ...CONTAINER },
  EphemeralContainer: { '': 'Something that looks into a running pod.', ...CONTAINER, targetContainerName: 'The container whose processes it sees.' },
  ContainerPort: { '': 'A port.', name: 'Its name, for services and policies.', hostPort: 'The port of the node.', containerPort: 'Its number.', protocol: 'TCP, UDP or SCTP.', hostIP: 'The address of the node.' },
  ResourceRequirements: { '': 'What is needed and what may be had.', limits: 'At most.', requests: 'At least; what the scheduler counts. Absent: the limits.' },
  Toleration: { '': 'A taint that is borne.', key: 'Of the taint; empty, with Exists: all of them.', operator: 'Equal, or Exists for any value.', value: 'Of the taint.', effect: 'Of the taint; empty: all.', tolerationSeconds: 'For how long a NoExecute taint is borne; absent: for ever, 0 or less: not at all.' },
  Affinity: { '': 'Whom it wants to be with.', nodeAffinity: 'Nodes.', podAffinity: 'Pods to be near.', podAntiAffinity: 'Pods to be far from.' },
  NodeAffinity: WHEN_SCHEDULED('Nodes it wants.'),
  PodAffinity: WHEN_SCHEDULED('Pods, and what counts as one place.'),
  NodeSelector: { '': 'Nodes.', nodeSelectorTerms: 'One of them must hold.' },
  NodeSelectorTerm: { '': TERM, matchExpressions: 'On labels.', matchFields: 'On fields; metadata.name is the one there is.' },
  NodeSelectorRequirement: { '': 'One requirement.', key: 'The label.', operator: 'In, NotIn, Exists, DoesNotExist, Gt or Lt.', values: 'For Gt and Lt one number.' },
  PreferredSchedulingTerm: { '': 'A wish.', weight: '1 to 100.', preference: TERM },
  PodAffinityTerm: { '': 'Pods, and what counts as one place.', labelSelector: 'The pods.', namespaces: 'Where they are; absent: where this one is.', topologyKey: 'Nodes with one value of this label are one place.', namespaceSelector: 'Where they are, by labels.' },
  WeightedPodAffinityTerm: { '': 'A wish.', weight: '1 to 100.', podAffinityTerm: 'Pods, and what counts as one place.' },
  TopologySpreadConstraint: { '': 'How pods are spread.', maxSkew: 'By how many the fullest place may be ahead of the emptiest.', topologyKey: 'Nodes with one value of this label are one place.', whenUnsatisfiable: 'DoNotSchedule or ScheduleAnyway.', labelSelector: 'The pods that are counted.', minDomains: 'How many places there should be at least.' },
  Volume: { '': 'Something to mount: one of its members besides the name.', name: 'By which containers mount it.', emptyDir: 'A folder as long as the pod lives.', hostPath: 'A folder of the node.', secret: 'A Secret.', configMap: 'A ConfigMap.', persistentVolumeClaim: 'A claim.', projected: 'Several sources in one folder.', downwardAPI: 'What the pod knows of itself.', csi: 'Storage of a driver, inline.', ephemeral: 'A claim that lives as long as the pod.', nfs: 'A share.' },
  PersistentVolumeClaimVolumeSource: { '': 'A claim.', claimName: 'Its name, in the same namespace.', readOnly: 'Whether it is only read.' },
  EphemeralVolumeSource: { '': 'A claim that lives as long as the pod.', volumeClaimTemplate: 'What it is made of; its name is POD-VOLUME.' },
  PersistentVolumeClaimTemplate: { '': 'What a claim is made of.', metadata: 'Labels and annotations it gets.', spec: 'What is asked for.' },
  VolumeMount: { '': 'Where a volume is seen.', name: 'The volume.', readOnly: 'Whether it is only read.', mountPath: 'Where.', subPath: 'Which part of it.', mountPropagation: 'Whether mounts are seen on the other side.', subPathExpr: 'Which part of it, with variables.' },
  EnvVar: { '': 'A variable.', name: 'Its name.', value: 'Its value.', valueFrom: 'Where its value comes from.' },
};

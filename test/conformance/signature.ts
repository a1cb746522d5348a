/** The observable behaviour of a run: its final objects, its milestones with times, and the events of controllers. */
import { compareText } from '../../src/schema/values/index.ts';
import type { Condition, OwnerReference, TraceLine, TracedObject } from './recording.ts';

export interface Milestone {
  /** Seconds since the start. */
  readonly t: number;
  readonly what: string;
}

export interface Signature {
  /** A line for each final object, sorted. */
  readonly final: readonly string[];
  readonly milestones: readonly Milestone[];
  /** Texts of controllers' events, sorted, without duplicates. */
  readonly events: readonly string[];
}

const CONTROLLERS =
  /job-controller|statefulset|cronjob|attachdetach|garbage-collector|deployment-controller|replicaset-controller|daemonset-controller/;

/** Reads lines in the given order; `namespace` restricts them to one namespace. */
export function signature(lines: readonly TraceLine[], namespace?: string): Signature {
  const live = new Map<string, TracedObject>();
  const milestones: Milestone[] = [];
  const events = new Set<string>();
  for (const { t, type, object } of lines) {
    const { kind, metadata } = object;
    if (kind === undefined || kind === '' || metadata === undefined) continue;
    if (isTruthy(namespace) && isTruthy(metadata.namespace) && metadata.namespace !== namespace && kind !== 'Lease') continue;
    if (kind === 'Event') {
      if (CONTROLLERS.test(object.source?.component ?? '')) events.add(eventText(object));
      continue;
    }
    if (kind === 'Lease' || kind === 'Node' || (kind === 'ConfigMap' && metadata.name?.endsWith('ca.crt') === true)) continue;
    const id = `${kind}/${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid}`;
    const previous = live.get(id);
    for (const what of workloadOperations(previous, object, type === 'DELETED')) milestones.push({ t, what });
    if (type === 'DELETED') live.delete(id);
    else live.set(id, object);
  }
  return { final: [...live.values()].map(finalLine).sort(compareText), milestones, events: [...events].sort(compareText) };
}

/** Describes a change as text without random parts. */
function workloadOperations(previous: TracedObject | undefined, object: TracedObject, deleted: boolean): string[] {
  const label = labelOf(object);
  if (deleted) return previous === undefined ? [] : [`- ${label}`];
  const found: string[] = previous === undefined ? [`+ ${label}`] : [];
  if (previous !== undefined && !isTruthy(previous.metadata?.deletionTimestamp) && isTruthy(object.metadata?.deletionTimestamp))
    found.push(`x ${label}`);
  const { kind, status } = object;
  const was = previous?.status;
  if (kind === 'Pod') {
    const phase = status?.phase;
    if (phase !== (was?.phase ?? 'Pending') && (phase === 'Running' || phase === 'Succeeded' || phase === 'Failed'))
      found.push(`${phase} ${label}`);
  }
  if (kind === 'Job') {
    const before = new Set(previous === undefined ? [] : conditions(previous));
    for (const condition of conditions(object)) if (!before.has(condition)) found.push(`${label} ${condition}`);
    if (!isTruthy(was?.startTime) && isTruthy(status?.startTime)) found.push(`${label} started`);
    if (isTruthy(was?.startTime) && !isTruthy(status?.startTime)) found.push(`${label} start cleared`);
  }
  if (previous !== undefined && kind === 'Pod') {
    const [before, after] = [controllerOf(previous)?.uid, controllerOf(object)?.uid];
    if (before !== after && isReplicated(previous, object)) found.push(`${after === undefined ? 'released' : 'adopted'} ${label}`);
  }
  if (kind === 'Deployment' || kind === 'ReplicaSet') found.push(...rolloutWorkloadOperations(previous, object, label));
  if (kind === 'VolumeAttachment' && isTruthy(status?.['attached']) && !isTruthy(was?.['attached'])) found.push('attached');
  if (kind === 'PersistentVolumeClaim' && status?.phase === 'Bound' && was?.phase !== 'Bound') found.push(`bound ${label}`);
  if (kind === 'StatefulSet' && isTruthy(was?.['currentRevision']) && was?.['currentRevision'] !== status?.['currentRevision'])
    found.push(`${label} current revision moved`);
  return found;
}

/** Conditions, revisions and sizes. */
function rolloutWorkloadOperations(previous: TracedObject | undefined, object: TracedObject, label: string): string[] {
  const before = new Set(previous === undefined ? [] : conditions(previous));
  const found = conditions(object)
    .filter((condition) => !before.has(condition))
    .map((condition) => `${label} ${withoutNames(condition)}`);
  const revision = (of: TracedObject | undefined): string | undefined => of?.metadata?.annotations?.['deployment.kubernetes.io/revision'];
  if (revision(object) !== revision(previous)) found.push(`${label} revision ${revision(object)}`);
  if (object.kind === 'ReplicaSet' && previous !== undefined && previous.spec?.replicas !== object.spec?.replicas)
    found.push(`${label} wants ${object.spec?.replicas}`);
  return found;
}

/** Whether a ReplicaSet or a DaemonSet controls a pod, before or after. */
const isReplicated = (...pods: readonly TracedObject[]): boolean =>
  pods.some((pod) => ['ReplicaSet', 'DaemonSet'].includes(controllerOf(pod)?.kind ?? ''));

const DAEMON_COUNTS = [
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberMisscheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

/** The final state of an object, as far as users rely on it. */
function finalLine(object: TracedObject): string {
  const label = labelOf(object);
  const status = object.status ?? {};
  const number = (name: string): string => text(status[name] ?? 0);
  switch (object.kind) {
    case 'Job': {
      const uncounted = (status.uncountedTerminatedPods?.failed ?? []).length + (status.uncountedTerminatedPods?.succeeded ?? []).length;
      return `${label}: active=${number('active')} ready=${number('ready')} succeeded=${number('succeeded')} failed=${number('failed')} indexes=${text(status['completedIndexes'] ?? '')} completed=${isTruthy(status['completionTime'])} ${conditions(object).join(' ')} uncounted=${uncounted}`;
    }
    case 'StatefulSet': {
      const counts = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'].map(number).join('/');
      return `${label}: observed=${status['observedGeneration'] === object.metadata?.generation} ${counts} same=${status['currentRevision'] === status['updateRevision']}`;
    }
    case 'Deployment': {
      const names = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas', 'collisionCount'];
      return `${label}: ${rolloutLine(object, names.map(number))}`;
    }
    case 'ReplicaSet': {
      const names = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];
      return `${label}: wants=${object.spec?.replicas} ${rolloutLine(object, names.map(number))}`;
    }
    case 'DaemonSet': {
      const seen = status['observedGeneration'] === object.metadata?.generation;
      return `${label}: observed=${seen} ${DAEMON_COUNTS.map((name) => `${name}=${number(name)}`).join(' ')}`;
    }
    case 'CronJob':
      return `${label}: active=${Array.isArray(status.active) ? status.active.length : 0} last=${isTruthy(status['lastScheduleTime'])} ok=${isTruthy(status['lastSuccessfulTime'])}`;
    case 'Pod': {
      const finalizers = (object.metadata?.finalizers ?? []).map(neutral).join(',');
      return `${label}: ${status.phase} deleting=${isTruthy(object.metadata?.deletionTimestamp)} owned=${controllerOf(object) !== undefined} finalizers=${finalizers} image=${object.spec?.containers?.[0]?.image}`;
    }
    case 'Endpoints':
      return `${label}: ${subsets(object)}`;
    case 'EndpointSlice': {
      const service = object.metadata?.labels?.['kubernetes.io/service-name'] ?? object.metadata?.labels?.['orch.io/service-name'];
      const endpoints = object.endpoints ?? [];
      return `EndpointSlice of ${service}: ${endpoints.length} of them ready ${endpoints.filter(({ conditions: { ready = false } = {} }) => ready).length}`;
    }
    case 'PersistentVolume':
      return `${label}: ${status.phase}`;
    case 'PersistentVolumeClaim':
      return `${label}: ${status.phase} owners=${(object.metadata?.ownerReferences ?? []).map(({ kind }) => kind).join(',')}`;
    default:
      return label;
  }
}

/** Counts, conditions and annotations of a Deployment or a ReplicaSet. */
function rolloutLine(object: TracedObject, counts: readonly string[]): string {
  const seen = object.status?.['observedGeneration'] === object.metadata?.generation;
  const annotations = Object.entries(object.metadata?.annotations ?? {}).sort(([a], [b]) => compareText(a, b));
  return `observed=${seen} ${counts.join('/')} ${conditions(object).map(withoutNames).join(' ')} ${JSON.stringify(annotations)}`;
}

function subsets({ subsets: list = [] }: TracedObject): string {
  return list
    .map(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
      const named = ports
        .map(({ name = '', port }) => `${name}:${port}`)
        .sort(compareText)
        .join(',');
      return `${addresses.length} ready, ${notReadyAddresses.length} not, ports ${named}`;
    })
    .sort(compareText)
    .join('; ');
}

/** A name without random parts: pods of Jobs are named by their owner (and index), others by their own name. */
function labelOf(object: TracedObject): string {
  const { kind, metadata } = object;
  const controller = controllerOf(object);
  const job = controller?.kind === 'Job' ? controller.name : kind === 'Pod' ? metadata?.labels?.['job-name'] : undefined;
  if (kind === 'Pod' && isTruthy(job)) {
    const index = completionIndex(object);
    return `Pod of ${(job ?? '').replace(/-\d{8,}$/, '-<t>')}${index === undefined ? '' : `#${index}`}`;
  }
  if (kind === 'Pod' && (controller === undefined || controller.kind === 'ReplicaSet' || controller.kind === 'DaemonSet')) {
    // By the creator, even if the pod has another controller now.
    const { name = '', generateName = '' } = metadata ?? {};
    const drawn =
      generateName !== '' && name.startsWith(generateName) && /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name.slice(generateName.length));
    const image = metadata?.labels?.['pod-template-generation'] === undefined ? '' : ` ${object.spec?.containers?.[0]?.image}`;
    if (drawn) return `Pod of ${generateName.slice(0, -1)}${image}`;
  }
  if (kind === 'Job' && controller?.kind === 'CronJob') return `Job of ${controller.name}`;
  if (kind === 'ControllerRevision') return `Revision of ${controller?.name ?? '?'} rev${object.revision}`;
  if (kind === 'PersistentVolume' || kind === 'VolumeAttachment' || kind === 'EndpointSlice') return kind;
  return `${kind} ${metadata?.name}`;
}

function eventText({ type, reason, message, involvedObject }: TracedObject): string {
  const plain = withoutNames(neutral(message ?? ''))
    .replace(/-\d{8,}/g, '-<t>')
    .replace(/ by \S+$/, '');
  return `${type} ${reason} [${involvedObject?.kind}] ${plain}`;
}

/** A text without generated names. */
const withoutNames = (message: string): string =>
  message
    .replace(/\b[a-z0-9]([-a-z0-9]*[a-z0-9])?-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '<pod>')
    .replace(/node-\d+/g, '<node>')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uid>');

function conditions({ status }: TracedObject): string[] {
  const one = ({ type, status: is, reason, message }: Condition): string =>
    `${type}=${is}${isTruthy(reason) ? `(${reason}: ${message ?? ''})` : ''}`;
  return (status?.conditions ?? []).map(one).sort(compareText);
}

function controllerOf({ metadata }: TracedObject): OwnerReference | undefined {
  return (metadata?.ownerReferences ?? []).find(({ controller }) => controller === true);
}

function completionIndex({ metadata }: TracedObject): string | undefined {
  return Object.entries(metadata?.annotations ?? {}).find(([key]) => key.endsWith('/job-completion-index'))?.[1];
}

/** Converts the real names of recordings to the neutral ones. */
function neutral(name: string): string {
  return name.replaceAll('orch.io', 'k8s.io').replaceAll('kubernetes.io', 'k8s.io');
}

/** Absent, empty and zero values count as equal. */
function isTruthy(value: unknown): boolean {
  return Boolean(value);
}

function text(value: unknown): string {
  return String(value);
}

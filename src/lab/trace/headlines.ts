/** The sentences of changes, by kind. */
import { isOf, type ObjectNamed, type Pod } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';

interface Changed<K extends string> {
  readonly before: ObjectNamed<K>;
  readonly after: ObjectNamed<K>;
  /** For display: without `default/`. */
  readonly name: string;
}

/** Returns a sentence; undefined: the kind has no sentence for this change. */
export type Headline = (changed: { readonly before: ApiObject; readonly after: ApiObject; readonly name: string }) => string | undefined;

const of =
  <K extends string>(kind: K, sentence: (changed: Changed<K>) => string | undefined): Headline =>
  ({ before, after, name }) =>
    isOf(kind, before) && isOf(kind, after) ? sentence({ before, after, name }) : undefined;

/** Joins a list: `a, b and c`. */
const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** Returns the status of a condition; the empty string where it is absent. */
const conditionIn = (conditions: readonly { readonly type?: string; readonly status?: string }[] | undefined, type: string): string =>
  conditions?.find((each) => each.type === type)?.status ?? '';

const READY: Readonly<Record<string, string>> = { True: 'ready', False: 'not ready', Unknown: 'silent' };

const node = of('Node', ({ before, after, name }) => {
  const [was, is] = [before, after].map(({ status }) => conditionIn(status.conditions, 'Ready'));
  if (is !== undefined && was !== is) return `${name} is now ${READY[is] ?? 'in an unknown state'} (was ${READY[was ?? ''] ?? 'new'})`;
  const keysOf = (list: typeof after.spec.taints) => (list ?? []).map(({ key, effect }) => `${key ?? ''}:${effect ?? ''}`);
  const [had, has] = [keysOf(before.spec.taints), keysOf(after.spec.taints)];
  const added = has.filter((each) => !had.includes(each));
  const removed = had.filter((each) => !has.includes(each));
  if (added.length > 0) return `taints ${name} with ${added.join(', ')}`;
  return removed.length > 0 ? `removes the taint ${removed.join(', ')} from ${name}` : undefined;
});

const lease = of('Lease', ({ before, after, name }) => {
  const [was = '', is = ''] = [before.spec.holderIdentity, after.spec.holderIdentity];
  if (was === is) return before.spec.renewTime === after.spec.renewTime ? undefined : `${is} renews ${name}`;
  if (is === '') return `${was} releases ${name}`;
  return `${is} acquires ${name}${was === '' ? '' : ` (held by ${was} before)`}`;
});

/** The state of a pod in a few words. */
function stateOf({ spec, status }: Pod): string {
  switch (status.phase) {
    case 'Succeeded':
      return 'done';
    case 'Failed':
      return 'failed';
    case 'Running':
      return conditionIn(status.conditions, 'Ready') === 'True' ? 'ready' : 'running, not ready';
    default:
      return (spec.nodeName ?? '') === '' ? 'waiting for a node' : 'starting';
  }
}

const restarts = ({ status }: Pod): number => (status.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);

const pod = of('Pod', ({ before, after, name }) => {
  const node = after.spec.nodeName ?? '';
  const [was, is] = [stateOf(before), stateOf(after)];
  if (node !== '' && node !== (before.spec.nodeName ?? ''))
    return is === 'starting' ? `binds ${name} to ${node}` : `binds ${name} to ${node}; it is ${is}`;
  const again = restarts(after) - restarts(before);
  if (again > 0) return `restarts a container of ${name} (for the ${ordinal(restarts(after))} time)`;
  if (was !== is) return `${name} is ${is} (was ${was})`;
  const initialized = ({ status }: Pod): boolean => conditionIn(status.conditions, 'Initialized') === 'True';
  return initialized(after) && !initialized(before) ? `accepts ${name}, and starts it` : undefined;
});

const ordinal = (n: number): string => `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`;

const claim = of('PersistentVolumeClaim', ({ before, after, name }) => {
  const [was, is] = [before.status?.phase, after.status?.phase];
  return was === is || is === undefined ? undefined : `${name} is ${is.toLowerCase()}${boundTo(after.spec.volumeName)}${wasText(was)}`;
});

const volume = of('PersistentVolume', ({ before, after, name }) => {
  const [was, is] = [before.status?.phase, after.status?.phase];
  return was === is || is === undefined ? undefined : `${name} is ${is.toLowerCase()}${wasText(was)}`;
});

const attachment = of('VolumeAttachment', ({ before, after }) => {
  const [was, is] = [before.status?.attached, after.status?.attached];
  const { source, nodeName } = after.spec;
  const what = source.persistentVolumeName ?? 'its volume';
  if (was !== is) return is ? `${what} is attached to ${nodeName}` : `${what} is detached from ${nodeName}`;
  const error = after.status?.attachError?.message ?? after.status?.detachError?.message;
  return error === undefined ? undefined : `${what} on ${nodeName}: ${error}`;
});

const boundTo = (name: string | undefined): string => (name === undefined || name === '' ? '' : ` to ${name}`);
const wasText = (was: string | undefined): string => (was === undefined ? '' : ` (was ${was.toLowerCase()})`);

/** `2 active (was 3)`: the numbers that changed. */
function numbers(parts: readonly (readonly [word: string, before: number | undefined, after: number | undefined])[]): string {
  return joined(
    parts
      .filter(([, before = 0, after = 0]) => before !== after)
      .map(([word, before = 0, after = 0]) => `${after} ${word}${before === 0 ? '' : ` (was ${before})`}`),
  );
}

const countsText = (name: string, counted: string, state = counted === '' ? undefined : `counts ${name}`): string | undefined =>
  state === undefined || counted === '' ? state : `${state}: ${counted}`;

const job = of('Job', ({ before, after, name }) => {
  const [was, is] = [before.status, after.status];
  const comes = (type: string): boolean => conditionIn(is.conditions, type) === 'True' && conditionIn(was.conditions, type) !== 'True';
  const reason = is.conditions?.find(({ type }) => type === 'Failed')?.reason ?? '';
  const state = comes('Complete')
    ? `${name} is complete`
    : comes('Failed')
      ? `${name} has failed${reason === '' ? '' : ` (${reason})`}`
      : comes('Suspended')
        ? `${name} is suspended`
        : undefined;
  const counted = numbers([
    // A finished Job has no active pods, so the count is omitted.
    ...(comes('Complete') || comes('Failed')
      ? []
      : ([
          ['active', was.active, is.active],
          ['ready', was.ready, is.ready],
        ] as const)),
    ['done', was.succeeded, is.succeeded],
    ['failed', was.failed, is.failed],
  ]);
  return countsText(name, counted, state);
});

const statefulSet = of('StatefulSet', ({ before, after, name }) => {
  const [was, is] = [before.status, after.status];
  const counted = numbers([
    ['existing', was.replicas, is.replicas],
    ['ready', was.readyReplicas, is.readyReplicas],
    ['of the new revision', was.updatedReplicas, is.updatedReplicas],
  ]);
  return countsText(name, counted);
});

const daemonSet = of('DaemonSet', ({ before, after, name }) => {
  const [was, is] = [before.status, after.status];
  const counted = numbers([
    ['desired', was.desiredNumberScheduled, is.desiredNumberScheduled],
    ['scheduled', was.currentNumberScheduled, is.currentNumberScheduled],
    ['ready', was.numberReady, is.numberReady],
    ['of the new template', was.updatedNumberScheduled, is.updatedNumberScheduled],
    ['misscheduled', was.numberMisscheduled, is.numberMisscheduled],
  ]);
  return countsText(name, counted);
});

const deployment = of('Deployment', ({ before, after, name }) => {
  const [was, is] = [before.status, after.status];
  const reasonIn = ({ conditions }: typeof is): string => conditions?.find(({ type }) => type === 'Progressing')?.reason ?? '';
  const comes = (reason: string): boolean => reasonIn(is) === reason && reasonIn(was) !== reason;
  const counted = numbers([
    ['existing', was.replicas, is.replicas],
    ['of the new template', was.updatedReplicas, is.updatedReplicas],
    ['available', was.availableReplicas, is.availableReplicas],
  ]);
  const state = comes('ProgressDeadlineExceeded')
    ? `${name} is stuck`
    : comes('NewReplicaSetAvailable')
      ? `${name} is rolled out`
      : comes('DeploymentPaused')
        ? `${name} is paused`
        : undefined;
  return countsText(name, counted, state);
});

const replicaSet = of('ReplicaSet', ({ before, after, name }) => {
  const [was, is] = [before.status, after.status];
  if (before.spec.replicas !== after.spec.replicas) return `scales ${name} to ${after.spec.replicas} (was ${before.spec.replicas})`;
  const fails = conditionIn(is.conditions, 'ReplicaFailure') === 'True' && conditionIn(was.conditions, 'ReplicaFailure') !== 'True';
  if (fails) return `${name} cannot create its pods`;
  const counted = numbers([
    ['existing', was.replicas, is.replicas],
    ['ready', was.readyReplicas, is.readyReplicas],
  ]);
  return countsText(name, counted);
});

const cronJob = of('CronJob', ({ before, after, name }) => {
  const [was, is] = [before.status, after.status];
  const at = is.lastScheduleTime;
  if (at !== undefined && at !== was.lastScheduleTime) return `${name} has started its run of ${at}`;
  const counted = numbers([['running', was.active?.length, is.active?.length]]);
  return countsText(name, counted);
});

export const HEADLINES: Readonly<Record<string, Headline>> = {
  Pod: pod,
  Job: job,
  StatefulSet: statefulSet,
  Deployment: deployment,
  ReplicaSet: replicaSet,
  DaemonSet: daemonSet,
  CronJob: cronJob,
  Lease: lease,
  Node: node,
  PersistentVolumeClaim: claim,
  PersistentVolume: volume,
  VolumeAttachment: attachment,
};

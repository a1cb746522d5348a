/** The sentences of changes, by kind. */
import type { KindName, ObjectByKind, Pod } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { own } from '../../schema/values/index.ts';

/** Joins a list: `a, b and c`. */
const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

interface Conditioned {
  readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] | undefined;
}

/** Returns the status of a condition; the empty string where it is absent. */
const conditionIn = ({ conditions }: Conditioned, type: string): string => conditions?.find((each) => each.type === type)?.status ?? '';

const comes = (type: string, was: Conditioned, is: Conditioned): boolean =>
  conditionIn(is, type) === 'True' && conditionIn(was, type) !== 'True';

const READY: Readonly<Record<string, string>> = { True: 'ready', False: 'not ready', Unknown: 'silent' };

function stateOf({ spec, status }: Pod): string {
  switch (status.phase) {
    case 'Succeeded':
      return 'done';
    case 'Failed':
      return 'failed';
    case 'Running':
      return conditionIn(status, 'Ready') === 'True' ? 'ready' : 'running, not ready';
    default:
      return (spec.nodeName ?? '') === '' ? 'waiting for a node' : 'starting';
  }
}

const restarts = ({ status }: Pod): number => (status.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);

const ordinal = (n: number): string => `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`;

const boundTo = (name: string | undefined): string => (name === undefined || name === '' ? '' : ` to ${name}`);
const wasText = (was: string | undefined): string => (was === undefined ? '' : ` (was ${was.toLowerCase()})`);

/** Returns the numbers of a status that changed, by their words: `counts web: 2 active (was 3)`; `state`: what else changed. */
function counts<S>(
  { before: { status: was }, after: { status: is }, name }: Record<'before' | 'after', { readonly status: S }> & { readonly name: string },
  numbers: Readonly<Record<string, (status: S) => number | undefined>>,
  state?: string,
): string | undefined {
  const changed = Object.entries(numbers).flatMap(([word, read]) => {
    const [before, after] = [read(was) ?? 0, read(is) ?? 0];
    return before === after ? [] : [`${after} ${word}${before === 0 ? '' : ` (was ${before})`}`];
  });
  if (changed.length === 0) return state;
  return `${state ?? `counts ${name}`}: ${joined(changed)}`;
}

/** What becomes of a Deployment, by the reason of its condition Progressing. */
const PROGRESS: Readonly<Record<string, string>> = {
  ProgressDeadlineExceeded: 'is stuck',
  NewReplicaSetAvailable: 'is rolled out',
  DeploymentPaused: 'is paused',
};

const readyText = (name: string, was: number, is: number): string | undefined =>
  was === is ? undefined : `${name} has ${is} ready ${is === 1 ? 'address' : 'addresses'} (was ${was})`;

interface Changed<K extends KindName> {
  readonly before: ObjectByKind[K];
  readonly after: ObjectByKind[K];
  /** For display: without `default/`. */
  readonly name: string;
}

/** By kind, the sentence of a change; undefined: there is none for it. */
const SENTENCES: { readonly [K in KindName]?: (changed: Changed<K>) => string | undefined } = {
  Node: ({ before, after, name }) => {
    const [was, is] = [before, after].map(({ status }) => conditionIn(status, 'Ready'));
    if (is !== undefined && was !== is) return `${name} is now ${READY[is] ?? 'in an unknown state'} (was ${READY[was ?? ''] ?? 'new'})`;
    const keysOf = (list: typeof after.spec.taints) => (list ?? []).map(({ key, effect }) => `${key ?? ''}:${effect ?? ''}`);
    const [had, has] = [keysOf(before.spec.taints), keysOf(after.spec.taints)];
    const added = has.filter((each) => !had.includes(each));
    const removed = had.filter((each) => !has.includes(each));
    if (added.length > 0) return `taints ${name} with ${added.join(', ')}`;
    return removed.length > 0 ? `removes the taint ${removed.join(', ')} from ${name}` : undefined;
  },
  Lease: ({ before, after, name }) => {
    const [was = '', is = ''] = [before.spec.holderIdentity, after.spec.holderIdentity];
    if (was === is) return before.spec.renewTime === after.spec.renewTime ? undefined : `${is} renews ${name}`;
    if (is === '') return `${was} releases ${name}`;
    return `${is} acquires ${name}${was === '' ? '' : ` (held by ${was} before)`}`;
  },
  Pod: ({ before, after, name }) => {
    const node = after.spec.nodeName ?? '';
    const [was, is] = [stateOf(before), stateOf(after)];
    if (node !== '' && node !== (before.spec.nodeName ?? ''))
      return is === 'starting' ? `binds ${name} to ${node}` : `binds ${name} to ${node}; it is ${is}`;
    const again = restarts(after) - restarts(before);
    if (again > 0) return `restarts a container of ${name} (for the ${ordinal(restarts(after))} time)`;
    if (was !== is) return `${name} is ${is} (was ${was})`;
    const unplaced = after.status.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
    if (unplaced !== undefined && conditionIn(before.status, 'PodScheduled') !== 'False') return `finds no node for ${name}`;
    return comes('Initialized', before.status, after.status) ? `accepts ${name}, and starts it` : undefined;
  },
  PersistentVolumeClaim: ({ before, after, name }) => {
    const [was, is] = [before.status?.phase, after.status?.phase];
    return was === is || is === undefined ? undefined : `${name} is ${is.toLowerCase()}${boundTo(after.spec.volumeName)}${wasText(was)}`;
  },
  PersistentVolume: ({ before, after, name }) => {
    const [was, is] = [before.status?.phase, after.status?.phase];
    return was === is || is === undefined ? undefined : `${name} is ${is.toLowerCase()}${wasText(was)}`;
  },
  VolumeAttachment: ({ before, after }) => {
    const [was, is] = [before.status?.attached, after.status?.attached];
    const { source, nodeName } = after.spec;
    const what = source.persistentVolumeName ?? 'its volume';
    if (was !== is) return is ? `${what} is attached to ${nodeName}` : `${what} is detached from ${nodeName}`;
    const error = after.status?.attachError?.message ?? after.status?.detachError?.message;
    return error === undefined ? undefined : `${what} on ${nodeName}: ${error}`;
  },
  Job: (changed) => {
    const { before, after, name } = changed;
    const [was, is] = [before.status, after.status];
    const reason = is.conditions?.find(({ type }) => type === 'Failed')?.reason ?? '';
    const ended = comes('Complete', was, is)
      ? `${name} is complete`
      : comes('Failed', was, is)
        ? `${name} has failed${reason === '' ? '' : ` (${reason})`}`
        : undefined;
    const state = ended ?? (comes('Suspended', was, is) ? `${name} is suspended` : undefined);
    // A finished Job has no active pods, so the count is omitted.
    const running = ended === undefined ? { active: ({ active }: typeof is) => active, ready: ({ ready }: typeof is) => ready } : {};
    return counts(changed, { ...running, done: ({ succeeded }) => succeeded, failed: ({ failed }) => failed }, state);
  },
  StatefulSet: (changed) => {
    const { updateRevision = '' } = changed.after.status;
    const isNew = updateRevision !== '' && updateRevision !== (changed.before.status.updateRevision ?? updateRevision);
    return counts(
      changed,
      {
        existing: ({ replicas }) => replicas,
        ready: ({ readyReplicas }) => readyReplicas,
        'of the new revision': ({ updatedReplicas }) => updatedReplicas,
      },
      isNew ? `updates ${changed.name} to revision ${updateRevision}` : undefined,
    );
  },
  DaemonSet: (changed) =>
    counts(changed, {
      desired: ({ desiredNumberScheduled }) => desiredNumberScheduled,
      scheduled: ({ currentNumberScheduled }) => currentNumberScheduled,
      ready: ({ numberReady }) => numberReady,
      'of the new template': ({ updatedNumberScheduled }) => updatedNumberScheduled,
      misscheduled: ({ numberMisscheduled }) => numberMisscheduled,
    }),
  Deployment: (changed) => {
    const [was = '', is = ''] = [changed.before, changed.after].map(
      ({ status: { conditions } }) => conditions?.find(({ type }) => type === 'Progressing')?.reason,
    );
    const becomes = was === is ? undefined : PROGRESS[is];
    const numbers = {
      existing: ({ replicas }: typeof changed.after.status) => replicas,
      'of the new template': ({ updatedReplicas }: typeof changed.after.status) => updatedReplicas,
      available: ({ availableReplicas }: typeof changed.after.status) => availableReplicas,
    };
    return counts(changed, numbers, becomes === undefined ? undefined : `${changed.name} ${becomes}`);
  },
  ReplicaSet: (changed) => {
    const { before, after, name } = changed;
    if (before.spec.replicas !== after.spec.replicas) return `scales ${name} to ${after.spec.replicas} (was ${before.spec.replicas})`;
    if (comes('ReplicaFailure', before.status, after.status)) return `${name} cannot create its pods`;
    return counts(changed, { existing: ({ replicas }) => replicas, ready: ({ readyReplicas }) => readyReplicas });
  },
  CronJob: (changed) => {
    const { before, after, name } = changed;
    const at = after.status.lastScheduleTime;
    if (at !== undefined && at !== before.status.lastScheduleTime) return `${name} has started its run of ${at}`;
    const done = after.status.lastSuccessfulTime;
    if (done !== undefined && done !== before.status.lastSuccessfulTime) return `${name} has had a success at ${done}`;
    return counts(changed, { running: ({ active }) => active?.length });
  },
  Endpoints: ({ before, after, name }) => {
    const ready = ({ subsets }: typeof after): number => (subsets ?? []).reduce((sum, { addresses }) => sum + (addresses?.length ?? 0), 0);
    return readyText(name, ready(before), ready(after));
  },
  EndpointSlice: ({ before, after, name }) => {
    const ready = ({ endpoints: all }: typeof after): number => (all ?? []).filter(({ conditions }) => conditions?.ready !== false).length;
    const [had, has] = [before, after].map(({ endpoints: all }) => (all ?? []).length);
    return (
      readyText(name, ready(before), ready(after)) ??
      (had === has ? undefined : `${name} has ${has} endpoints (was ${had}), ${ready(after)} ready`)
    );
  },
  HorizontalPodAutoscaler: ({ before, after, name }) => {
    const [was, is] = [before.status, after.status];
    if (is.desiredReplicas !== was.desiredReplicas)
      return `${name} wants ${is.desiredReplicas} replicas (was ${was.desiredReplicas}; ${is.currentReplicas ?? 0} exist)`;
    const used = ({ currentMetrics }: typeof is): number | undefined => currentMetrics?.[0]?.resource?.current?.averageUtilization;
    const [before1, after1] = [used(was), used(is)];
    return after1 === undefined || before1 === after1
      ? undefined
      : `${name} reads ${after1}% utilization${before1 === undefined ? '' : ` (was ${before1}%)`}, and wants ${is.desiredReplicas} replicas still`;
  },
  ResourceQuota: ({ before, after, name }) => {
    const { hard = {}, used = {} } = after.status ?? {};
    const was = before.status?.used ?? {};
    const changed = Object.keys(used).filter((resource) => used[resource] !== was[resource]);
    if (changed.length === 0) return undefined;
    return `${name} has ${joined(changed.map((resource) => `${used[resource] ?? '0'} of ${hard[resource] ?? '0'} ${resource}`))} in use`;
  },
  PodDisruptionBudget: ({ before, after, name }) => {
    const { disruptionsAllowed: was } = before.status;
    const { disruptionsAllowed: is, currentHealthy, desiredHealthy } = after.status;
    if (is === was && currentHealthy === before.status.currentHealthy) return undefined;
    return `${name} allows ${is} ${is === 1 ? 'disruption' : 'disruptions'}: ${currentHealthy} healthy, at least ${desiredHealthy} required`;
  },
  Namespace: ({ before, after, name }) => {
    const [was, is] = [before.status.phase, after.status.phase];
    if (was !== is && is !== undefined) return `${name} is ${is.toLowerCase()}${wasText(was)}`;
    // A condition of a namespace is True where something keeps it from ending.
    const found = after.status.conditions?.find(({ type }) => comes(type, before.status, after.status));
    return found === undefined ? undefined : `finds what keeps ${name}: ${found.message ?? found.type}`;
  },
};

type Sentence = (changed: { readonly before: ApiObject; readonly after: ApiObject; readonly name: string }) => string | undefined;

/** Returns the sentence of a change of an object; undefined: its kind has none for it. */
export const sentenceOf = (kind: string, before: ApiObject, after: ApiObject, name: string): string | undefined =>
  own(SENTENCES as Readonly<Record<string, Sentence>>, kind)?.({ before, after, name });

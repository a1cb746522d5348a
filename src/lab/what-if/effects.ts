/** What a run changes from an instant on: workloads, pods and nodes before and after, evictions, restarts, and when it comes to rest. */
import { type ApiObject, controllerOf } from '../../apiserver/machinery/index.ts';
import { isOf } from '../../apiserver/kinds/index.ts';
import type { Node, Pod, DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../apiserver/kinds/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { isReady, requestsOf } from '../../controlplane/shared/index.ts';
import { bump, compareText, keptIn, milliUnitsOf, present, unitsOf } from '../../schema/values/index.ts';
import type { Entry, ObjectName } from '../trace/index.ts';

/** A workload before, at worst and after. */
export interface WorkloadEffect {
  readonly workload: ObjectName;
  /** Absent: it did not exist then. */
  readonly before?: Availability;
  readonly after?: Availability;
  /** The least that was available; absent: it was never there. */
  readonly least?: number;
  /** When that was first the case, milliseconds since the question. */
  readonly leastAtMs?: number;
}

/** What pods of a node request; CPU in thousandths, memory in bytes. */
export interface Load {
  readonly milliCpu: number;
  readonly memory: number;
  readonly pods: number;
}

/** A node with what its pods request, before and after. `room`: its allocatable amounts. */
export interface NodeEffect {
  readonly node: string;
  readonly room: Load;
  readonly before: Load;
  readonly after: Load;
}

/** The effects of a question, as plain data. */
export interface Effects {
  readonly workloads: readonly WorkloadEffect[];
  readonly nodes: readonly NodeEffect[];
  /** Pods that were deleted, and pods that were made. */
  readonly gone: number;
  readonly made: number;
  /** Objects of other kinds that were deleted and made; those that controllers keep for others are left out (leases, Events, endpoints). */
  readonly others: Readonly<Record<string, { readonly gone: number; readonly made: number }>>;
  readonly evictions: number;
  /** Refused evictions by the disruption budget, or by the message of another refusal. */
  readonly refused: Readonly<Record<string, number>>;
  readonly restarts: number;
  /** Jobs that CronJobs started. They, and their pods, are not among those that are gone and made. */
  readonly runs: number;
  /** From the question to the last write, milliseconds; leases, Events and the runs of CronJobs are left out. */
  readonly restMs: number;
  /** Pods without a node, or not ready, at the end. */
  readonly waiting: readonly ObjectName[];
}

interface Tracked {
  readonly name: ObjectName;
  before: Availability | undefined;
  now: Availability | undefined;
  least: number | undefined;
  leastAtMs: number | undefined;
}

const NEW = { before: undefined, now: undefined, least: undefined, leastAtMs: undefined } as const;

type Collected = ReturnType<typeof nothingCollected>;

const nothingCollected = () => ({
  /** Uids of what CronJobs make, which comes and goes by itself. */
  periodic: new Set<string>(),
  runs: 0,
  workloads: new Map<string, Tracked>(),
  pods: new Map<string, Pod>(),
  nodes: new Map<string, Node>(),
  loadsBefore: loadsOf([]),
  asked: false,
  gone: 0,
  made: 0,
  others: new Map<string, { gone: number; made: number }>(),
  evictions: 0,
  refused: new Map<string, number>(),
  restarts: 0,
  restMs: 0,
});

/** Collects the effects of a run that begins with these objects; the question is asked at an instant, milliseconds since the epoch. */
export function collectEffects(objects: readonly ApiObject[], askedAt: number) {
  const state = nothingCollected();
  for (const object of objects) isPeriodic(state, object);
  for (const object of objects) track(state, object, false, 0);
  return {
    observe(entry: Entry): void {
      if (entry.at >= askedAt) ask(state);
      if (entry.type === 'refusal' && entry.request.startsWith('create Pod/eviction'))
        bump(state.refused, refusalText(entry.status, entry.request));
      if (entry.type !== 'write') return;
      const { change, request, controller } = entry;
      if (state.asked && change.kind === 'Pod' && request.startsWith('create Pod/eviction')) state.evictions++;
      const byItself = isPeriodic(state, change.object);
      const goesOn = byItself || LEFT_OUT.has(change.kind) || controller === 'node-registration';
      if (state.asked && !goesOn) state.restMs = entry.at - askedAt;
      changed(state, change, byItself, entry.at - askedAt);
    },
    effects(): Effects {
      ask(state);
      return effectsIn(state);
    },
  };
}

/** `PodDisruptionBudget shop/web`, or the message of a refusal that names no budget. */
function refusalText({ message = '', details }: Extract<Entry, { type: 'refusal' }>['status'], request: string): string {
  const causes = (details?.causes ?? []).flatMap((cause) => cause.message ?? []);
  const budget = causes.map((cause) => /disruption budget (\S+) needs/.exec(cause)?.[1]).find((name) => name !== undefined);
  const namespace = / (\S+)\/\S+$/.exec(request)?.[1] ?? 'default';
  return budget === undefined ? [message, ...causes].join(' ') : `PodDisruptionBudget ${namespace}/${budget}`;
}

/** Whether an object is a CronJob, or made by one. */
function isPeriodic({ periodic }: Collected, object: ApiObject): boolean {
  const by = controllerOf(object);
  const is = object.kind === 'CronJob' || by?.kind === 'CronJob' || (by !== undefined && periodic.has(by.uid));
  if (is && by?.kind === 'CronJob') periodic.add(object.metadata.uid);
  return is;
}

const LEFT_OUT: ReadonlySet<string> = new Set(['Lease', 'Event']);

/** The question is asked now: what is now, was before. */
function ask(state: Collected): void {
  if (state.asked) return;
  state.asked = true;
  state.loadsBefore = loadsOf(state.pods.values());
  for (const each of state.workloads.values()) {
    each.before = each.now;
    each.least = each.now?.available;
    each.leastAtMs = 0;
  }
}

function changed(state: Collected, { type, object, previous, kind }: Change, byItself: boolean, sinceMs: number): void {
  if (state.asked && type === 'ADDED' && kind === 'Job' && byItself) state.runs++;
  if (state.asked && kind === 'Pod' && !byItself) {
    if (type === 'DELETED') state.gone++;
    else if (type === 'ADDED') state.made++;
    else state.restarts += Math.max(0, restartsOf(object) - restartsOf(previous));
  }
  if (state.asked && kind !== 'Pod' && type !== 'MODIFIED' && !byItself && !KEPT_FOR_OTHERS.has(kind)) {
    const counted = keptIn(state.others, kind, () => ({ gone: 0, made: 0 }));
    counted[type === 'DELETED' ? 'gone' : 'made']++;
  }
  track(state, object, type === 'DELETED', sinceMs);
}

/** What comes and goes with other objects, and says nothing new. */
const KEPT_FOR_OTHERS: ReadonlySet<string> = new Set(['Lease', 'Event', 'Endpoints', 'EndpointSlice', 'ControllerRevision']);

const restartsOf = (pod: ApiObject | undefined): number =>
  isOf('Pod', pod) ? (pod.status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0) : 0;

const keyOf = ({ kind, metadata: { namespace = '', name } }: ApiObject): string => `${kind} ${namespace}/${name}`;

function track(state: Collected, object: ApiObject, isGone: boolean, sinceMs: number): void {
  const key = keyOf(object);
  if (object.kind === 'Pod') {
    if (isGone) state.pods.delete(key);
    else state.pods.set(key, object as Pod);
  } else if (object.kind === 'Node') {
    if (isGone) state.nodes.delete(key);
    else state.nodes.set(key, object as Node);
  } else if (isWorkload(object)) trackWorkload(state, key, object, isGone ? undefined : availabilityOf(object), sinceMs);
}

function trackWorkload(
  { workloads, asked }: Collected,
  key: string,
  object: ApiObject,
  now: Availability | undefined,
  sinceMs: number,
): void {
  const { kind, metadata } = object;
  const { namespace, name } = metadata;
  const each = keptIn(workloads, key, (): Tracked => ({ name: present({ kind, namespace, name }), ...NEW }));
  each.now = now;
  if (!asked) return;
  const available = now?.available ?? 0;
  // A new workload begins with nothing: the least counts from what was there.
  if (each.before !== undefined && available < (each.least ?? Infinity)) {
    each.least = available;
    each.leastAtMs = sinceMs;
  }
}

const isOver = ({ status: { phase } }: Pod): boolean => phase === 'Succeeded' || phase === 'Failed';

const NOTHING: Load = { milliCpu: 0, memory: 0, pods: 0 };

/** Returns what the pods of each node request. */
function loadsOf(pods: Iterable<Pod>): ReadonlyMap<string, Load> {
  const loads = new Map<string, Load>();
  for (const pod of pods) {
    const { nodeName } = pod.spec;
    if (nodeName === undefined || isOver(pod)) continue;
    const { requests } = requestsOf(pod.spec);
    const { milliCpu, memory, pods: count } = loads.get(nodeName) ?? NOTHING;
    loads.set(nodeName, { milliCpu: milliCpu + requests.milliCpu, memory: memory + requests.memory, pods: count + 1 });
  }
  return loads;
}

function effectsIn(state: Collected): Effects {
  const after = loadsOf(state.pods.values());
  const { gone, made, others, evictions, restarts, runs, restMs } = state;
  return {
    workloads: [...state.workloads.values()]
      .map(({ name, before, now, least, leastAtMs }) => ({
        workload: name,
        ...present({ before, after: now }),
        ...(least === undefined || leastAtMs === undefined ? {} : { least, leastAtMs }),
      }))
      .sort((a, b) => compareText(titleOf(a.workload), titleOf(b.workload))),
    nodes: [...state.nodes.values()].map(({ metadata: { name }, status }) => ({
      node: name,
      room: roomOf(status.allocatable ?? {}),
      before: state.loadsBefore.get(name) ?? NOTHING,
      after: after.get(name) ?? NOTHING,
    })),
    gone,
    made,
    others: Object.fromEntries([...others].sort(([a], [b]) => compareText(a, b))),
    evictions,
    refused: Object.fromEntries(state.refused),
    restarts,
    runs,
    restMs,
    waiting: [...state.pods.values()]
      .filter(isWaiting)
      .map(({ metadata: { namespace = 'default', name } }) => ({ kind: 'Pod', namespace, name })),
  };
}

export const titleOf = ({ kind, namespace, name }: ObjectName): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

const roomOf = ({ cpu = '0', memory = '0', pods = '0' }: Readonly<Record<string, string>>): Load => ({
  milliCpu: milliUnitsOf(cpu),
  memory: unitsOf(memory),
  pods: unitsOf(pods),
});

const isWaiting = (pod: Pod): boolean => !isOver(pod) && (pod.metadata.deletionTimestamp !== undefined || !isReady(pod));

interface Availability {
  readonly wanted: number;
  readonly available: number;
}

const KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

/** Whether an object keeps pods running, and no other does so through it. */
const isWorkload = (object: ApiObject): boolean => KINDS.has(object.kind) && controllerOf(object) === undefined;

function availabilityOf(object: ApiObject): Availability {
  if (object.kind === 'DaemonSet') {
    const { status } = object as DaemonSet;
    return { wanted: status.desiredNumberScheduled, available: status.numberAvailable ?? 0 };
  }
  const { spec, status } = object as Deployment | ReplicaSet | StatefulSet;
  return { wanted: spec.replicas ?? 1, available: status.availableReplicas ?? 0 };
}

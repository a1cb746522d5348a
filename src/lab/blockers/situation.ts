/**
 * The moment that explainers read (the present of a cluster, or a step of a trace), the contract of an explainer, and what explainers share:
 * instants, names and lists in words, and why a controller does no work: its processes are down, on standby, disconnected or slow.
 */
import { isOf, type ObjectNamed, type Pod } from '../../apiserver/kinds/index.ts';
import { type ApiObject, storeKey } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { introspectionOf } from '../../controlplane/runtime/index.ts';
import type { Introspection, ControllerIntrospection, ProcessIntrospection } from '../../controlplane/runtime/index.ts';
import { introspectionAt } from './introspection-at.ts';
import { cursorAt, type ObjectName, type Trace, type World, formatSince } from '../trace/index.ts';
import { present } from '../../schema/values/index.ts';
import { conditionOf, finishedCondition } from '../../controlplane/shared/index.ts';

/** A moment of a run, with the state that explainers read. */
export interface Situation extends Pick<Cluster, 'names' | 'gates' | 'kinds'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly world: World;
  /** It covers the moment, and perhaps later entries. */
  readonly trace: Trace;
  readonly step: number;
  readonly introspection: Introspection;
}

export interface Wait {
  /** A predicate whose subject is the object: `waits for a node: 0/2 nodes are available`. */
  readonly text: string;
  /** When the wait ends by itself, milliseconds since the epoch. */
  readonly until?: number;
  /** The object does not wait any more, because it has finished. */
  readonly ended?: true;
  /** Objects that it waits for; they are explained next. */
  readonly leadsTo?: readonly ObjectName[];
}

/** Explains what an object waits for; returns an empty list where its reason does not apply. */
export interface Explainer {
  readonly name: string;
  /** The kinds that it explains; absent: every kind. */
  readonly kinds?: readonly string[];
  explain(object: ApiObject, situation: Situation): readonly Wait[];
}

/** Returns the explainer of one kind. It says nothing of an object that is being deleted, unless `whileDeleted`. */
export const explainerOf = <K extends string>(
  name: string,
  kind: K,
  explain: (object: ObjectNamed<K>, situation: Situation) => readonly Wait[],
  whileDeleted = false,
): Explainer => ({
  name,
  kinds: [kind],
  explain: (object, situation) =>
    isOf(kind, object) && (whileDeleted || object.metadata.deletionTimestamp === undefined) ? explain(object, situation) : [],
});

/** Explains why an object does not exist, and which owner would create it. */
export interface AbsenceExplainer {
  readonly name: string;
  explain(name: ObjectName, situation: Situation): readonly Wait[];
}

/** Returns the present of a cluster, with its trace so far. `now`: an instant between the last entry and the present, without events. */
export function situationOf(cluster: Cluster, trace: Trace, now = cluster.now): Situation {
  const { prologue, entries, renewalIntervals = [], startAt } = trace;
  // Derived data is memoized by trace object, so a trace that has grown needs a new object.
  const soFar: Trace = { startAt, prologue, entries: [...entries], renewalIntervals: [...renewalIntervals] };
  const step = soFar.entries.length;
  const { names, gates, kinds } = cluster;
  return { now, world: cursorAt(soFar, step, now), trace: soFar, step, introspection: introspectionOf(cluster), names, gates, kinds };
}

/** Returns a step of a trace, or a later instant before the next step. Pending events follow from later entries, and from `end`. */
export function situationAt(
  { trace, names, gates, kinds }: Pick<Situation, 'trace' | 'names' | 'gates' | 'kinds'>,
  { step, at }: { readonly step: number; readonly at: number },
  end?: Cluster,
): Situation {
  return {
    now: at,
    world: cursorAt(trace, step, at),
    trace,
    step,
    introspection: introspectionAt(trace, step, at, end === undefined ? undefined : introspectionOf(end)),
    names,
    gates,
    kinds,
  };
}

/** Formats an instant as time since the start of the run. */
export const at = ({ trace }: Pick<Situation, 'trace'>, ms: number): string => formatSince(ms - trace.startAt);

/** Parses a timestamp of an object to milliseconds since the epoch; undefined: it is absent. */
export const instantOf = (text: string | null | undefined): number | undefined =>
  text === undefined || text === null || text === '' ? undefined : Date.parse(text);

export { addressOf as nameOf } from '../../controlplane/runtime/index.ts';

/** Returns the key of an object in controllers and in the store. */
export const keyOfName = ({ namespace, name }: ObjectName): string => storeKey(namespace, name);

const SHOWN = 4;

/** Joins the names of objects, as `listed`. */
export const namesOf = (objects: readonly ApiObject[]): string => listed(objects.map(({ metadata }) => metadata.name));

/** Joins a list: `a, b and c`; of a long one, the first few. */
export function listed(words: readonly string[]): string {
  if (words.length > SHOWN) return `${words.slice(0, SHOWN).join(', ')} and ${words.length - SHOWN} more`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** Returns the objects that one of these controls, in order of creation. */
export const controlledBy = <K extends string>(
  { world }: Situation,
  kind: K,
  { metadata: { uid, namespace } }: ApiObject,
): readonly ObjectNamed<K>[] =>
  world
    .list(kind, namespace)
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid));

/** Returns when a pod that is not being deleted became ready, milliseconds since the epoch; undefined: it is not ready. */
export function readySince({ metadata, status }: Pod): number | undefined {
  const ready = metadata.deletionTimestamp === undefined ? conditionOf(status.conditions, 'Ready') : undefined;
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') : undefined;
}

/** Whether an object has finished or is in its desired state, and waits for nothing. */
export function isDone(object: ApiObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false;
  if (isOf('Job', object)) return finishedCondition(object) !== undefined;
  if (isOf('Pod', object)) return object.status.phase === 'Succeeded' || object.status.phase === 'Failed';
  return isOf('PersistentVolumeClaim', object) && object.status.phase === 'Bound';
}

export const agentOfNode = ({ introspection }: Situation, node: string): ProcessIntrospection | undefined =>
  introspection.processes.find((process) => process.node === node || (process.node === undefined && process.name === `agent/${node}`));

/** Returns what keeps a process from its work; undefined: nothing. */
export function troubleOf(situation: Situation, process: ProcessIntrospection): Wait | undefined {
  const { name, up, since } = process;
  if (!up) {
    const back = situation.introspection.pending.find(({ what }) => what === `the start of ${name}` || what === `restart ${name}`);
    const next = back === undefined ? 'no restart is scheduled' : `comes back at ${at(situation, back.at)}`;
    return present({ text: `${name} is down since ${at(situation, since)}, and ${next}`, until: back?.at });
  }
  const { says, until } = situation.introspection.faults.find((fault) => fault.process === name) ?? {};
  if (says === undefined) return undefined;
  return present({ text: `${name} ${says}${until === undefined ? '' : ` until ${at(situation, until)}`}`, until });
}

/** Returns why no process does the work of a controller; undefined: one of them does. */
export function unservedBy(situation: Situation, serves: (controller: ControllerIntrospection) => boolean, what: string): Wait | undefined {
  const processes = situation.introspection.processes.filter(({ controllers }) => controllers.some(serves));
  if (processes.length === 0) return { text: `waits for ${what}, which no process of this cluster runs` };
  const troubles = processes.map((process) => troubleOf(situation, process));
  const [first] = troubles;
  const wait = (text: string, until?: number): Wait => present({ text: `waits for ${what}: ${text}`, until });
  if (processes.length === 1) return first === undefined ? undefined : wait(first.text, first.until);
  if (processes.some(({ leading }, index) => leading && troubles[index] === undefined)) return undefined;
  const names = processes.filter((_, index) => troubles[index] === undefined).map(({ name }) => name);
  const reported = troubles.flatMap((trouble) => (trouble === undefined ? [] : [trouble.text]));
  const idle = names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? 'is' : 'are'} on standby`];
  const lease = situation.world
    .list('Lease', situation.names.systemNamespace)
    .find(({ metadata }) => processes.some(({ name }) => metadata.name.endsWith(baseOf(name))));
  return {
    ...wait([...reported, ...idle].join('; ')),
    ...(lease === undefined ? {} : { leadsTo: [{ kind: 'Lease', namespace: situation.names.systemNamespace, name: lease.metadata.name }] }),
  };
}

const baseOf = (process: string): string => process.replace(/-\d+$/, '');
export const byName =
  (...names: readonly string[]) =>
  ({ name }: ControllerIntrospection): boolean =>
    names.includes(name);

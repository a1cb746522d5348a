/**
 * An incident as a scenario: requests of clients become steps at their times, writes of the control plane and of the nodes become a record with
 * which the run is compared. What cannot be replayed is counted, with the reason and the first places.
 */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { compareText, pushTo } from '../../schema/values/index.ts';
import { classOf, createSubjects, newFacts, LEFT_OUT as SAYS_NOTHING } from '../invariants/index.ts';
import type { Recorded, RecordedWrite, Scenario, Step } from '../scenario/index.ts';
import { createMachines, type Silence } from './machines.ts';
import type { AuditLog } from './read-log.ts';
import type { LogRecord } from './records.ts';
import { actionOf } from './requests.ts';
import { createWorld, isNameDrawn, type Known, learn, type World } from './world.ts';

/** Requests that are not replayed, by why. */
export interface LeftOutRequests {
  readonly why: string;
  readonly count: number;
  /** The first of them, with their places. */
  readonly first: readonly string[];
}

/** How an incident is replayed. */
export interface ReplayOptions {
  /** How far apart a write of the run and its record may be, milliseconds. */
  readonly withinMs: number;
  readonly secrets: boolean;
}

export interface Incident {
  readonly scenario: Scenario;
  readonly clients: readonly string[];
  readonly steps: number;
  readonly writes: number;
  readonly leftOut: readonly LeftOutRequests[];
}

type Replaying = ReturnType<typeof beginReplay>;

function beginReplay(log: AuditLog, { from, startAt }: Scenario, kinds: KindRegistry, secrets: boolean) {
  const subjects = createSubjects();
  return {
    kinds,
    secrets,
    subjects,
    world: createWorld(from?.snapshot.objects ?? [], subjects),
    machines: createMachines(log.renewals),
    startAt,
    steps: [] as Step[],
    writes: [] as RecordedWrite[],
    covers: new Set<string>(),
    bare: new Set<string>(),
    leftOut: new Map<string, string[]>(),
    clients: new Set<string>(),
    /** Components of which the log has a usable line. */
    components: new Set<string>(),
  };
}

/** What the first words of a write need: that the log has lines of those who write so. */
const ALWAYS_COVERED: readonly (readonly [sort: string, what: string])[] = [
  ['controller', 'Pod created'],
  ['controller', 'Pod deleted'],
  ['controller', 'Job created'],
  ['controller', 'ReplicaSet created'],
  ['scheduler', 'Pod bound'],
];

/** Makes the scenario. `base`: an empty one of the right domain, or one that begins with a dump; it says when the clock starts. */
export function incidentOf(log: AuditLog, base: Scenario, kinds: KindRegistry, { withinMs, secrets }: ReplayOptions): Incident {
  const { startAt } = base;
  const of = beginReplay(log, base, kinds, secrets);
  if (base.from === undefined) for (const each of ALWAYS_THERE) of.world.add(named(...each));
  for (const record of log.records) {
    if (record.at < startAt && base.from !== undefined) leave(of, 'requests from before the dump', record);
    else if (record.by === undefined) request(of, record);
    else written(of, record);
  }
  for (const [sort, what] of ALWAYS_COVERED) if (of.components.has(sort)) of.covers.add(what);
  const endMs = Math.max(0, (log.to ?? startAt) - startAt);
  const covers = [...of.covers].filter((each) => !of.bare.has(each)).sort(compareText);
  const recorded: Recorded = { withinMs, untilMs: endMs, ...(covers.length === 0 ? {} : { covers }), writes: of.writes };
  const steps = [...of.steps, ...of.machines.silences(startAt).flatMap(silenceSteps)].sort((a, b) => atOf(a) - atOf(b));
  const nodes = base.from === undefined ? of.machines.nodes() : [];
  return {
    scenario: {
      ...base,
      untilMs: Math.ceil((endMs + withinMs + 1) / 1000) * 1000,
      steps,
      cluster: {
        ...base.cluster,
        ...(nodes.length === 0 ? {} : { nodes }),
        podBehaviors: [...base.cluster.podBehaviors, ...of.machines.behaviors()],
      },
      ...(of.writes.length === 0 ? {} : { recorded }),
    },
    clients: [...of.clients].sort(compareText),
    steps: of.steps.length,
    writes: of.writes.length,
    leftOut: [...of.leftOut].map(([why, places]) => ({ why, count: places.length, first: places.slice(0, SHOWN) })),
  };
}

const SHOWN = 3;
const atOf = ({ timing }: Step): number => (timing.when === 'at' ? timing.atMs : 0);

const ALWAYS_THERE: readonly (readonly [kind: string, namespace: string | undefined, name: string])[] = [
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease', 'orch-system', 'orch-public', 'orch-node-lease'].map(
    (name) => ['Namespace', undefined, name] as const,
  ),
  ['ServiceAccount', 'default', 'default'],
];

const named = (kind: string, namespace: string | undefined, name: string): Known => ({
  kind,
  namespace,
  name,
  subject: `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  isDrawn: false,
  facts: new Map(),
  labels: {},
  isGone: false,
});

function silenceSteps({ node, fromMs, untilMs }: Silence): readonly Step[] {
  const fault = (name: string, atMs: number): Step => ({
    timing: { when: 'at', atMs },
    verb: 'fault',
    fault: { name, subject: node, parameters: {} },
  });
  return [fault('nodeDown', fromMs), ...(untilMs === undefined ? [] : [fault('nodeUp', untilMs)])];
}

function leave({ leftOut }: Replaying, why: string, { verb, ref, user, place }: LogRecord): void {
  const { resource, subresource, namespace, name } = ref;
  const what = `${resource}${subresource === undefined ? '' : `/${subresource}`} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '*'}`;
  pushTo(leftOut, why, `${place}: ${verb} ${what} by ${user}`);
}

/** A request of a client. */
function request(of: Replaying, record: LogRecord): void {
  const made = actionOf(record, of);
  if (typeof made === 'string') {
    leave(of, made, record);
    return;
  }
  const { action, kind } = made;
  const { code, user, userAgent, at } = record;
  const isTolerant = action.verb === 'evict';
  of.clients.add(user);
  of.steps.push({
    timing: { when: 'at', atMs: Math.max(0, at - of.startAt) },
    ...action,
    as: { user, ...(userAgent === '' ? {} : { userAgent }) },
    ...(isTolerant ? {} : { code: code < 300 ? 200 : code }),
  });
  if (code < 300) takeEffect(of, record, kind.kind, kind.namespaced);
}

/** What the log knows of an object after a write; undefined: its name is not known. */
function takeEffect({ world, machines, subjects }: Replaying, record: LogRecord, kind: string, namespaced: boolean): void {
  const { ref, verb, at } = record;
  const name = ref.name ?? record.name;
  if (name === undefined) return;
  const place = namespaced ? ref.namespace : undefined;
  const known = world.get(kind, place, name);
  if ((verb === 'create' && ref.subresource === undefined) || (verb === 'patch' && known === undefined)) {
    const identity = record.identity ?? { namespace: place, name, prefix: undefined, owner: undefined, hash: undefined };
    subjects.remember(kind, { ...identity, name });
    const subject = subjects.of(kind, { ...identity, name }) ?? kind;
    const made = { ...named(kind, place, name), subject, isDrawn: isNameDrawn(subject, identity) };
    world.add({ ...made, facts: new Map(record.facts), labels: record.labels, sent: record.body });
    return;
  }
  if (known === undefined) return;
  const news = newFacts(kind, known.facts, learn(known, record));
  for (const [what, is] of record.facts) known.facts.set(what, is);
  machines.learns(known, news, record);
  if (verb === 'update' && ref.subresource === undefined) known.sent = record.body;
  if (verb === 'delete' || ref.subresource === 'eviction') asksDeletion(world, known, at);
}

function asksDeletion(world: World, known: Known, at: number): void {
  known.deletedAt ??= at;
  known.facts.set('deleted', '');
  if (known.kind !== 'Pod' || !known.facts.has('bound to')) world.remove(known);
}

/** A write of the control plane or of a node. */
function written(of: Replaying, record: LogRecord): void {
  const { by, code, ref, verb, isBare, at } = record;
  if (by === undefined || code >= 300) return;
  if (by.sort === 'node') of.machines.sees(by.node, at, record.node);
  const kind = of.kinds.byPlural(ref.group, ref.resource);
  if (kind === undefined || SAYS_NOTHING.has(kind.kind) || verb === 'deletecollection') return;
  if (isBare) {
    leave(of, 'writes of the cluster without a body in the log (level Metadata)', record);
    for (const each of classesOf(kind.kind, record)) of.bare.add(each);
    return;
  }
  of.components.add(by.sort);
  const place = kind.namespaced ? ref.namespace : undefined;
  const name = ref.name ?? record.name;
  const isCreate = verb === 'create' && ref.subresource === undefined;
  const before = name === undefined ? undefined : (of.world.get(kind.kind, place, name) ?? nodeIn(of, kind.kind, name));
  const known = before ?? (isCreate ? created(of, record, kind.kind, place, name) : undefined);
  if (known === undefined) {
    leave(of, 'writes of the cluster about objects from before the log', record);
    return;
  }
  const now = learn(known, record);
  const isGone = verb === 'delete';
  const deletion = known.facts.has('deleted') ? [] : ['deleted'];
  const news = isGone ? deletion : newFacts(kind.kind, before?.facts, now);
  for (const [what, is] of record.facts) known.facts.set(what, is);
  if (isGone) {
    asksDeletion(of.world, known, at);
    if (by.sort === 'node') of.world.remove(known);
  }
  for (const each of news) if (each.startsWith('bound to ')) of.machines.sees(each.slice('bound to '.length));
  of.machines.learns(known, news, record);
  for (const did of news) {
    const write = { atMs: Math.max(0, at - of.startAt), of: known.subject, did, by: by.name, log: record.place };
    of.writes.push(write);
    of.covers.add(classOf(write));
  }
}

function nodeIn({ world }: Replaying, kind: string, name: string): Known | undefined {
  if (kind !== 'Node') return undefined;
  // It was ready, unless the log says otherwise.
  const known: Known = { ...named(kind, undefined, name), facts: new Map([['Ready', 'True']]) };
  world.add(known);
  return known;
}

/** The object that a component creates; undefined: its owner is not in the run, or its name is not known. */
function created(
  { world, subjects }: Replaying,
  { identity, labels }: LogRecord,
  kind: string,
  namespace: string | undefined,
  name: string | undefined,
): Known | undefined {
  const subject = identity === undefined ? undefined : subjects.of(kind, identity);
  if (subject === undefined || identity === undefined) return undefined;
  const { owner } = identity;
  const isHere = (of: string, at: string | undefined, called: string): boolean => world.get(of, at, called) !== undefined;
  const deployment = identity.hash === undefined ? undefined : owner?.name.slice(0, -identity.hash.length - 1);
  // A watch of pods and Deployments does not show the ReplicaSets between them.
  const isOfDeployment = deployment !== undefined && isHere('Deployment', namespace, deployment);
  if (owner !== undefined && !isOfDeployment && !isHere(owner.kind, namespace, owner.name) && !isHere(owner.kind, undefined, owner.name))
    return undefined;
  if (owner === undefined && namespace !== undefined && !isHere('Namespace', undefined, namespace)) return undefined;
  subjects.remember(kind, identity);
  const known = { ...named(kind, namespace, name ?? ''), subject, isDrawn: isNameDrawn(subject, identity), labels };
  world.add(known);
  return known;
}

function classesOf(kind: string, { verb, ref: { subresource } }: LogRecord): readonly string[] {
  if (verb === 'create') return [subresource === 'binding' ? `${kind} bound` : `${kind} created`];
  return verb === 'delete' ? [`${kind} deleted`] : [];
}

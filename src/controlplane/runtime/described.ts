/**
 * The complete state of the runtime, part by part, as plain data: to show a state, or to compare two. Parts that make no difference to what
 * may happen next are left out: identities and causes, revisions (objects contain theirs), cancelled plans, and Events, by which no
 * controller decides.
 */
import { memo } from '../../engine/index.ts';
import type { Kernel, Pending } from '../../engine/index.ts';
import type { Random } from '../../engine/random.ts';
import type { Change, Store } from '../../apiserver/store/index.ts';
import type { FaultRules } from './context.ts';
import type { RenewalElision } from './renewal-elision.ts';
import type { KeyState } from './work-queue.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { ClusterEvent } from './pending.ts';
import type { Process, Running, Stream } from './process.ts';

/** Receives each part with its name. The order of parts has no meaning; a part may be left out while it is empty. */
export type ReportPart = (part: string, value: unknown) => void;

/**
 * Receives parts together that stay the same for as long as `of` is the same. `parts` reports them, and returns whether they do: some
 * change with time. Returns what it returned when they were reported.
 */
export type ReportGroup = (of: object, parts: (report: ReportPart) => boolean) => boolean;

/** The parts of a cluster. */
interface Described {
  readonly kernel: Kernel<ClusterEvent>;
  readonly store: Store;
  readonly runtime: { describe(report: ReportPart, group: ReportGroup): void };
  readonly world: { describe(): unknown };
  readonly random: Random;
  readonly faults: readonly FaultRules[];
  readonly operations: { describe(report: ReportPart): void };
  readonly renewalElision: Pick<RenewalElision, 'size' | 'describe'>;
}

/** The kind that no controller decides by. */
const UNDESCRIBED = 'Event';

/** Of a part that is reported at each state, by what it is about: a name that is made again would be hashed again. */
const partNames = memo(new WeakMap<object, string>());
function partName(about: object, of: string, what: string): string {
  let name = partNames.get(about);
  if (name === undefined) partNames.set(about, (name = `${of} ${what}`));
  return name;
}

/** Reports all parts of a cluster. */
export function describeCluster(
  { kernel, store, runtime, world, random, faults, operations, renewalElision }: Described,
  report: ReportPart,
  group: ReportGroup = (_of, parts) => parts(report),
): void {
  report('now', kernel.now);
  for (const kind of store.kinds()) if (kind !== UNDESCRIBED) report(partName(store.tally(kind), 'objects', kind), [...store.values(kind)]);
  runtime.describe(report, group);
  report('machines', world.describe());
  report('chance', random.states());
  if (renewalElision.size > 0) report('beating leases', renewalElision.describe());
  for (const [at, rules] of faults.entries()) report(`fault ${at}`, describeFault(rules));
  operations.describe(report);
}

function describeFault({ describe, notice }: FaultRules): unknown {
  if (describe !== undefined) return describe();
  throw new Error(`a fault (${notice?.says ?? 'a user-defined one'}) does not describe itself: give its rules \`describe\``);
}

/** Reports all parts of the processes, and what is pending. */
export function describeRuntime(runtimeState: RuntimeState, report: ReportPart, group: ReportGroup): void {
  const { kernel } = runtimeState.context;
  for (const process of runtimeState.processes.values()) {
    describeProcess(process, kernel.now, report);
    describeOnce(process, () => describeInside(runtimeState, process, group), group);
  }
  const emits = new Map<number, number>();
  const delivered = new Set<string>();
  for (const pending of kernel.pending()) describePending(runtimeState, pending, { emits, delivered }, report);
  for (const [at, count] of emits) report(`events at ${at}`, count);
}

/** Reports what stays the same until a process or a controller is touched (`touch`). Returns whether it does. */
function describeOnce(of: { unchanged: object | undefined }, parts: Parameters<ReportGroup>[1], group: ReportGroup): boolean {
  const unchanged = of.unchanged ?? {};
  const lasts = group(unchanged, parts);
  if (lasts && of.unchanged === undefined) of.unchanged = unchanged;
  return lasts;
}

function describeProcess(process: Process, now: number, report: ReportPart): void {
  const { spec, next, up, changedAt, skewMs, skews, leading, listsAt, limiter } = process;
  report(spec.name, [
    up,
    changedAt,
    skewMs,
    skews.slice(0, -1),
    leading,
    listsAt,
    next === undefined ? 0 : (next.start ?? 1),
    limiter?.describe(now),
  ]);
}

/** Reports its streams and controllers. Returns whether that lasts until the process is touched. */
function describeInside(runtimeState: RuntimeState, { spec, streams, running }: Process, group: ReportGroup): boolean {
  const { now } = runtimeState.context.kernel;
  const { name } = spec;
  let lasts = true;
  for (const each of streams.values())
    if (!describeOnce(each, (reported) => describeStream(each, name, now, reported), group)) lasts = false;
  for (const each of running.values())
    if (!describeOnce(each, (reported) => describeRunning(runtimeState, each, name, reported), group)) lasts = false;
  return lasts;
}

/** Returns whether that lasts: what is under way arrives in time, but a delay without it ends by itself. */
function describeStream(stream: Stream, process: string, now: number, report: ReportPart): boolean {
  const { kind, kindTable, lastAt } = stream;
  if (kindTable.table.size > 0) report(partName(stream, process, `has ${kind}`), [...kindTable.table.values()]);
  const underway = inFlightOf(stream);
  if (underway.length > 0 || lastAt > now) report(`${process} gets ${kind}`, [lastAt, underway.map(({ type, object }) => [type, object])]);
  return underway.length > 0 || lastAt <= now;
}

/** Changes in flight, oldest first. */
const inFlightOf = ({ inFlight, head, tail }: Stream): readonly Change[] => inFlight.slice(head, tail) as Change[];

/** Returns whether that lasts until the controller observes or does something: expectations come true, and a bucket fills, by themselves. */
function describeRunning(runtimeState: RuntimeState, running: Running, process: string, report: ReportPart): boolean {
  const { controller, state, queue } = running;
  if (state !== undefined) {
    const described = controller.describe === undefined ? state : controller.describe(state);
    report(partName(running, process, `${controller.name} knows`), described);
  }
  const bucket = queue.describe();
  if (bucket !== undefined) report(`${process} ${controller.name} failures`, bucket);
  let awaits = false;
  for (const each of queue.states()) {
    const awaited = awaitsOf(each);
    if (awaited.length > 0) awaits = true;
    const held = describeKey(runtimeState, each, awaited);
    if (held !== undefined) report(partName(each, process, `${controller.name} ${each.key}`), held);
  }
  return bucket === undefined && !awaits;
}

/** What is held for a key; undefined: nothing that makes a difference. */
function describeKey({ held }: RuntimeState, state: KeyState, awaits: readonly unknown[]): unknown {
  const { waiting, processing, dirty, delayed, wake, failures, memory, elided, decidedAt, flight } = state;
  const isEmpty =
    waiting === undefined && !processing && delayed === undefined && wake === undefined && failures === 0 && memory === undefined;
  if (isEmpty && elided === undefined && flight === undefined && awaits.length === 0) return undefined;
  return [
    waiting === undefined ? undefined : [waiting.at, held.has(waiting)],
    processing,
    dirty !== undefined,
    delayed === undefined ? undefined : [delayed.at, delayed.event.type === 'due' ? delayed.event.because : ''],
    wake === undefined ? undefined : [wake.at, wake.background],
    failures,
    memory,
    elided !== undefined,
    decidedAt,
    awaits,
    flight === undefined ? undefined : [flight.index, flight.sent, outcomeOf(flight.outcome)],
  ];
}

/** An outcome without its reason, which has no effect. Its `enqueue` and its actions have taken effect already. */
const outcomeOf = ({ why: _, enqueue: __, actions: ___, ...rest }: NonNullable<KeyState['flight']>['outcome']): unknown => rest;

/** Expectations that the caches do not satisfy: the kind, and how many changes must arrive first. */
const awaitsOf = ({ expectations = [] }: KeyState): readonly unknown[] =>
  expectations.flatMap(({ stream, revision }) => (stream.seenRevision < revision ? [[stream.kind, waitsFor(stream, revision)]] : []));

/** The number of changes in flight up to a revision. */
const waitsFor = ({ inFlight, head, tail }: NonNullable<KeyState['expectations']>[number]['stream'], revision: number): number =>
  inFlight.slice(head, tail).filter((change) => change !== undefined && change.revision <= revision).length;

function describePending(
  { processes, runnings, streams }: RuntimeState,
  { event, at, part }: Pending<ClusterEvent>,
  { emits, delivered }: { readonly emits: Map<number, number>; readonly delivered: Set<string> },
  report: ReportPart,
): void {
  switch (event.type) {
    case 'deliver': {
      const stream = streams.byNumber(event.to[part] ?? -1);
      const place = stream === undefined ? -1 : inFlightOf(stream).findIndex(({ revision }) => revision === event.revision);
      const sent = `${stream?.number ?? ''} ${event.revision}`;
      // A relist has cancelled the delivery. One from an older list sends the change again: the later of two deliveries finds nothing.
      if (stream === undefined || place < 0 || delivered.has(sent)) return;
      delivered.add(sent);
      report(`delivery to ${stream.process.spec.name} of ${stream.kind} ${place}`, at);
      return;
    }
    case 'apply': {
      const running = runnings[event.running];
      const state = running?.queue.at(event.keyId);
      if (running === undefined || state?.flight?.index !== event.index) return;
      report(`write of ${running.process.spec.name} ${running.controller.name} ${state.key}`, [at, event.index, event.late === true]);
      return;
    }
    case 'start': {
      const process = processes.get(event.process);
      if (process?.incarnation === event.incarnation && !process.up) report(`start of ${event.process} at ${at}`, event.atRevision);
      return;
    }
    case 'emit':
      if (runnings[event.running] !== undefined) emits.set(at, (emits.get(at) ?? 0) + 1);
      return;
    case 'skew':
      report(`clock of ${event.process} at ${at}`, event.skewMs);
      return;
    case 'reconcile':
    case 'due':
      // These are part of the key's own report; one that its key does not hold is cancelled.
      return;
    case 'operation':
    case 'expire':
      // Reported by the module that planned it.
      return;
  }
}

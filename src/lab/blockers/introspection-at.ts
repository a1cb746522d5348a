/**
 * The introspection of a past moment, computed from the trace alone: processes from their last transitions, keys from their last decisions
 * and timers, faults from their parameters. The events that are pending at the end of a run are not in its trace, so the introspection of
 * the cluster supplies them.
 */
import type {
  ControllerIntrospection,
  FaultNotice,
  Introspection,
  KeyIntrospection,
  ProcessIntrospection,
} from '../../controlplane/runtime/index.ts';
import { pushTo } from '../../schema/values/index.ts';
import { goesOn, stepOf, viewAt, viewsOf, type Entry, type Trace } from '../trace/index.ts';

type Decision = Extract<Entry, { readonly type: 'reconcile' }>;
type Timer = Extract<Entry, { readonly type: 'timer' }>;

/** Returns the introspection at a step. `end`: the introspection at the end of the run, where it is known. */
export function introspectionAt(trace: Trace, step: number, now: number, end?: Introspection): Introspection {
  const keys = keysAt(trace, step, end);
  const processes = viewsOf(trace).map((name) => processAt(trace, step, name, keys.get(name) ?? new Map<string, KeyIntrospection[]>()));
  const down = new Set(processes.filter(({ up }) => !up).map(({ name }) => name));
  return { now, pending: [...returnsOf(trace, step, down), ...(end?.pending ?? [])], processes, faults: faultsAt(trace, step, now) };
}

function* before({ prologue, entries }: Trace, step: number): Generator<Entry> {
  for (let at = step - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry !== undefined) yield entry;
  }
  for (let at = prologue.length - 1; at >= 0; at--) {
    const entry = prologue[at];
    if (entry !== undefined) yield entry;
  }
}

function processAt(trace: Trace, step: number, name: string, keys: ReadonlyMap<string, readonly KeyIntrospection[]>): ProcessIntrospection {
  const view = viewAt(trace, name, step);
  let since = trace.startAt;
  let up = false;
  for (const entry of before(trace, step)) {
    if (entry.type !== 'process' || entry.process !== name) continue;
    up = entry.what !== 'crashed' && entry.what !== 'stopped' && entry.what !== 'refused';
    since = entry.at;
    if (!goesOn(entry) && entry.what !== 'retires') break;
  }
  const running = view.controllers();
  const all = new Map([...everRun(trace, name)].map((controller) => [controller.name, controller] as const));
  for (const controller of running) all.set(controller.name, controller);
  const elects = running.length === 1 && all.size > 1;
  const controllers: ControllerIntrospection[] = [...all.values()].map((controller) => ({
    ...controller,
    keys: keys.get(controller.name) ?? [],
  }));
  return { name, up, since, leading: up && !elects, controllers, underway: [] };
}

function everRun({ prologue, entries }: Trace, process: string): ReadonlySet<Pick<ControllerIntrospection, 'name' | 'reconciles'>> {
  const found = new Set<Pick<ControllerIntrospection, 'name' | 'reconciles'>>();
  for (const list of [prologue, entries])
    for (const entry of list)
      if (entry.type === 'process' && entry.process === process) for (const one of entry.lists?.controllers ?? []) found.add(one);
  return found;
}

/** Returns the keys by process and controller, from the last decision about each and the next timer that was set before the moment. */
function keysAt(trace: Trace, step: number, end: Introspection | undefined): ReadonlyMap<string, Map<string, KeyIntrospection[]>> {
  const last = new Map<string, Decision>();
  const ended = new Set<string>();
  for (const entry of before(trace, step)) {
    if (entry.type === 'process' && (entry.what === 'crashed' || entry.what === 'stopped' || entry.what === 'started'))
      ended.add(entry.process);
    if (entry.type !== 'reconcile' || ended.has(entry.process)) continue;
    const place = `${entry.process} ${entry.controller} ${entry.key}`;
    if (!last.has(place)) last.set(place, entry);
  }
  const timers = timersAfter(trace, step);
  const later = touchedAfter(trace, step);
  const keys = new Map<string, Map<string, KeyIntrospection[]>>();
  for (const [place, { process, controller, key, failures, wakeAt }] of last) {
    const timer = timers.get(place);
    const backingOff = timer?.because === 'backoff';
    const wakes = wakeAt !== undefined && wakeAt > (trace.entries[step - 1]?.at ?? trace.startAt) ? { wakesAt: wakeAt } : {};
    const controllers = keys.get(process) ?? new Map<string, KeyIntrospection[]>();
    keys.set(process, controllers);
    const left = later.has(place) || later.has(process) ? undefined : keyIn(end, process, controller, key);
    const held: KeyIntrospection = left ?? {
      key,
      queued: false,
      ...(timer === undefined || timer.because === 'wake' ? {} : { delayedUntil: timer.at }),
      backingOff,
      ...wakes,
      // A decision has the number of earlier failures; one that led to a back-off failed too.
      failures: failures + (backingOff ? 1 : 0),
      awaits: [],
    };
    pushTo(controllers, controller, held);
  }
  return keys;
}

/** Returns the keys with a decision or timer after a step, and the processes with a transition after it. */
function touchedAfter({ entries }: Trace, step: number): ReadonlySet<string> {
  const touched = new Set<string>();
  for (let at = step; at < entries.length; at++) {
    const entry = entries[at];
    if (entry?.type === 'reconcile' || entry?.type === 'timer') touched.add(`${entry.process} ${entry.controller} ${entry.key}`);
    else if (entry?.type === 'process') touched.add(entry.process);
  }
  return touched;
}

const keyIn = (introspection: Introspection | undefined, process: string, controller: string, key: string): KeyIntrospection | undefined =>
  introspection?.processes
    .find(({ name }) => name === process)
    ?.controllers.find(({ name }) => name === controller)
    ?.keys.find((held) => held.key === key);

/** Returns the next timer of each key after a step, if it was set at or before the step. */
function timersAfter(trace: Trace, step: number): ReadonlyMap<string, Timer> {
  const timers = new Map<string, Timer>();
  for (let at = step; at < trace.entries.length; at++) {
    const entry = trace.entries[at];
    if (entry?.type !== 'timer') continue;
    const place = `${entry.process} ${entry.controller} ${entry.key}`;
    if (!timers.has(place) && entry.causes.every((id) => (stepOf(trace, id) ?? 0) <= step)) timers.set(place, entry);
  }
  return timers;
}

function returnsOf({ entries }: Trace, step: number, down: ReadonlySet<string>): Introspection['pending'] {
  const found = new Map<string, { what: string; at: number; background: boolean }>();
  for (let index = step; index < entries.length && found.size < down.size; index++) {
    const entry = entries[index];
    if (entry?.type !== 'process' || entry.what !== 'started' || !down.has(entry.process) || found.has(entry.process)) continue;
    found.set(entry.process, { what: `the start of ${entry.process}`, at: entry.at, background: false });
  }
  return [...found.values()];
}

function faultsAt(trace: Trace, step: number, now: number): readonly FaultNotice[] {
  const found: FaultNotice[] = [];
  for (const entry of before(trace, step)) {
    if (entry.type !== 'fault' || entry.given === undefined || typeof entry.given.subject !== 'string') continue;
    const { subject: process, parameters } = entry.given;
    const { for: forMs } = parameters;
    const until = typeof forMs === 'number' ? entry.at + forMs : undefined;
    if ((entry.fault !== 'lag' && entry.fault !== 'partition') || (until !== undefined && until < now)) continue;
    const says = entry.fault === 'partition' ? 'is cut off from the server' : entry.detail.replace(`${process} `, '');
    found.push({ process, says, ...(until === undefined ? {} : { until }) });
  }
  return found;
}

/**
 * The decision behind a finding: the one whose write broke an invariant; where no single write did, the first decision of the user's
 * controllers that goes another way than without the faults.
 */
import { replaying } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { type RunFailure, simulate } from '../simulation/index.ts';
import { type CacheView, cacheViewOf, type Entry, entryAt, type Trace } from '../trace/index.ts';
import { bump, compareText, pushTo } from '../../schema/values/index.ts';
import { type Cause, isInvariant, isLiveness, type Making, sketch } from './cause.ts';
import type { Judgement } from './judgement.ts';

type ReconcileEntry = Extract<Entry, { type: 'reconcile' }>;
type WriteEntry = Extract<Entry, { type: 'write' }>;

/** A decision, what its controller had not seen, and what it wrote. */
export interface Blamed {
  readonly step: number;
  readonly decision: ReconcileEntry;
  /** Absent: the trace does not know what the controller saw. */
  readonly cacheView?: CacheView;
  readonly writes: readonly WriteEntry[];
  /** Writes of earlier decisions about the same key: those that reached the server only later, and those that the cache did not show yet. */
  readonly underway: readonly WriteEntry[];
  /** The reason that it gave without the faults; absent: that is unknown. */
  readonly otherwise?: string;
  /** How much later it was made than without the faults, milliseconds; absent: it is another decision than without the faults. */
  readonly lateMs?: number;
  /** It was made without the faults, and with them not before the end. */
  readonly isMissing?: true;
}

/** The run of a finding: its trace, its failure, and the decision behind it. */
export interface Retold {
  readonly trace: Trace;
  /** Absent: a livelock or starvation, which no failure of the run shows. */
  readonly failure?: RunFailure;
  readonly blamed?: Blamed;
}

/** Runs a finding once more with its trace; twice, if the decision has to be found by comparison. */
export function retell(scenario: Scenario, choices: readonly PointChoice[], cause: Cause, making: Making, { mine }: Judgement): Retold {
  const byWrite = new Set<RunFailure>();
  const traced = (some: readonly PointChoice[], onFailure?: (failure: RunFailure, isByWrite: boolean) => void) =>
    simulate(scenario, { ...making, trace: true, tries: false, digest: false, chooser: replaying(some), ...(onFailure && { onFailure }) });
  const { trace, failures } = traced(choices, (failure, isByWrite) => void (isByWrite && byWrite.add(failure)));
  if (trace === undefined) throw new Error('the run kept no trace');
  const failure = isLiveness(cause)
    ? undefined
    : (failures.find(({ invariant }) => cause.claim === invariant) ?? failures.find(({ kind }) => kind !== 'step'));
  const found = {
    trace,
    ...(failure === undefined ? {} : { failure }),
  };
  if (failure !== undefined && isInvariant(cause) && byWrite.has(failure)) {
    const blamed = decisionBehind(trace, failure.traceStep);
    if (blamed !== undefined) return { ...found, blamed };
  }
  const calm = traced([]).trace;
  const blamed =
    cause.controller === undefined && calm !== undefined
      ? ((mine.size > 0 ? divergence(trace, calm, mine) : undefined) ?? divergence(trace, calm))
      : lastOf(trace, cause.controller ?? '');
  return blamed === undefined ? found : { ...found, blamed };
}

function decisionBehind(trace: Trace, step: number): Blamed | undefined {
  const cacheView = cacheViewOf(trace, step);
  if (cacheView !== undefined) return blamedAt(trace, cacheView.step, cacheView);
  const write = entryAt(trace, step);
  const id = write?.type === 'write' ? write.causes[0] : undefined;
  const at = trace.entries.findIndex((entry) => entry.id === id);
  return at < 0 ? undefined : blamedAt(trace, at + 1);
}

function blamedAt(trace: Trace, step: number, cacheView = cacheViewOf(trace, step)): Blamed | undefined {
  const decision = entryAt(trace, step);
  if (decision?.type !== 'reconcile') return undefined;
  const earlier = new Set<number>();
  const own = ownUnseen(trace, step, decision, earlier);
  const later = trace.entries.slice(step).filter((entry): entry is WriteEntry => entry.type === 'write');
  const writes = later.filter(({ causes }) => causes.includes(decision.id));
  const underway = [...later.filter(({ causes }) => causes.some((id) => earlier.has(id))), ...own];
  return { step, decision, writes, underway, ...(cacheView === undefined ? {} : { cacheView }) };
}

/** Returns the last writes of earlier decisions about the same key that the process had not been sent; fills in those decisions. */
function ownUnseen(trace: Trace, step: number, decision: ReconcileEntry, earlier: Set<number>): readonly WriteEntry[] {
  const unseen = new Map<string, WriteEntry>();
  /** Kinds that the process watches. */
  const watched = new Set<string>();
  for (const entry of trace.entries) if (entry.type === 'delivery' && entry.process === decision.process) watched.add(entry.kind);
  for (const entry of trace.entries.slice(0, step - 1)) {
    if (entry.type === 'reconcile' && entry.controller === decision.controller && entry.key === decision.key) earlier.add(entry.id);
    else if (entry.type === 'write' && watched.has(entry.change.kind) && entry.causes.some((id) => earlier.has(id)))
      unseen.set(`${entry.change.kind} ${entry.change.key}`, entry);
    else if (entry.type === 'process' && entry.process === decision.process) unseen.clear();
    else if (entry.type === 'delivery' && entry.process === decision.process) {
      const place = `${entry.kind} ${entry.key}`;
      if (entry.revision >= (unseen.get(place)?.change.revision ?? Infinity)) unseen.delete(place);
    }
  }
  return [...unseen.values()];
}

/** The last decision of one of the controllers. */
function lastOf(trace: Trace, controllers: string): Blamed | undefined {
  const names = controllers.split(', ');
  const at = trace.entries.findLastIndex((entry) => entry.type === 'reconcile' && names.includes(entry.controller));
  return at < 0 ? undefined : blamedAt(trace, at + 1);
}

/** At most so many decisions are compared with what the server had, which costs a replay each. */
const MOST_COMPARED = 12;

/** Returns the kinds of objects about which a decision did not know the latest. */
export const misledBy = ({ cacheView, underway }: Blamed): readonly string[] =>
  [...new Set([...(cacheView?.unseen ?? []).map(({ kind }) => kind), ...underway.map(({ change }) => change.kind)])].sort(compareText);

/** Returns the first decision that a controller did not make without the faults: one from an old cache, else one with a write. */
function divergence(trace: Trace, calm: Trace, among?: ReadonlySet<string>): Blamed | undefined {
  const usual = new Map<string, ReconcileEntry[]>();
  const placeOf = ({ controller, key }: ReconcileEntry): string => `${controller} ${key}`;
  for (const entry of calm.entries)
    if (entry.type === 'reconcile' && among?.has(entry.controller) !== false) pushTo(usual, placeOf(entry), entry);
  const counts = new Map<string, number>();
  const others: { readonly step: number; readonly otherwise: string | undefined; readonly writes: number }[] = [];
  const left = new Set<string>();
  let late: { readonly step: number; readonly lateMs: number } | undefined;
  for (const [at, entry] of trace.entries.entries()) {
    if (entry.type !== 'reconcile' || among?.has(entry.controller) === false) continue;
    const place = placeOf(entry);
    const same = usual.get(place)?.[bump(counts, place) - 1];
    const isSame = same !== undefined && same.writes === entry.writes && sketch(same.why) === sketch(entry.why);
    if (isSame && entry.writes > 0 && entry.at > same.at) late ??= { step: at + 1, lateMs: entry.at - same.at };
    // After the first difference the decisions of a key no longer correspond.
    if (left.has(place) || isSame) continue;
    left.add(place);
    others.push({ step: at + 1, otherwise: same?.why, writes: entry.writes });
  }
  const told = others.slice(0, MOST_COMPARED).flatMap(({ step, otherwise }) => {
    const blamed = blamedAt(trace, step);
    return blamed === undefined ? [] : [otherwise === undefined ? blamed : { ...blamed, otherwise }];
  });
  if (told.length === 0) return lateOrMissing(trace, late, usual, counts);
  return told.find((each) => misledBy(each).length > 0) ?? told.find(({ decision }) => decision.writes > 0) ?? told[0];
}

/** The first decision that only came late; else the first that was not made at all. */
function lateOrMissing(
  trace: Trace,
  late: { readonly step: number; readonly lateMs: number } | undefined,
  usual: ReadonlyMap<string, readonly ReconcileEntry[]>,
  counts: ReadonlyMap<string, number>,
): Blamed | undefined {
  const blamed = late === undefined ? undefined : blamedAt(trace, late.step);
  if (late !== undefined && blamed !== undefined) return { ...blamed, lateMs: late.lateMs };
  const missing = [...usual].flatMap(([place, all]) => (counts.has(place) ? all.slice(counts.get(place)) : all));
  const [first] = missing.filter(({ writes }) => writes > 0).sort((a, b) => a.at - b.at);
  return first && { step: 0, decision: first, writes: [], underway: [], isMissing: true };
}

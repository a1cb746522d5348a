/**
 * The state of a run as a fingerprint: two runs of one scenario with the same fingerprint continue in the same way. It covers the state
 * that the cluster describes, the position in the scenario, the history of each object, and the state of invariants. A revision is
 * identified by the history of its object, not by its number, which other writes change. Events are left out. A wait for a condition has
 * only its start as state, which the position contains.
 */
import { pushTo } from '../../../schema/values/index.ts';
import { chained, createFingerprinter, knownPrints, listPrints, NotData, NOTHING, minus, plus } from '../../../engine/index.ts';
import type { Fingerprint } from '../../../engine/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ReportGroup } from '../../../controlplane/runtime/index.ts';
import type { Judge, Staged } from '../../simulation/index.ts';

export type StateWatch = ReturnType<typeof watchState>;

/** The error for a component whose state is not plain data, so that states cannot be distinguished. */
export class OpaqueState extends Error {
  constructor(part: string, reason: string, whose = '`describe(state)` to the controller') {
    super(
      `the state of "${part}" is not plain data, so states cannot be distinguished: ${reason}; add ${whose}, which returns it as plain data`,
    );
    this.name = 'OpaqueState';
  }
}

/**
 * Computes the state between two events.
 *
 * @throws OpaqueState where the state of a component is not plain data.
 */
export function watchState({ cluster, position, judges }: Pick<Staged, 'cluster' | 'position' | 'judges'>) {
  const histories = createHistories();
  const judged = watchJudges(judges, cluster, histories);
  cluster.store.onChange((change) => {
    if (change.kind !== 'Event') histories.note(change);
  });
  /** Sums of parts that stay the same, by what they stay the same for. */
  const sums = knownPrints();
  const printOfList = listPrints(histories.print);
  const printOf = (part: string, value: unknown): Fingerprint => {
    try {
      return Array.isArray(value) ? printOfList(part, value) : histories.print(value);
    } catch (error) {
      throw error instanceof NotData ? new OpaqueState(part, error.message) : error;
    }
  };
  const visitAll = (visit: (part: string, print: Fingerprint) => void, group?: ReportGroup): void => {
    cluster.describe((part, value) => visit(part, printOf(part, value)), group);
    visit('histories', histories.sum());
    visit('position', histories.print(position));
    judged.describe(visit);
  };
  return {
    now(): Fingerprint {
      let state = NOTHING;
      const add = (part: string, print: Fingerprint): void => {
        state = plus(state, chained(histories.text(part), print));
      };
      visitAll(add, (of, parts) => {
        const known = sums.get(of);
        const before = state;
        const lasts = known !== undefined || parts((part, value) => add(part, printOf(part, value)));
        if (known !== undefined) state = plus(state, known);
        else if (lasts) sums.set(of, minus(state, before));
        return lasts;
      });
      return state;
    },
    /** Returns the fingerprint of each part of the state, to show where two states differ. */
    parts(): ReadonlyMap<string, Fingerprint> {
      const parts = new Map<string, Fingerprint>();
      visitAll((part, print) => parts.set(part, print));
      return parts;
    },
  };
}

/** Computes the state of invariants. One that does not describe itself has all its observations as state. */
function watchJudges(
  judges: readonly Judge[],
  { observations, store }: Pick<Cluster, 'observations' | 'store'>,
  histories: ReturnType<typeof createHistories>,
) {
  const opaque = new Map<Judge, Fingerprint>();
  for (const judge of judges) if (judge.checker.describe === undefined) opaque.set(judge, NOTHING);
  if (opaque.size > 0)
    observations.subscribe((observation) => {
      if (observation.type !== 'write') return;
      const { change, controller, actor } = observation;
      const print = histories.print([change.type, change.kind, change.key, change.object.metadata.uid, change.at, controller, actor]);
      for (const [judge, observed] of opaque)
        if (judge.invariant.kinds.includes(change.kind) || judge.invariant.kinds.includes('*')) opaque.set(judge, chained(observed, print));
    });
  /** Of each judge without deadlines, since the last change of its kinds. */
  const prints = new Map<Judge, Fingerprint>();
  const names = new Map(judges.map((judge) => [judge, `invariant ${judge.invariant.name}`] as const));
  const byKind = new Map<string, Judge[]>();
  for (const judge of judges) for (const kind of judge.invariant.kinds) pushTo(byKind, kind, judge);
  const ofAll = byKind.get('*') ?? [];
  store.onChange(({ kind }) => {
    for (const judge of byKind.get(kind) ?? []) prints.delete(judge);
    for (const judge of ofAll) prints.delete(judge);
  });
  const memoryOf = (judge: Judge): Fingerprint => {
    const { checker, invariant } = judge;
    try {
      return opaque.get(judge) ?? histories.loose(checker.describe?.());
    } catch (error) {
      throw error instanceof NotData ? new OpaqueState(invariant.name, error.message, '`describe()` to the invariant') : error;
    }
  };
  const printOf = (judge: Judge): Fingerprint => {
    const come = histories.print([judge.broken, judge.checker.exercised > 0]);
    return judge.broken ? come : chained(come, memoryOf(judge));
  };
  return {
    describe(visit: (part: string, print: Fingerprint) => void): void {
      for (const judge of judges) {
        let print = prints.get(judge);
        if (print === undefined) {
          print = printOf(judge);
          if (judge.checker.deadline === undefined) prints.set(judge, print);
        }
        visit(names.get(judge) ?? '', print);
      }
    },
  };
}

interface Versioned {
  readonly resourceVersion: string;
}

/** Whether a record is metadata, or refers to a revision in another way. */
const isVersioned = (record: object): record is Versioned => 'resourceVersion' in record && typeof record.resourceVersion === 'string';
const isStored = (record: object): record is ApiObject => 'metadata' in record && 'kind' in record && Object.isFrozen(record);

/** Computes the history of objects since the start of the observation. An object without changes since is identified by its contents. */
function createHistories() {
  /** By revision, the history that led to it. */
  const led = new Map<string, Fingerprint>();
  const byUid = new Map<string, Fingerprint>();
  const known = knownPrints();
  let sum = NOTHING;
  const versioned = ({ resourceVersion, ...rest }: Versioned): Fingerprint =>
    chained(inner.of(rest), led.get(resourceVersion) ?? inner.text(resourceVersion));
  const inner = createFingerprinter((record) => (isVersioned(record) ? versioned(record) : undefined));
  const stored = (record: object): Fingerprint | undefined => {
    if (isVersioned(record)) return versioned(record);
    if (!isStored(record)) return undefined;
    let print = known.get(record);
    if (print === undefined) known.set(record, (print = inner.of(record)));
    return print;
  };
  const outer = createFingerprinter(stored);
  const loose = createFingerprinter(stored, false);
  return {
    note({ type, object, at, revision }: Change): void {
      const { uid } = object.metadata;
      const before = byUid.get(uid) ?? NOTHING;
      const version = String(revision);
      // The contents are added without the number of the present revision.
      led.set(version, before);
      led.set(object.metadata.resourceVersion, before);
      const after = chained(before, inner.text(type), inner.of(object), inner.of(at));
      led.set(version, after);
      led.set(object.metadata.resourceVersion, after);
      byUid.set(uid, after);
      sum = plus(minus(sum, before), after);
    },
    /** Returns the fingerprint of the histories of all objects. */
    sum: (): Fingerprint => sum,
    /** Returns the fingerprint of plain data that may contain objects. */
    print: (value: unknown): Fingerprint => outer.of(value),
    /** Returns the fingerprint of data whose maps and sets are unordered. */
    loose: (value: unknown): Fingerprint => loose.of(value),
    text: (value: string): Fingerprint => outer.text(value),
  };
}

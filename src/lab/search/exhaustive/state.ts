/**
 * The state of a run as a fingerprint: two runs of one scenario with the same fingerprint continue alike. It covers what the cluster
 * describes of itself, the position in the scenario, the history of each object, and what invariants remember. A revision is identified
 * by the history of its object, not by its number, which other writes change. Events are left out. A wait for a condition remembers only
 * its start, which the position gives.
 */
import { chained, createFingerprinter, NotData, NOTHING, minus, plus, type Fingerprint } from '../../../engine/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { Judge, Staged } from '../../simulation/index.ts';

/** Asks for the state, between two events. Throws `Untellable` where a component's state is no data. */
export interface StateWatch {
  now(): Fingerprint;
  /** The same by part, for whoever wants to know in what two states differ. */
  parts(): ReadonlyMap<string, Fingerprint>;
}

/** States cannot be told apart: a component keeps something that is no data. */
export class Untellable extends Error {
  constructor(part: string, reason: string, whose = 'controller `describe(state)`') {
    super(`what "${part}" cannot be told apart from state to state: ${reason}; give the ${whose}, which answers it as plain data`);
    this.name = 'Untellable';
  }
}

/** Watches a run from here on. */
export function watchState({ cluster, position, judges }: Pick<Staged, 'cluster' | 'position' | 'judges'>): StateWatch {
  const histories = createHistories();
  const bench = watchJudges(judges, cluster, histories);
  cluster.store.onChange((change) => {
    if (change.kind !== 'Event') histories.note(change);
  });
  const printOf = (part: string, value: unknown): Fingerprint => {
    try {
      return histories.print(value);
    } catch (error) {
      throw error instanceof NotData ? new Untellable(part, error.message) : error;
    }
  };
  const tellAll = (tell: (part: string, print: Fingerprint) => void): void => {
    cluster.describe((part, value) => tell(part, printOf(part, value)));
    tell('histories', histories.sum());
    tell('position', histories.print(position));
    bench.describe(tell);
  };
  return {
    now() {
      let state = NOTHING;
      tellAll((part, print) => (state = plus(state, chained(histories.text(part), print))));
      return state;
    },
    parts() {
      const parts = new Map<string, Fingerprint>();
      tellAll((part, print) => parts.set(part, print));
      return parts;
    },
  };
}

/** The memory of invariants that do not describe all that they have observed. */
function watchJudges(judges: readonly Judge[], { observations }: Pick<Cluster, 'observations'>, histories: Histories) {
  const opaque = new Map<Judge, Fingerprint>();
  for (const judge of judges) if (judge.checker.describe === undefined) opaque.set(judge, NOTHING);
  if (opaque.size > 0)
    observations.subscribe((observation) => {
      if (observation.type !== 'write') return;
      const { change, controller, actor } = observation;
      const print = histories.print([change.type, change.kind, change.key, change.object.metadata.uid, change.at, controller, actor]);
      for (const [judge, heard] of opaque)
        if (judge.invariant.kinds.includes(change.kind) || judge.invariant.kinds.includes('*')) opaque.set(judge, chained(heard, print));
    });
  const memoryOf = (judge: Judge): Fingerprint => {
    const { checker, invariant } = judge;
    try {
      return opaque.get(judge) ?? histories.loose(checker.describe?.());
    } catch (error) {
      throw error instanceof NotData ? new Untellable(`${invariant.name} remembers`, error.message, 'invariant `describe()`') : error;
    }
  };
  return {
    describe(tell: (part: string, print: Fingerprint) => void): void {
      for (const judge of judges) {
        const { broken, checker, invariant } = judge;
        const come = histories.print([broken, checker.exercised > 0]);
        tell(`invariant ${invariant.name}`, broken ? come : chained(come, memoryOf(judge)));
      }
    },
  };
}

interface Histories {
  note(change: Change): void;
  /** Of all objects together. */
  sum(): Fingerprint;
  /** Of plain data with objects in it. */
  print(value: unknown): Fingerprint;
  /** The same of data whose maps and sets are in no order that means anything. */
  loose(value: unknown): Fingerprint;
  text(text: string): Fingerprint;
}

interface Versioned {
  readonly resourceVersion: string;
}

/** Metadata, or anything else that says which revision it is about. */
const isVersioned = (record: object): record is Versioned => 'resourceVersion' in record && typeof record.resourceVersion === 'string';
const isStored = (record: object): record is ApiObject => 'metadata' in record && 'kind' in record && Object.isFrozen(record);

/** What objects have been through since somebody began to listen. Those that have not changed since are what they are called and hold. */
function createHistories(): Histories {
  /** By revision: the history that led to it. */
  const led = new Map<string, Fingerprint>();
  const byUid = new Map<string, Fingerprint>();
  const known = new WeakMap<object, Fingerprint>();
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
    note({ type, object, at, revision }) {
      const { uid } = object.metadata;
      const before = byUid.get(uid) ?? NOTHING;
      const version = String(revision);
      // What it is now, apart from the name of this very revision.
      led.set(version, before);
      led.set(object.metadata.resourceVersion, before);
      const after = chained(before, inner.text(type), inner.of(object), inner.of(at));
      led.set(version, after);
      led.set(object.metadata.resourceVersion, after);
      byUid.set(uid, after);
      sum = plus(minus(sum, before), after);
    },
    sum: () => sum,
    print: (value) => outer.of(value),
    loose: (value) => loose.of(value),
    text: (value) => outer.text(value),
  };
}

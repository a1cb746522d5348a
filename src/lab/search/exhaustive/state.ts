/**
 * Which state a run is in, as a fingerprint: two runs of one scenario with the same one go on alike, whatever led them there. In it is all that the
 * cluster tells of itself, where the scenario stands, and what each object has been through, which is what invariants may remember.
 *
 * A revision is named by the history of its object, not by its number, which everybody else's writes move. Each is fingerprinted once.
 * Left out: Events, and what differs in them; which of two objects came first at one instant, where only an invariant could have noticed.
 */
import { chained, createFingerprinter, NotData, NOTHING, minus, plus, type Fingerprint } from '../../../engine/index.ts';
import type { ApiObject } from '../../../apiserver/vocabulary/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import type { Staged } from '../../simulation/index.ts';

/** Asks for the state, between two events. Throws `Untellable` where a component's state is no data. */
export interface StateWatch {
  now(): Fingerprint;
  /** The same by part, for whoever wants to know in what two states differ. */
  parts(): ReadonlyMap<string, Fingerprint>;
}

/** States cannot be told apart: a component keeps something that is no data. */
export class Untellable extends Error {
  constructor(part: string, reason: string) {
    super(
      `what "${part}" cannot be told apart from state to state: ${reason}; give the controller \`describe(state)\`, which answers it as plain data`,
    );
    this.name = 'Untellable';
  }
}

/** Watches a run from here on. */
export function watchState({ cluster, position }: Pick<Staged, 'cluster' | 'position'>): StateWatch {
  const histories = createHistories();
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

interface Histories {
  note(change: Change): void;
  /** Of all objects together. */
  sum(): Fingerprint;
  /** Of plain data with objects in it. */
  print(value: unknown): Fingerprint;
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
  const outer = createFingerprinter((record) => {
    if (isVersioned(record)) return versioned(record);
    if (!isStored(record)) return undefined;
    let print = known.get(record);
    if (print === undefined) known.set(record, (print = inner.of(record)));
    return print;
  });
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
    text: (value) => outer.text(value),
  };
}

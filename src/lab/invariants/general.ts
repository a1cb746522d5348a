/** Invariants of all objects, of every kind. */
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { addTo } from '../../schema/values/index.ts';
import { type Facts, type Invariant, type Violation, checking } from './invariant.ts';
import { createObligations, type Obligations } from './obligations.ts';

const named = (object: ApiObject): string => `${object.kind} ${keyOf(object)}`;

const REMEMBERED = 10_000;

export const uidLivesOnce: Invariant = {
  name: 'general/uid-lives-once',
  temporal: 'always',
  description: 'An object keeps its uid as long as it exists, and nothing is written to a uid that was deleted.',
  kinds: ['*'],
  check: checking((exercised) => {
    /** Names of deleted objects by uid, the oldest first. */
    const dead = new Map<string, string>();
    const lastUid = new Map<string, string>();
    return {
      describe: () => [dead, lastUid],
      onChange({ type, object, previous }): Violation | undefined {
        const { uid } = object.metadata;
        const was = dead.get(uid);
        const what = type === 'ADDED' ? 'a new object' : 'a write';
        if (was !== undefined) return { message: `${what} has the uid ${uid}, which was deleted with ${was}`, object };
        if (type === 'MODIFIED' && previous !== undefined && previous.metadata.uid !== uid)
          return { message: `${named(object)} changed its uid from ${previous.metadata.uid} to ${uid}`, object };
        if (type === 'ADDED' && lastUid.size > 0 && lastUid.delete(named(object))) exercised();
        if (type === 'DELETED') {
          const name = named(object);
          dead.set(uid, name);
          lastUid.set(name, uid);
          if (dead.size > REMEMBERED)
            for (const [oldest, its] of dead) {
              dead.delete(oldest);
              if (lastUid.get(its) === oldest) lastUid.delete(its);
              break;
            }
        }
        return undefined;
      },
    };
  }),
};

/** The time limit of the garbage collector, milliseconds. */
const COLLECTED_WITHIN_MS = 120_000;
/** A manager that writes this long after the limit was running, so its garbage collector had time. Milliseconds. */
const CHANCE_MS = 10_000;

interface Abandoned {
  readonly kind: string;
  readonly key: string;
  readonly uid: string;
  readonly since: number;
}

interface Orphans {
  /** Kinds with owner references, by the kind of their owners. */
  readonly owned: Map<string, Set<string>>;
  readonly obligations: Obligations<Abandoned>;
  /** The time of the last write of the manager that runs the garbage collector. */
  aliveAt: number;
  /** The time of the last such write that ended a silence, in which the manager may have been down or cut off. */
  resumedAt: number;
  exercised(): undefined;
}

const ownersExist: Invariant = {
  name: 'general/owners-exist',
  temporal: 'eventually',
  description: 'A namespaced object whose owners are all gone is soon deleted, or being deleted.',
  kinds: ['*'],
  check: checking((exercised) => {
    const orphans: Orphans = { owned: new Map(), obligations: createObligations(), aliveAt: -Infinity, resumedAt: -Infinity, exercised };
    const { obligations } = orphans;
    return {
      describe: () => [orphans.owned, obligations.describe(), orphans.aliveAt, orphans.resumedAt],
      onChange(change, facts, _controller, actor): undefined {
        if (actor?.startsWith('controller-manager') === true) {
          if (change.at - orphans.aliveAt > CHANCE_MS) orphans.resumedAt = change.at;
          orphans.aliveAt = change.at;
        }
        followOwners(orphans, change, facts);
      },
      deadline: () => obligations.next(),
      onTime(facts) {
        for (let due = obligations.overdue(facts.now); due !== undefined; due = obligations.overdue(facts.now)) {
          obligations.settle(due.uid);
          // Retries back off: what failed until then is tried again within as long.
          const mayStillCome = facts.now - due.since < 2 * (orphans.resumedAt - due.since) + COLLECTED_WITHIN_MS;
          const violation = mayStillCome ? 'unknown' : outlived(orphans, due, facts);
          if (violation === 'unknown') obligations.make(due.uid, facts.now + COLLECTED_WITHIN_MS, due);
          else if (violation !== undefined) return violation;
        }
        return undefined;
      },
      onEnd(facts, settled) {
        for (const { about } of settled ? obligations.open() : []) {
          const violation = outlived(orphans, about, facts);
          if (violation !== undefined && violation !== 'unknown') return violation;
        }
        return undefined;
      },
    };
  }),
};

function followOwners(orphans: Orphans, { type, object, at }: Change, facts: Facts): void {
  const { owned, obligations } = orphans;
  const { ownerReferences = [], uid } = object.metadata;
  if (ownerReferences.length > 0) {
    for (const owner of ownerReferences) addTo(owned, owner.kind, object.kind);
    if (type === 'ADDED' && isAbandoned(object, facts)) expectGone(obligations, object, at);
    else if (type === 'DELETED' && obligations.settle(uid) !== undefined) orphans.exercised();
  }
  if (type === 'DELETED')
    for (const kind of owned.get(object.kind) ?? [])
      for (const dependent of facts.by(kind, 'ownerUid', uid)) if (isAbandoned(dependent, facts)) expectGone(obligations, dependent, at);
}

function expectGone(obligations: Obligations<Abandoned>, object: ApiObject, since: number): void {
  const { uid } = object.metadata;
  obligations.make(uid, since + COLLECTED_WITHIN_MS, { kind: object.kind, key: keyOf(object), uid, since });
}

/** Whether all owners of an object are gone. The garbage collector ignores cluster-scoped objects with namespaced owners. */
function isAbandoned(object: ApiObject, facts: Facts): boolean {
  const { namespace, ownerReferences = [], deletionTimestamp } = object.metadata;
  if (ownerReferences.length === 0 || namespace === undefined || deletionTimestamp !== undefined) return false;
  return ownerReferences.every(
    ({ kind, name, uid }) =>
      facts.get(kind, storeKey(namespace, name))?.metadata.uid !== uid && facts.get(kind, name)?.metadata.uid !== uid,
  );
}

/** Returns the violation by an object that should be deleted; unknown while its garbage collector may have been down. */
function outlived(orphans: Orphans, { kind, key, uid, since }: Abandoned, facts: Facts): Violation | 'unknown' | undefined {
  const object = facts.get(kind, key);
  if (object?.metadata.uid !== uid || !isAbandoned(object, facts)) return orphans.exercised();
  if (orphans.aliveAt - since < CHANCE_MS) return 'unknown';
  const owners = (object.metadata.ownerReferences ?? []).map((owner) => `${owner.kind} ${owner.name}`).join(', ');
  return { message: `${named(object)} has outlived all its owners (${owners})`, object };
}

export const generalInvariants: readonly Invariant[] = [uidLivesOnce, ownersExist];

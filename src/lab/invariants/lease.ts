/**
 * Invariants of leases: who may acquire one, the count of transitions, and that only the leader of a component acts. Users may write
 * anything; only controllers are checked.
 */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import type { Lease } from '../../apiserver/kinds/index.ts';
import { parseTime } from '../../schema/values/index.ts';
import { type Facts, type Invariant, type Violation, checking } from './invariant.ts';

const asLease = (object: ApiObject | undefined): Lease | undefined => (object?.kind === 'Lease' ? (object as Lease) : undefined);
const holderOf = (lease: Lease | undefined): string => lease?.spec.holderIdentity ?? '';

/**
 * The last renewal of each lease, as the server saw it. Elided renewals are only in the object; they are made only by processes with a
 * correct clock.
 */
const createRenewals = () => {
  const last = new Map<string, { readonly renewTime: string | undefined; readonly at: number }>();
  return {
    describe: (): unknown => last,
    note(lease: Lease, at: number): void {
      last.set(keyOf(lease), { renewTime: lease.spec.renewTime, at });
    },
    at(lease: Lease): number | undefined {
      const { renewTime } = lease.spec;
      const known = last.get(keyOf(lease));
      return known !== undefined && known.renewTime === renewTime ? known.at : renewTime === undefined ? undefined : parseTime(renewTime);
    },
  };
};

const leaseOneHolder: Invariant = {
  name: 'lease/one-holder',
  temporal: 'always',
  description: 'A lease passes to another holder only when it has not been renewed for its duration, or its holder has released it.',
  kinds: ['Lease'],
  check: checking((exercised) => {
    const renewals = createRenewals();
    /** Leases last written by an actor that is no candidate; candidates need not respect those. */
    const editedByHand = new Set<string>();
    return {
      describe: () => [renewals.describe(), editedByHand],
      onChange({ type, object, previous, at }, _, controller): Violation | undefined {
        const lease = asLease(object);
        const before = asLease(previous);
        if (lease === undefined || type === 'DELETED') return undefined;
        const renewedAt = before === undefined ? undefined : renewals.at(before);
        renewals.note(lease, at);
        const [was, is] = [holderOf(before), holderOf(lease)];
        if (controller === undefined) {
          editedByHand.add(keyOf(lease));
          return undefined;
        }
        const meddled = editedByHand.delete(keyOf(lease));
        exercised();
        if (meddled || before === undefined || renewedAt === undefined || was === '' || is === '' || was === is) return undefined;
        const restMs = renewedAt + (before.spec.leaseDurationSeconds ?? 0) * 1000 - at;
        return restMs <= 0
          ? undefined
          : { message: `${is} acquired the lease ${keyOf(lease)} from ${was} ${restMs / 1000} s before it expired`, object: lease };
      },
    };
  }),
};

const leaseTransitionsCounted: Invariant = {
  name: 'lease/transitions-counted',
  temporal: 'always',
  description: 'Each change of holder counts one transition and sets acquireTime; a renewal or a release counts none.',
  kinds: ['Lease'],
  check: checking((exercised) => ({
    describe: () => undefined,
    onChange({ type, object, previous }, { names }, controller): Violation | undefined {
      const lease = asLease(object);
      const before = asLease(previous);
      // Leases of nodes have no transitions, because their holder never changes.
      if (
        lease === undefined ||
        lease.metadata.namespace === names.nodeLeaseNamespace ||
        before === undefined ||
        type !== 'MODIFIED' ||
        controller === undefined ||
        lease.spec.leaseTransitions === undefined
      )
        return undefined;
      exercised();
      const changed = holderOf(lease) !== '' && holderOf(lease) !== holderOf(before);
      const counted = lease.spec.leaseTransitions - (before.spec.leaseTransitions ?? 0);
      if (counted !== (changed ? 1 : 0))
        return {
          message: `the lease ${keyOf(lease)} ${changed ? 'changed hands' : 'did not change hands'}, but leaseTransitions went from ${before.spec.leaseTransitions ?? 0} to ${lease.spec.leaseTransitions}`,
          object: lease,
        };
      const kept = lease.spec.acquireTime === before.spec.acquireTime;
      // A release writes the current instant, which may be the one at which another candidate began to acquire.
      if (holderOf(lease) !== '' && kept === changed && !(changed && holderOf(before) === ''))
        return {
          message: `the lease ${keyOf(lease)} ${changed ? 'changed hands, but kept its acquireTime' : 'was renewed, but has another acquireTime'}`,
          object: lease,
        };
      return undefined;
    },
  })),
};

/** Returns the process of a holder: `scheduler_<uuid>` belongs to `scheduler`. Holders of node leases have no process. */
const processOf = (holder: string): string | undefined => {
  const end = holder.indexOf('_');
  return end < 0 ? undefined : holder.slice(0, end);
};
/** Returns the component of a process: `scheduler` for `scheduler-1`. */
const componentOf = (process: string): string => process.replace(/-\d+$/, '');

/** A leader whose lease was edited by hand notices that at its next renewal, or after its renew deadline. Milliseconds. */
const UNAWARE_MS = 15_000;

const leaseOnlyTheLeaderActs: Invariant = {
  name: 'lease/only-the-leader-acts',
  temporal: 'always',
  description: 'Of the processes that take part in leader election, only the one that holds the lease writes anything but the lease.',
  kinds: ['*'],
  check: checking((exercised) => {
    /** The leading process of each component with leader election; '' where there is none. */
    let leaders: Map<string, string> | undefined;
    /** For each component, the end of the time in which its leader may not have noticed an edit by hand. */
    const unawareUntil = new Map<string, number>();
    const learn = (all: Map<string, string>, lease: Lease | undefined, before?: Lease): void => {
      const process = processOf(holderOf(lease));
      const last = processOf(holderOf(before));
      if (process !== undefined) all.set(componentOf(process), process);
      else if (last !== undefined && holderOf(lease) === '') all.set(componentOf(last), '');
    };
    const start = (facts: Facts): Map<string, string> => {
      const all = new Map<string, string>();
      for (const object of facts.list('Lease')) learn(all, asLease(object));
      return all;
    };
    return {
      describe: () => [leaders, unawareUntil],
      onChange(change, facts, controller, actor): Violation | undefined {
        leaders ??= start(facts);
        if (change.kind === 'Lease') {
          const held = processOf(holderOf(asLease(change.previous ?? change.object)));
          if (controller === undefined && held !== undefined) unawareUntil.set(componentOf(held), change.at + UNAWARE_MS);
          if (change.type !== 'DELETED') learn(leaders, asLease(change.object), asLease(change.previous));
        }
        if (controller === undefined || controller === 'leader-election' || actor === undefined || leaders.size === 0) return undefined;
        const leader = leaders.get(componentOf(actor));
        if (leader === undefined || change.at < (unawareUntil.get(componentOf(actor)) ?? -Infinity)) return undefined;
        exercised();
        return leader === actor
          ? undefined
          : {
              message: `${actor} wrote ${change.kind} ${change.key}, though ${leader === '' ? 'no process holds' : `${leader} holds`} the lease`,
              object: change.object,
            };
      },
    };
  }),
};

export const leaseInvariants: readonly Invariant[] = [leaseOneHolder, leaseTransitionsCounted, leaseOnlyTheLeaderActs];

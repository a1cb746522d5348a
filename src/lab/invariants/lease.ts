/**
 * Invariants of leases: who may acquire one, the count of transitions, and that only the leader of a component acts. Users may write
 * anything; only controllers are checked.
 */
import { keyOf } from '../../apiserver/machinery/index.ts';
import type { Lease } from '../../apiserver/kinds/index.ts';
import { parseTime } from '../../schema/values/index.ts';
import { as } from './forms.ts';
import { type Facts, type Invariant, nothing, ofChanges } from './invariant.ts';

const asLease = as('Lease');
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

const leaseOneHolder = ofChanges(
  'lease/one-holder',
  'A lease passes to another holder only when it has not been renewed for its duration, or its holder has released it.',
  { kinds: ['Lease'] },
  /** `editedByHand`: leases last written by an actor that is no candidate; candidates need not respect those. */
  () => ({ renewals: createRenewals(), editedByHand: new Set<string>() }),
  ({ type, object: lease, previous: before, at }, _facts, { renewals, editedByHand }, controller) => {
    if (type === 'DELETED') return undefined;
    const renewedAt = before === undefined ? undefined : renewals.at(before);
    renewals.note(lease, at);
    const [was, is] = [holderOf(before), holderOf(lease)];
    if (controller === undefined) {
      editedByHand.add(keyOf(lease));
      return undefined;
    }
    const meddled = editedByHand.delete(keyOf(lease));
    if (meddled || before === undefined || renewedAt === undefined || was === '' || is === '' || was === is) return true;
    const restMs = renewedAt + (before.spec.leaseDurationSeconds ?? 0) * 1000 - at;
    return restMs <= 0 || `${is} acquired the lease ${keyOf(lease)} from ${was} ${restMs / 1000} s before it expired`;
  },
  ({ renewals, editedByHand }) => [renewals.describe(), editedByHand],
);

const leaseTransitionsCounted = ofChanges(
  'lease/transitions-counted',
  'Each change of holder counts one transition and sets acquireTime; a renewal or a release counts none.',
  { kinds: ['Lease'], about: (lease) => `the lease ${keyOf(lease)} ` },
  nothing,
  ({ type, object: lease, previous: before }, { names }, _state, controller) => {
    if (before === undefined || type !== 'MODIFIED' || controller === undefined) return undefined;
    // Leases of nodes have no transitions, because their holder never changes.
    if (lease.metadata.namespace === names.nodeLeaseNamespace || lease.spec.leaseTransitions === undefined) return undefined;
    const changed = holderOf(lease) !== '' && holderOf(lease) !== holderOf(before);
    const { leaseTransitions: was = 0 } = before.spec;
    const { leaseTransitions: is } = lease.spec;
    if (is - was !== (changed ? 1 : 0))
      return `${changed ? 'changed hands' : 'did not change hands'}, but leaseTransitions went from ${was} to ${is}`;
    const kept = lease.spec.acquireTime === before.spec.acquireTime;
    // A release writes the current instant, which may be the one at which another candidate began to acquire.
    const isWrong = holderOf(lease) !== '' && kept === changed && !(changed && holderOf(before) === '');
    return !isWrong || (changed ? 'changed hands, but kept its acquireTime' : 'was renewed, but has another acquireTime');
  },
);

/** Returns the process of a holder: `scheduler_<uuid>` belongs to `scheduler`. Holders of node leases have no process. */
const processOf = (holder: string): string | undefined => {
  const end = holder.indexOf('_');
  return end < 0 ? undefined : holder.slice(0, end);
};
/** Returns the component of a process: `scheduler` for `scheduler-1`. */
const componentOf = (process: string): string => process.replace(/-\d+$/, '');

/** A leader whose lease was edited by hand notices that at its next renewal, or after its renew deadline. Milliseconds. */
const UNAWARE_MS = 15_000;

interface Leadership {
  /** The leading process of each component with leader election; '' where there is none. Absent: not read yet. */
  leaders?: Map<string, string>;
  /** For each component, the end of the time in which its leader may not have noticed an edit by hand. */
  readonly unawareUntil: Map<string, number>;
}

function learn(all: Map<string, string>, lease: Lease | undefined, before?: Lease): void {
  const process = processOf(holderOf(lease));
  const last = processOf(holderOf(before));
  if (process !== undefined) all.set(componentOf(process), process);
  else if (last !== undefined && holderOf(lease) === '') all.set(componentOf(last), '');
}

function leadersIn(facts: Facts): Map<string, string> {
  const all = new Map<string, string>();
  for (const lease of facts.list('Lease')) learn(all, lease);
  return all;
}

const leaseOnlyTheLeaderActs = ofChanges(
  'lease/only-the-leader-acts',
  'Of the processes that take part in leader election, only the one that holds the lease writes anything but the lease.',
  { kinds: ['*'] },
  (): Leadership => ({ unawareUntil: new Map() }),
  ({ kind, key, type, object, previous, at }, facts, state, controller, actor) => {
    const { unawareUntil } = state;
    const leaders = (state.leaders ??= leadersIn(facts));
    if (kind === 'Lease') {
      const held = processOf(holderOf(asLease(previous ?? object)));
      if (controller === undefined && held !== undefined) unawareUntil.set(componentOf(held), at + UNAWARE_MS);
      if (type !== 'DELETED') learn(leaders, asLease(object), asLease(previous));
    }
    if (controller === undefined || controller === 'leader-election' || actor === undefined || leaders.size === 0) return undefined;
    const leader = leaders.get(componentOf(actor));
    if (leader === undefined || at < (unawareUntil.get(componentOf(actor)) ?? -Infinity)) return undefined;
    return leader === actor || `${actor} wrote ${kind} ${key}, though ${leader === '' ? 'no process holds' : `${leader} holds`} the lease`;
  },
);

export const leaseInvariants: readonly Invariant[] = [leaseOneHolder, leaseTransitionsCounted, leaseOnlyTheLeaderActs];

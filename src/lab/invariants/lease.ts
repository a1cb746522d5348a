/**
 * What must hold of leases: who may take one over, what is counted, and that only the leader of a component acts. People may write what
 * they like; only controllers are judged.
 */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import type { Lease } from '../../apiserver/kinds/index.ts';
import { parseTime } from '../../schema/values/index.ts';
import { type Checker, type Facts, type Invariant, type Violation, withExercised } from './invariant.ts';

const asLease = (object: ApiObject | undefined): Lease | undefined => (object?.kind === 'Lease' ? (object as Lease) : undefined);
const holderOf = (lease: Lease | undefined): string => lease?.spec.holderIdentity ?? '';

/**
 * When leases were last renewed, as the server saw it. Renewals that nobody watched show in the object alone; only clocks that are right
 * make those.
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
  description: 'A lease passes to another holder only after nobody has renewed it for its duration, or after its holder let go.',
  kinds: ['Lease'],
  check(): Checker {
    const renewals = createRenewals();
    /** Leases as somebody left them who is no candidate: nobody has to respect that. */
    const meddledWith = new Set<string>();
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => [renewals.describe(), meddledWith],
        onChange({ type, object, previous, at }, _, controller): Violation | undefined {
          const lease = asLease(object);
          const before = asLease(previous);
          if (lease === undefined || type === 'DELETED') return undefined;
          const renewedAt = before === undefined ? undefined : renewals.at(before);
          renewals.note(lease, at);
          const [was, is] = [holderOf(before), holderOf(lease)];
          if (controller === undefined) {
            meddledWith.add(keyOf(lease));
            return undefined;
          }
          const meddled = meddledWith.delete(keyOf(lease));
          exercised++;
          if (meddled || before === undefined || renewedAt === undefined || was === '' || is === '' || was === is) return undefined;
          const restMs = renewedAt + (before.spec.leaseDurationSeconds ?? 0) * 1000 - at;
          return restMs <= 0
            ? undefined
            : { message: `${is} took the lease ${keyOf(lease)} from ${was}, whose time had ${restMs / 1000} s to run`, object: lease };
        },
      },
    );
  },
};

const leaseTransitionsCounted: Invariant = {
  name: 'lease/transitions-counted',
  temporal: 'always',
  description: 'Each change of holder counts one transition and sets acquireTime; a renewal or a release counts none.',
  kinds: ['Lease'],
  check(): Checker {
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => undefined,
        onChange({ type, object, previous }, { names }, controller): Violation | undefined {
          const lease = asLease(object);
          const before = asLease(previous);
          // Leases of nodes count nothing: they never change hands.
          if (
            lease === undefined ||
            lease.metadata.namespace === names.nodeLeaseNamespace ||
            before === undefined ||
            type !== 'MODIFIED' ||
            controller === undefined ||
            lease.spec.leaseTransitions === undefined
          )
            return undefined;
          exercised++;
          const changed = holderOf(lease) !== '' && holderOf(lease) !== holderOf(before);
          const counted = lease.spec.leaseTransitions - (before.spec.leaseTransitions ?? 0);
          if (counted !== (changed ? 1 : 0))
            return {
              message: `the lease ${keyOf(lease)} ${changed ? 'changed hands' : 'did not change hands'}, but leaseTransitions went from ${before.spec.leaseTransitions ?? 0} to ${lease.spec.leaseTransitions}`,
              object: lease,
            };
          const kept = lease.spec.acquireTime === before.spec.acquireTime;
          // Who lets go writes the instant, which may be that at which another began to try.
          if (holderOf(lease) !== '' && kept === changed && !(changed && holderOf(before) === ''))
            return {
              message: `the lease ${keyOf(lease)} ${changed ? 'changed hands, but kept its acquireTime' : 'was renewed, but has another acquireTime'}`,
              object: lease,
            };
          return undefined;
        },
      },
    );
  },
};

/** `scheduler_<uuid>` is held by the process `scheduler`; leases of nodes name no process. */
const processOf = (holder: string): string | undefined => {
  const end = holder.indexOf('_');
  return end < 0 ? undefined : holder.slice(0, end);
};
/** `scheduler-1` stands for the component `scheduler`. */
const componentOf = (process: string): string => process.replace(/-\d+$/, '');

/** A leader whose lease was taken away by hand learns of it at its next renewal, or when it has tried in vain for its renew deadline. */
const UNAWARE_MS = 15_000;

const leaseOnlyTheLeaderActs: Invariant = {
  name: 'lease/only-the-leader-acts',
  temporal: 'always',
  description: 'Of the processes that stand for election, only the one that holds the lease writes anything but the lease.',
  kinds: ['*'],
  check(): Checker {
    /** The process that leads a component; '' nobody. Components without an election are not in it. */
    let leaders: Map<string, string> | undefined;
    /** By component: until when somebody may not have heard that its lease was edited or deleted by hand. */
    const unawareUntil = new Map<string, number>();
    let exercised = 0;
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
    return withExercised(
      { exercised: () => exercised },
      {
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
          exercised++;
          return leader === actor
            ? undefined
            : {
                message: `${actor} wrote ${change.kind} ${change.key}, though ${leader === '' ? 'nobody holds' : `${leader} holds`} the lease`,
                object: change.object,
              };
        },
      },
    );
  },
};

export const leaseInvariants: readonly Invariant[] = [leaseOneHolder, leaseTransitionsCounted, leaseOnlyTheLeaderActs];

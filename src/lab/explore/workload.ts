/**
 * Random operations on a cluster: users change and delete objects, processes crash, messages are late, nodes are silent. Each operation has
 * its own instant, so that removing one moves no other, and each fault ends by itself: every run ends without faults.
 */
import fc from 'fast-check';
import type { FaultCall, Step, WritingAction } from '../scenario/index.ts';
import { present } from '../../schema/values/index.ts';
import { SECOND } from './steps.ts';
import { lostResponse, passingFaults } from './troubles.ts';

/** One operation, in one step or (a node that is silent and comes back) two. */
export type WorkloadOperation = readonly Step[];

/** Instants: often during the first decisions, otherwise at full seconds. */
export const instants: fc.Arbitrary<number> = fc.oneof(
  { withCrossShrink: true },
  fc.constantFrom(0, 10, 500, SECOND, 1500),
  fc.integer({ min: 0, max: 45 }).map((seconds) => seconds * SECOND),
);

const at = (atMs: number) => ({ timing: { when: 'at', atMs } }) as const;
const does = (action: fc.Arbitrary<WritingAction>): fc.Arbitrary<WorkloadOperation> =>
  fc.tuple(instants, action).map(([ms, doing]) => [{ ...at(ms), ...doing }]);

/** Returns operations of users on Jobs and their pods. */
export function operations(jobs: readonly string[] = ['j']): fc.Arbitrary<WorkloadOperation> {
  const target = fc.constantFrom(...jobs).map((name) => ({ kind: 'Job', name }));
  const patch = (spec: fc.Arbitrary<object>): fc.Arbitrary<WorkloadOperation> =>
    does(
      fc
        .tuple(target, spec)
        .map(([of, change]) => ({ verb: 'patch', target: of, type: 'merge', patch: { spec: change }, ignoreNotFound: true })),
    );
  return fc.oneof(
    patch(fc.integer({ min: 0, max: 5 }).map((parallelism) => ({ parallelism }))),
    patch(fc.boolean().map((suspend) => ({ suspend }))),
    does(
      fc.record({ nth: fc.integer({ min: 1, max: 4 }), gracePeriodSeconds: fc.constantFrom(undefined, 0) }).map(({ nth, ...grace }) => ({
        verb: 'delete',
        target: { kind: 'Pod', nth },
        ...present(grace),
        ignoreNotFound: true,
      })),
    ),
    does(
      fc
        .tuple(target, fc.constantFrom('Background', 'Foreground', 'Orphan'))
        .map(([of, propagationPolicy]) => ({ verb: 'delete', target: of, propagationPolicy, ignoreNotFound: true })),
    ),
  );
}

const of = (subjects: readonly string[], calls: fc.Arbitrary<Omit<FaultCall, 'subject'>>): fc.Arbitrary<FaultCall> =>
  fc.tuple(calls, fc.constantFrom(...subjects)).map(([call, subject]) => ({ ...call, subject }));

/** A lost response: a creation is repeated although it was carried out, which upstream's controllers do not notice at once either. */
export const lostAnswers: fc.Arbitrary<FaultCall> = of(['controller-manager'], lostResponse);

/** Faults that end by themselves and must not break a property. */
export const faultCalls: fc.Arbitrary<FaultCall> = of(
  ['controller-manager', 'scheduler'],
  passingFaults({ longestCutMs: 3 * SECOND, staleLists: false }),
);

/** Returns faults at separate instants, including silent nodes (`node-0` …). */
export function faults(nodes = 2, answersGetLost = false): fc.Arbitrary<WorkloadOperation> {
  const node = fc.integer({ min: 0, max: nodes - 1 }).map((index) => `node-${index}`);
  const silence = fc
    .tuple(instants, node, fc.constantFrom(5 * SECOND, 60 * SECOND, 400 * SECOND))
    .map(([ms, subject, forMs]): WorkloadOperation => [
      { ...at(ms), verb: 'fault', fault: { name: 'nodeDown', subject, parameters: {} } },
      { ...at(ms + forMs), verb: 'fault', fault: { name: 'nodeUp', subject, parameters: {} } },
    ]);
  const calls = answersGetLost ? fc.oneof({ weight: 6, arbitrary: faultCalls }, { weight: 1, arbitrary: lostAnswers }) : faultCalls;
  const single = fc.tuple(instants, calls).map(([ms, called]): WorkloadOperation => [{ ...at(ms), verb: 'fault', fault: called }]);
  return fc.oneof({ weight: 6, arbitrary: single }, { weight: 1, arbitrary: silence });
}

const crashes = (step: Step | undefined): FaultCall | undefined =>
  step?.verb === 'fault' && (step.fault.name === 'crash' || step.fault.name === 'nodeDown') ? step.fault : undefined;
const startOf = ({ timing }: Step): number => (timing.when === 'at' ? timing.atMs : 0);
/** Returns when a crashed process is up again; after a number of writes the time is unknown. */
const endOf = (workloadOperation: WorkloadOperation, { parameters: { restartAfter, afterWrites } }: FaultCall): number =>
  afterWrites !== undefined
    ? Infinity
    : Math.max(...workloadOperation.map(startOf)) + (typeof restartAfter === 'number' ? restartAfter : 0);

/** Returns the steps in order of time, without crashes of processes that may be down already. */
export function inOrder(workloadOperations: readonly WorkloadOperation[]): readonly Step[] {
  const downUntil = new Map<string, number>();
  const kept: Step[] = [];
  const sorted = [...workloadOperations].sort((a, b) => (a[0] === undefined || b[0] === undefined ? 0 : startOf(a[0]) - startOf(b[0])));
  for (const workloadOperation of sorted) {
    const [first] = workloadOperation;
    if (first === undefined) continue;
    const call = crashes(first);
    // A process that is down lists at its restart, and cannot relist before.
    const subject = call?.subject ?? (first.verb === 'fault' && first.fault.name === 'relist' ? first.fault.subject : undefined);
    if (typeof subject === 'string') {
      if ((downUntil.get(subject) ?? -1) >= startOf(first)) continue;
      if (call !== undefined) downUntil.set(subject, endOf(workloadOperation, call));
    }
    kept.push(...workloadOperation);
  }
  return kept.sort((a, b) => startOf(a) - startOf(b));
}

/** The sandbox of a user's invariants and faults: a use of the host is thrown, and becomes a failure of the run with its place. */
import type { Fault } from '../faults/index.ts';
import type { Checker, Invariant } from '../invariants/index.ts';
import { withoutHost } from './host.ts';

/** Runs it behind the traps; throws what it threw, or its first use of the host. */
function ended<T>(act: () => T): T {
  const end = withoutHost(act);
  if ('thrown' in end) throw end.thrown;
  return end.answer;
}

/** The same fault, behind the traps. */
export const faultOnBench = (fault: Fault): Fault => ({
  ...fault,
  apply: (cluster, call, causes) => ended(() => fault.apply(cluster, call, causes)),
});

/** The same invariant, whose checkers run behind the traps. */
export const invariantOnBench = (invariant: Invariant): Invariant => ({
  ...invariant,
  check: () => checkerOnBench(ended(() => invariant.check())),
});

function checkerOnBench(checker: Checker): Checker {
  const { onChange, onTime, deadline, onEnd, describe } = checker;
  return {
    get exercised() {
      return checker.exercised;
    },
    ...(describe === undefined ? {} : { describe: () => describe.call(checker) }),
    ...(deadline === undefined ? {} : { deadline: () => ended(() => deadline.call(checker)) }),
    ...(onChange === undefined ? {} : { onChange: (...given) => ended(() => onChange.apply(checker, given)) }),
    ...(onTime === undefined ? {} : { onTime: (facts) => ended(() => onTime.call(checker, facts)) }),
    ...(onEnd === undefined ? {} : { onEnd: (facts, settled) => ended(() => onEnd.call(checker, facts, settled)) }),
  };
}

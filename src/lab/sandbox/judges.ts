/** The sandbox of a user's invariants and faults: a use of the host throws, and becomes a failure of the run with its position. */
import type { Fault } from '../faults/index.ts';
import type { Checker, Invariant } from '../invariants/index.ts';
import { withoutHost } from './host.ts';

/** Runs a function behind the traps; throws its exception, or its first use of the host. */
function ended<T>(act: () => T): T {
  const end = withoutHost(act);
  if ('thrown' in end) throw end.thrown;
  return end.answer;
}

/** Returns a fault that runs behind the traps. */
export const faultInSandbox = (fault: Fault): Fault => ({
  ...fault,
  apply: (cluster, call, causes) => ended(() => fault.apply(cluster, call, causes)),
});

/** Returns an invariant whose checkers run behind the traps. */
export const invariantInSandbox = (invariant: Invariant): Invariant => ({
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

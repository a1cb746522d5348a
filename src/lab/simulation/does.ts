/** Describes a step in a few words, for the label of its operation and the name of its stop in a walk. */
import { formatTarget, type Action, type Expectation, type Item } from '../scenario/index.ts';

/** Describes an action; the text is the label of its operation, where it has one. */
export const describe = (action: Action): string => {
  switch (action.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return `${action.verb} ${action.objects.map(({ object }) => `${object.kind ?? '?'}/${String(object.metadata?.['name'] ?? object.metadata?.['generateName'] ?? '?')}`).join(', ')}`;
    case 'patch':
    case 'delete':
    case 'evict':
    case 'cordon':
    case 'uncordon':
    case 'drain':
      return `${action.verb} ${formatTarget(action.target)}`;
    case 'scale':
      return `scale ${formatTarget(action.target)} to ${action.replicas}`;
    case 'expectError':
      return `${describe(action.action)}, which must fail`;
    case 'refusedStart':
      return `start ${action.process}, which must fail`;
    case 'waitFor':
      return `wait for ${describeExpectation(action.expectation)}`;
    case 'fault':
      return `fault ${action.fault.name}${typeof action.fault.subject === 'string' ? ` ${action.fault.subject}` : ''}`;
    case 'expect':
      return `check ${[...new Set(action.expectations.map(describeExpectation))].join(', ')}`;
    case 'note':
      return 'note';
    default: {
      const never: never = action;
      return never;
    }
  }
};

/** Describes the subject of an expectation. */
function describeExpectation(expectation: Expectation): string {
  switch (expectation.expect) {
    case 'match': {
      const { kind = '?', metadata } = expectation.match;
      const name = metadata?.['name'];
      return typeof name === 'string' ? `${kind}/${name}` : kind;
    }
    case 'absent':
      return `no ${formatTarget(expectation.target)}`;
    case 'count':
      return `the number of ${formatTarget(expectation.of)}`;
    case 'cel':
      return expectation.expression.cel;
    default:
      return expectation.expect;
  }
}

/** Describes an item of a scenario file; its timing alone, where it has no action. */
export const describeItem = ({ step }: Item): string =>
  step.verb !== 'expect' || step.timing.when !== 'settled' ? describe(step) : `settled; ${describe(step)}`;

/** One condition on labels: `a in (b,c)`, `!a`, `a>1`. Models: v1.24 apimachinery pkg/labels Requirement. */
import { compareText } from './bytes.ts';
import { isQualifiedName, isValidLabelValue } from './dns-names.ts';
import { aggregateText, GoText, invalid, problemText, type FieldProblem } from './field-problem.ts';
import { parseInt64 } from './go-numbers.ts';
import { goStrings } from './go-print.ts';
import { bad, good, type Parsed } from './parsed.ts';

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly op: LabelOperator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** Returns the problem of a label key; undefined: it is valid. */
function keyProblem(key: string, path: string): FieldProblem | undefined {
  const errors = isQualifiedName(key);
  return errors.length === 0 ? undefined : invalid(path, key, errors.join('; '));
}

/** Returns a validated requirement, or all its problems in one text. */
export function labelRequirement(key: string, op: LabelOperator, values: readonly string[]): Parsed<LabelRequirement> {
  const problems: FieldProblem[] = [];
  const wrongKey = keyProblem(key, 'key');
  if (wrongKey !== undefined) problems.push(wrongKey);
  const complain = (detail: string): void => void problems.push(invalid('values', new GoText(goStrings(values)), detail));
  switch (op) {
    case 'in':
    case 'notin':
      if (values.length === 0) complain("for 'in', 'notin' operators, values set can't be empty");
      break;
    case '=':
    case '==':
    case '!=':
      if (values.length !== 1) complain('exact-match compatibility requires one single value');
      break;
    case 'exists':
    case '!':
      if (values.length !== 0) complain('values set must be empty for exists and does not exist');
      break;
    case 'gt':
    case 'lt':
      if (values.length !== 1) complain("for 'Gt', 'Lt' operators, exactly one value is required");
      for (const [at, value] of values.entries()) {
        if (parseInt64(value) === undefined)
          problems.push(invalid(`values[${at}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
  }
  for (const [at, value] of values.entries()) {
    const errors = isValidLabelValue(value);
    if (errors.length > 0) problems.push(invalid(`values[${at}][${key}]`, value, errors.join('; ')));
  }
  return problems.length === 0 ? good({ key, op, values }) : bad(aggregateText(problems.map(problemText)));
}

/** For a parser: keys and values are validated. */
export const VALIDATED = {
  problemOf(key: string): string | undefined {
    const problem = keyProblem(key, '<nil>');
    return problem === undefined ? undefined : problemText(problem);
  },
  requirement: labelRequirement,
};

/** For a parser of texts that were validated before. */
export const AS_READ = {
  problemOf: (): undefined => undefined,
  requirement: (key: string, op: LabelOperator, values: readonly string[]): Parsed<LabelRequirement> => good({ key, op, values }),
};

/** The value of a label that is an own property of the object: inherited members are not labels. */
const valueOf = (labels: Labels, key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);

/** Compiles the requirement into a predicate. */
export function compileRequirement({ key, op, values }: LabelRequirement): (labels: Labels) => boolean {
  const [first = ''] = values;
  switch (op) {
    case '=':
    case '==':
      return (labels) => valueOf(labels, key) === first;
    case '!=':
      return (labels) => valueOf(labels, key) !== first;
    case 'exists':
      return (labels) => valueOf(labels, key) !== undefined;
    case '!':
      return (labels) => valueOf(labels, key) === undefined;
    case 'in':
      return oneOf(key, values);
    case 'notin': {
      const found = oneOf(key, values);
      return (labels) => !found(labels);
    }
    default:
      return beyond(key, op, parseInt64(first) ?? 0n);
  }
}

/** Whether an integer label is above or below a bound; false for a label that is not an integer. */
function beyond(key: string, op: 'gt' | 'lt', bound: bigint): (labels: Labels) => boolean {
  return (labels) => {
    const value = parseInt64(valueOf(labels, key) ?? '');
    return value !== undefined && (op === 'gt' ? value > bound : value < bound);
  };
}

/**
 * Whether a label has one of the values. They are kept as a set, because a stored selector may list thousands and is matched against every
 * object.
 */
function oneOf(key: string, values: readonly string[]): (labels: Labels) => boolean {
  const wanted = new Set(values);
  return (labels) => {
    const value = valueOf(labels, key);
    return value !== undefined && wanted.has(value);
  };
}

const SIGNS: Readonly<Partial<Record<LabelOperator, string>>> = { '=': '=', '==': '==', '!=': '!=', gt: '>', lt: '<' };

/** Returns the requirement as a selector prints it, with the values of a set sorted. */
export function formatRequirement({ key, op, values }: LabelRequirement): string {
  if (op === 'exists') return key;
  if (op === '!') return `!${key}`;
  const sign = SIGNS[op];
  return sign === undefined ? `${key} ${op} (${values.toSorted(compareText).join(',')})` : `${key}${sign}${values[0] ?? ''}`;
}

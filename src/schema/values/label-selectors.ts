/**
 * Label selectors: the text form (`a=b,c in (d,e),!f`), the LabelSelector object, and the predicate that both compile to. Models: v1.24
 * apimachinery pkg/labels Requirement, Parse, pkg/apis/meta/v1 LabelSelectorAsSelector, pkg/apis/meta/v1/validation.
 */
import { perObject } from '../../engine/index.ts';
import { aggregateText, forbidden, GoText, invalid, problemText, required, type FieldProblem } from './field-problem.ts';
import { goStrings, parseInt64, quote } from './go-scalars.ts';
import { type LabelOperator, type LabelRequirement, parseRequirements } from './label-parser.ts';
import { append, own } from './lists.ts';
import { isQualifiedName, isValidLabelValue } from './names.ts';
import { bad, compareText, good, memoised, type Parsed } from './texts.ts';

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
const VALIDATED = {
  problemOf(key: string): string | undefined {
    const problem = keyProblem(key, '<nil>');
    return problem === undefined ? undefined : problemText(problem);
  },
  requirement: labelRequirement,
};

/** For a parser of texts that were validated before. */
const AS_READ = {
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
function formatRequirement({ key, op, values }: LabelRequirement): string {
  if (op === 'exists') return key;
  if (op === '!') return `!${key}`;
  const sign = SIGNS[op];
  return sign === undefined ? `${key} ${op} (${values.toSorted(compareText).join(',')})` : `${key}${sign}${values[0] ?? ''}`;
}

export type LabelMatcher = (labels: Labels | undefined) => boolean;

export interface LabelSelection {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  readonly matches: LabelMatcher;
  /** Selects nothing: the meaning of an absent LabelSelector. */
  readonly nothing: boolean;
}

const NO_LABELS: Labels = Object.freeze({});

function selection(requirements: readonly LabelRequirement[]): LabelSelection {
  const sorted = requirements.toSorted((a, b) => compareText(a.key, b.key));
  const tests = sorted.map(compileRequirement);
  const [only] = tests;
  const matches: LabelMatcher =
    tests.length === 1 && only !== undefined
      ? (labels) => only(labels ?? NO_LABELS)
      : (labels = NO_LABELS) => {
          for (const test of tests) if (!test(labels)) return false;
          return true;
        };
  return Object.freeze({ requirements: sorted, matches, nothing: false });
}

const EVERYTHING: LabelSelection = /* @__PURE__ */ selection([]);
export const NOTHING: LabelSelection = Object.freeze({ requirements: [], matches: () => false, nothing: true });

/** Returns the text form of a selector, with requirements and values in order. */
export const formatLabelSelection = (chosen: LabelSelection): string => chosen.requirements.map(formatRequirement).join(',');

/** Parses the text form. Errors are upstream's, verbatim. */
export const parseLabelSelector: (text: string) => Parsed<LabelSelection> = /* @__PURE__ */ memoised((text) => {
  const requirements = parseRequirements(text, VALIDATED);
  return requirements.error !== undefined ? requirements : good(selection(requirements.value));
}, 1024);

/**
 * Returns the predicate of a text that was validated when it was written, as in a trace: a page of recordings then needs no validation. A
 * text that cannot be read selects nothing.
 */
export const matcherOfText: (text: string) => LabelMatcher = memoised((text) => {
  const { value } = parseRequirements(text, AS_READ);
  return value === undefined ? NOTHING.matches : selection(value).matches;
}, 64);

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** The object form, as in `spec.selector`. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

const OBJECT_OPERATORS: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/** Compiles the object form: an absent selector selects nothing, an empty one everything. */
export function labelSelectorAsSelection(selector: LabelSelector | null | undefined): Parsed<LabelSelection> {
  if (selector === null || selector === undefined) return good(NOTHING);
  const requirements: LabelRequirement[] = [];
  const labels = selector.matchLabels ?? NO_LABELS;
  for (const key of Object.keys(labels).toSorted(compareText)) {
    const made = labelRequirement(key, '=', [labels[key] ?? '']);
    if (made.error !== undefined) return made;
    requirements.push(made.value);
  }
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const op = own(OBJECT_OPERATORS, operator);
    if (op === undefined) return bad(`${quote(operator)} is not a valid pod selector operator`);
    const made = labelRequirement(key, op, values ?? []);
    if (made.error !== undefined) return made;
    requirements.push(made.value);
  }
  return good(requirements.length === 0 ? EVERYTHING : selection(requirements));
}

const compiled = /* @__PURE__ */ perObject(
  (selector: LabelSelector): LabelMatcher => (labelSelectorAsSelection(selector).value ?? NOTHING).matches,
);

/**
 * Returns the predicate of a stored selector, compiled once for each object. Stored objects never change; drafts must not be passed. An
 * invalid selector matches nothing.
 */
export const labelMatcher = (selector: LabelSelector | null | undefined): LabelMatcher =>
  selector === null || selector === undefined ? NOTHING.matches : compiled(selector);

/** Returns the object form as columns and `describe` print it. */
export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  const parsed = labelSelectorAsSelection(selector);
  if (parsed.error !== undefined) return '<error>';
  return formatLabelSelection(parsed.value) || '<none>';
}

export const validateLabelName = (name: string, field: string): readonly FieldProblem[] =>
  isQualifiedName(name).map((error) => invalid(field, name, error));

/** Whether labels are valid. It does not report what is wrong, and allocates nothing. */
export function areLabels(labels: Labels): boolean {
  for (const key in labels) if (isQualifiedName(key).length > 0 || isValidLabelValue(labels[key] ?? '').length > 0) return false;
  return true;
}

/** Checks a map of labels: keys, then values. */
export function validateLabels(labels: Labels | undefined, field: string): readonly FieldProblem[] {
  if (labels === undefined || areLabels(labels)) return [];
  return Object.keys(labels)
    .toSorted(compareText)
    .flatMap((key) => {
      const value = labels[key] ?? '';
      return [...validateLabelName(key, field), ...isValidLabelValue(value).map((error) => invalid(field, value, error))];
    });
}

/** Checks the object form as the validation of every kind does. */
export function validateLabelSelector(selector: LabelSelector | null | undefined, field: string): readonly FieldProblem[] {
  if (selector === null || selector === undefined) return [];
  const problems = [...validateLabels(selector.matchLabels, `${field}.matchLabels`)];
  for (const [at, requirement] of (selector.matchExpressions ?? []).entries())
    append(problems, validateLabelSelectorRequirement(requirement, `${field}.matchExpressions[${at}]`));
  return problems;
}

function validateLabelSelectorRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  field: string,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) problems.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      problems.push(forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else problems.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  return [...problems, ...validateLabelName(key, `${field}.key`)];
}

/**
 * Label selectors: the text form (`a=b,c in (d,e),!f`), the LabelSelector object, and the predicate that both compile to. Models: v1.24
 * apimachinery pkg/labels Parse, pkg/apis/meta/v1 LabelSelectorAsSelector, pkg/apis/meta/v1/validation.
 */
import { memo } from '../../engine/index.ts';
import { append } from './lists.ts';
import { compareText } from './bytes.ts';
import { isQualifiedName, isValidLabelValue } from './dns-names.ts';
import { forbidden, invalid, required, type FieldProblem } from './field-problem.ts';
import { quote } from './go-print.ts';
import { parseRequirements } from './label-parser.ts';
import {
  AS_READ,
  compileRequirement,
  formatRequirement,
  labelRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  VALIDATED,
} from './label-requirement.ts';
import { bad, good, memoised, type Parsed } from './parsed.ts';

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

const OBJECT_OPERATORS: ReadonlyMap<string, LabelOperator> = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

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
    const op = OBJECT_OPERATORS.get(operator);
    if (op === undefined) return bad(`${quote(operator)} is not a valid pod selector operator`);
    const made = labelRequirement(key, op, values ?? []);
    if (made.error !== undefined) return made;
    requirements.push(made.value);
  }
  return good(requirements.length === 0 ? EVERYTHING : selection(requirements));
}

const compiled = memo(new WeakMap<LabelSelector, LabelMatcher>());

/**
 * Returns the predicate of a stored selector, compiled once for each object. Stored objects never change; drafts must not be passed. An
 * invalid selector matches nothing.
 */
export function labelMatcher(selector: LabelSelector | null | undefined): LabelMatcher {
  if (selector === null || selector === undefined) return NOTHING.matches;
  let matcher = compiled.get(selector);
  if (matcher === undefined) {
    matcher = (labelSelectorAsSelection(selector).value ?? NOTHING).matches;
    compiled.set(selector, matcher);
  }
  return matcher;
}

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

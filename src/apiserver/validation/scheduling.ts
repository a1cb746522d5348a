/** Validation of affinity, tolerations and topology spread. Models: v1.24 pkg/apis/core/validation. */
import { append, isDns1123Subdomain, isValidLabelValue, validateLabelName } from '../../schema/values/index.ts';
import {
  affinity as schema,
  type Affinity,
  type NodeSelector,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  toleration as tolerationSchema,
  type Toleration,
  topologySpreadConstraint,
  type TopologySpreadConstraint,
} from '../structs/index.ts';
import type { FieldError } from '../objects/index.ts';
import { facetErrors } from './facets.ts';
import { duplicate, forbidden, invalid, notSupported, ofEach, problemsAt, required } from './field-errors.ts';
import { shown } from './go-types.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity, field: string): FieldError[] {
  const { nodeAffinity: node = {} } = affinity;
  const fields = schema.fields.nodeAffinity.fields;
  const errors = node[REQUIRED] === undefined ? [] : validateNodeSelector(node[REQUIRED], `${field}.nodeAffinity.${REQUIRED}`);
  append(
    errors,
    ofEach(node[PREFERRED], `${field}.nodeAffinity.${PREFERRED}`, (term, path) => [
      ...facetErrors(fields[PREFERRED].items, term, path, 'weight'),
      ...validateNodeSelectorTerm(term.preference, `${path}.preference`),
    ]),
    facetErrors(schema, affinity, field, 'podAffinity', 'podAntiAffinity'),
  );
  return errors;
}

export function validateNodeSelector({ nodeSelectorTerms: terms }: NodeSelector, field: string): FieldError[] {
  return (terms ?? []).length === 0
    ? [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')]
    : ofEach(terms, `${field}.nodeSelectorTerms`, validateNodeSelectorTerm);
}

const validateNodeSelectorTerm = ({ matchExpressions, matchFields }: NodeSelectorTerm, field: string): FieldError[] => [
  ...ofEach(matchExpressions, `${field}.matchExpressions`, validateExpression),
  ...ofEach(matchFields, `${field}.matchFields`, validateFieldExpression),
];

function validateExpression({ key, operator, values = [] }: NodeSelectorRequirement, field: string): FieldError[] {
  const errors: FieldError[] = [];
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) errors.push(required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        errors.push(forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) errors.push(required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  return [...errors, ...validateLabelName(key, `${field}.key`)];
}

function validateFieldExpression({ key, operator, values = [] }: NodeSelectorRequirement, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    errors.push(required(`${field}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (key !== 'metadata.name') errors.push(invalid(`${field}.key`, key, 'not a valid field selector key'));
  else
    append(
      errors,
      ofEach(values, `${field}.values`, (value, path) => problemsAt(isDns1123Subdomain(value), path, value)),
    );
  return errors;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const validateTolerations = (tolerations: readonly Toleration[] | undefined, field: string): FieldError[] =>
  ofEach(tolerations, field, (toleration, path) => {
    const errors: FieldError[] = [];
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const refuse = (shownValue: unknown, why: string): unknown => errors.push(invalid(`${path}.operator`, shownValue, why));
    if (key !== '') append(errors, validateLabelName(key, `${path}.key`));
    else if (operator !== 'Exists')
      refuse(operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"');
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (operator === '' || operator === 'Equal') {
      const problems = isValidLabelValue(value);
      if (problems.length > 0) refuse(value, problems.join(';'));
    } else if (operator === 'Exists') {
      if (value !== '') refuse(shown(toleration, tolerationSchema), "value must be empty when `operator` is 'Exists'");
    } else errors.push(notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
    if (effect !== '' && !EFFECTS.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
    return errors;
  });

const pairOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string => JSON.stringify([topologyKey, whenUnsatisfiable]);

export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[], field: string): FieldError[] {
  const last = new Map(constraints.map((one, at) => [pairOf(one), `${field}[${at}]`]));
  return ofEach(constraints, field, (constraint, path) => {
    const { topologyKey, whenUnsatisfiable, minDomains } = constraint;
    const errors = facetErrors(topologySpreadConstraint, constraint, path, 'maxSkew', 'topologyKey', 'whenUnsatisfiable');
    if (last.get(pairOf(constraint)) !== path)
      errors.push(duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
    append(errors, facetErrors(topologySpreadConstraint, constraint, path, 'minDomains'));
    if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule')
      errors.push(
        invalid(`${path}.minDomains`, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`),
      );
    return errors;
  });
}

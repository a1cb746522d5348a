/** Validation of affinity, tolerations and topology spread. Models: v1.24 pkg/apis/core/validation. */
import {
  append,
  isDns1123Label,
  isDns1123Subdomain,
  isValidLabelValue,
  validateLabelName,
  validateLabelSelector,
} from '../../../schema/values/index.ts';
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '../structs/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { duplicate, forbidden, invalid, notSupported, required } from './field-errors.ts';
import { shown, tolerationType } from './go-shapes.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(affinity: Affinity, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const node = affinity.nodeAffinity;
  if (node !== undefined) {
    if (node[REQUIRED] !== undefined) append(errors, validateNodeSelector(node[REQUIRED], `${field}.nodeAffinity.${REQUIRED}`));
    for (const [at, term] of (node[PREFERRED] ?? []).entries()) {
      const path = `${field}.nodeAffinity.${PREFERRED}[${at}]`;
      if (term.weight <= 0 || term.weight > 100) errors.push(invalid(`${path}.weight`, term.weight, 'must be in the range 1-100'));
      append(errors, validateNodeSelectorTerm(term.preference, `${path}.preference`));
    }
  }
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const pods = affinity[kind];
    if (pods === undefined) continue;
    for (const [at, term] of (pods[REQUIRED] ?? []).entries())
      append(errors, validatePodAffinityTerm(term, `${field}.${kind}.${REQUIRED}[${at}]`));
    for (const [at, term] of (pods[PREFERRED] ?? []).entries()) {
      const path = `${field}.${kind}.${PREFERRED}[${at}]`;
      if (term.weight <= 0 || term.weight > 100) errors.push(invalid(`${path}.weight`, term.weight, 'must be in the range 1-100'));
      append(errors, validatePodAffinityTerm(term.podAffinityTerm, `${path}.podAffinityTerm`));
    }
  }
  return errors;
}

export function validateNodeSelector(selector: NodeSelector, field: string): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')];
  return terms.flatMap((term, at) => validateNodeSelectorTerm(term, `${field}.nodeSelectorTerms[${at}]`));
}

function validateNodeSelectorTerm(term: NodeSelectorTerm, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, requirement] of (term.matchExpressions ?? []).entries())
    append(errors, validateExpression(requirement, `${field}.matchExpressions[${at}]`));
  for (const [at, requirement] of (term.matchFields ?? []).entries())
    append(errors, validateFieldExpression(requirement, `${field}.matchFields[${at}]`));
  return errors;
}

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
    for (const [at, value] of values.entries())
      for (const problem of isDns1123Subdomain(value)) errors.push(invalid(`${field}.values[${at}]`, value, problem));
  return errors;
}

function validatePodAffinityTerm(term: PodAffinityTerm, field: string): FieldError[] {
  const errors: FieldError[] = [
    ...validateLabelSelector(term.labelSelector, `${field}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${field}.namespaceSelector`),
  ];
  for (const name of term.namespaces ?? [])
    for (const problem of isDns1123Label(name)) errors.push(invalid(`${field}.namespace`, name, problem));
  if (term.topologyKey === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
  return [...errors, ...validateLabelName(term.topologyKey, `${field}.topologyKey`)];
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(tolerations: readonly Toleration[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, toleration] of tolerations.entries()) {
    const path = `${field}[${at}]`;
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    if (key !== '') append(errors, validateLabelName(key, `${path}.key`));
    else if (operator !== 'Exists')
      errors.push(
        invalid(`${path}.operator`, operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'),
      );
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (operator === '' || operator === 'Equal') {
      const problems = isValidLabelValue(value);
      if (problems.length > 0) errors.push(invalid(`${path}.operator`, value, problems.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '')
        errors.push(invalid(`${path}.operator`, shown(toleration, tolerationType), "value must be empty when `operator` is 'Exists'"));
    } else errors.push(notSupported(`${path}.operator`, operator, ['Equal', 'Exists']));
    if (effect !== '' && !EFFECTS.includes(effect)) errors.push(notSupported(`${path}.effect`, effect, EFFECTS));
  }
  return errors;
}

const pairOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string => JSON.stringify([topologyKey, whenUnsatisfiable]);

export function validateTopologySpread(constraints: readonly TopologySpreadConstraint[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  const last = new Map(constraints.map((one, at) => [pairOf(one), at]));
  for (const [at, constraint] of constraints.entries()) {
    const path = `${field}[${at}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains } = constraint;
    if (maxSkew <= 0) errors.push(invalid(`${path}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(required(`${path}.topologyKey`, 'can not be empty'));
    if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway')
      errors.push(notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']));
    if (last.get(pairOf(constraint)) !== at) {
      errors.push(duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
    }
    if (minDomains !== undefined && minDomains <= 0) errors.push(invalid(`${path}.minDomains`, minDomains, 'must be greater than zero'));
    if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule')
      errors.push(
        invalid(`${path}.minDomains`, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`),
      );
  }
  return errors;
}

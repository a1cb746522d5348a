/** Validation of StorageClasses. */
import { repeats, append, byteLength, isQualifiedName, validateLabelName, compareText } from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  immutableText,
  invalid,
  type KindContext,
  notSupported,
  ENOUGH_ERRORS,
  required,
  sameValue,
  tooLong,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { StorageClass, Term } from './shape.ts';

const MAX_PARAMETERS = 512;
const MAX_PARAMETERS_SIZE = 256 * 1024;
const RECLAIM = ['Delete', 'Retain'];
const BINDING = ['Immediate', 'WaitForFirstConsumer'];

export function fieldErrors({ provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies }: StorageClass): FieldError[] {
  const errors: FieldError[] = [];
  if (provisioner === '') errors.push(required('provisioner'));
  else for (const problem of isQualifiedName(provisioner.toLowerCase())) errors.push(invalid('provisioner', provisioner, problem));
  append(errors, parameterErrors(parameters ?? {}));
  if (reclaimPolicy !== '' && !RECLAIM.includes(reclaimPolicy)) errors.push(notSupported('reclaimPolicy', reclaimPolicy, RECLAIM));
  if (!BINDING.includes(volumeBindingMode)) errors.push(notSupported('volumeBindingMode', volumeBindingMode, BINDING));
  append(errors, topologyErrors(allowedTopologies ?? []));
  return errors;
}

function parameterErrors(parameters: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(parameters);
  if (names.length > MAX_PARAMETERS) return [tooLong('parameters', 'Provisioner Parameters exceeded max allowed', MAX_PARAMETERS)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const name of names) {
    if (name === '') errors.push(invalid('parameters', name, 'field can not be empty.'));
    size += byteLength(name) + byteLength(parameters[name] ?? '');
  }
  if (size > MAX_PARAMETERS_SIZE) errors.push(tooLong('parameters', '', MAX_PARAMETERS_SIZE));
  return errors;
}

/** Refuses terms that select the same. */
function topologyErrors(terms: readonly Term[]): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream's list begins with as many empty selections as there are terms, so that an empty term duplicates all of them.
  const seen = new Map([['{}', terms.length]]);
  for (const [at, term] of terms.entries()) {
    const field = `allowedTopologies[${at}].matchLabelExpressions`;
    const selected: Record<string, readonly string[]> = {};
    for (const [i, { key, values }] of (term.matchLabelExpressions ?? []).entries()) {
      const sorted = [...new Set(values ?? [])].sort(compareText);
      if (sorted.length === 0) errors.push(required(`${field}[${i}].values`));
      const seenBefore = repeats<string>();
      for (const [v, value] of (values ?? []).entries())
        if (seenBefore(value)) errors.push(duplicate(`${field}[${i}].values[${v}]`, value));
      append(errors, validateLabelName(key, `${field}[${i}].key`));
      if (Object.hasOwn(selected, key)) errors.push(duplicate(`${field}[${i}].key`, key));
      selected[key] = sorted;
    }
    const same = JSON.stringify(Object.fromEntries(Object.entries(selected).sort(([a], [b]) => compareText(a, b))));
    const before = seen.get(same) ?? 0;
    // A refusal prints no more errors than this; empty terms alone would give as many as there are pairs of them.
    for (let times = 0; times < before && errors.length < ENOUGH_ERRORS; times++) errors.push(duplicate(field, ''));
    seen.set(same, before + 1);
  }
  return errors;
}

export function validateUpdate(now: StorageClass, before: StorageClass, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(now, before, context);
  if (!sameValue(now.parameters ?? {}, before.parameters ?? {}))
    errors.push(forbidden('parameters', 'updates to parameters are forbidden.'));
  if (now.provisioner !== before.provisioner) errors.push(forbidden('provisioner', 'updates to provisioner are forbidden.'));
  if (now.reclaimPolicy !== before.reclaimPolicy) errors.push(forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.'));
  if (now.volumeBindingMode !== before.volumeBindingMode) errors.push(invalid('volumeBindingMode', now.volumeBindingMode, immutableText));
  return errors;
}

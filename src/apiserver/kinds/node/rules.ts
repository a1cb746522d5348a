/**
 * Validation of Nodes. Taints in an old annotation are JSON decoded into the internal struct, whose members have only their Go names, in any
 * case. The source of an agent's dynamic configuration (`spec.configSource` and `status.config`) is deprecated and behind a gate: without it
 * both are dropped unless the stored object has them. Models: v1.24 pkg/apis/core/helper GetTaintsFromNodeAnnotations, encoding/json; v1.21
 * pkg/apis/core/validation validateNodeConfigSourceSpec and validateNodeConfigStatus.
 */
import { JsonSyntaxError, jsonWord, parseJson } from '../../../schema/shape/index.ts';
import {
  append,
  isConfigMapKey,
  isDns1123Label,
  isDns1123Subdomain,
  isIpv4,
  isValidLabelValue,
  parseCidr,
  repeats,
} from '../../../schema/values/index.ts';
import type { Draft } from '../../machinery/index.ts';
import type { ApiObject, FieldError, KindContext, Names } from '../../objects/index.ts';
import { duplicate, facetErrors, forbidden, internal, invalid, ofEach, required, shown, validateAmounts } from '../../validation/index.ts';
import { address as addressSchema, configSourceFor, type Node, taint as taintSchema, type Taint } from './shape.ts';

const TYPES = { Key: 'string', Value: 'string', Effect: 'core.TaintEffect' } as const;

function readTaints(text: string): { readonly taints: readonly Taint[]; readonly problem?: string } {
  let value: unknown;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { taints: [], problem: error.message };
    throw error;
  }
  if (value === null) return { taints: [] };
  if (!Array.isArray(value))
    return { taints: [], problem: `json: cannot unmarshal ${jsonWord(value, false)} into Go value of type []core.Taint` };
  const problems: string[] = [];
  const taints = value.map((item: unknown) => readTaint(item, problems));
  // Go continues after a problem and reports the first one.
  const [problem] = problems;
  return problem === undefined ? { taints } : { taints: [], problem };
}

function readTaint(item: unknown, problems: string[]): Taint {
  const made = { key: '', value: '', effect: '' };
  if (item === null) return made;
  if (jsonWord(item, false) !== 'object') {
    problems.push(`json: cannot unmarshal ${jsonWord(item, false)} into Go value of type core.Taint`);
    return made;
  }
  for (const [name, given] of Object.entries(item as object) as [string, unknown][])
    for (const [field, type] of Object.entries(TYPES)) {
      if (name.toLowerCase() !== field.toLowerCase() || given === null) continue;
      if (typeof given === 'string') made[name.toLowerCase() as keyof typeof made] = given;
      else problems.push(`json: cannot unmarshal ${jsonWord(given, false)} into Go struct field Taint.${field} of type ${type}`);
    }
  return made;
}

export const allocatableByDefault = {
  reads: ['status'],
  concerns: ({ status }: Node): boolean => status.capacity !== undefined && status.allocatable === undefined,
  run(draft: Draft<Node>): void {
    const { capacity, allocatable, ...status } = draft.status;
    if (capacity !== undefined && allocatable === undefined) draft.status = { capacity, allocatable: capacity, ...status };
  },
} as const;

/** The path starts with `metadata`, as upstream's does. */
function taintErrors(taints: readonly Taint[] | undefined, path = 'metadata.taints'): FieldError[] {
  const isRepeated = repeats<string>();
  return ofEach(taints, path, (taint, field) => {
    const { key, value = '', effect } = taint;
    const problems = isValidLabelValue(value);
    return [
      ...facetErrors(taintSchema, taint, field, 'key'),
      ...(problems.length > 0 ? [invalid(`${field}.value`, value, problems.join(';'))] : []),
      ...facetErrors(taintSchema, taint, field, 'effect'),
      ...(isRepeated(`${effect}/${key}`)
        ? [{ ...duplicate(field, shown(taint, taintSchema)), detail: 'taints must be unique by key and effect pair' }]
        : []),
    ];
  });
}

function rangeErrors(ranges: readonly string[]): FieldError[] {
  const field = 'spec.podCIDRs';
  const errors: FieldError[] = [];
  const parsed = ranges.map(parseCidr);
  for (const [at, one] of parsed.entries())
    if (one.error !== undefined) errors.push(invalid(`${field}[${at}]`, ranges, 'must be valid CIDR'));
  if (ranges.length < 2) return errors;
  const broken = parsed.findIndex((one) => one.error !== undefined);
  if (broken >= 0)
    errors.push(
      internal(
        field,
        `invalid PodCIDRs. failed to check with dual stack with error:failed to parse cidr value:${JSON.stringify(ranges[broken])} with error:invalid CIDR address: ${ranges[broken]}`,
      ),
    );
  const families = new Set(parsed.map((one) => (one.error === undefined ? isIpv4(one.value.ip) : undefined)));
  if (broken >= 0 || families.size !== 2 || ranges.length > 2)
    errors.push(invalid(field, ranges, 'may specify no more than one CIDR for each IP family'));
  const seenBefore = repeats<string>();
  for (const [at, range] of ranges.entries()) if (seenBefore(range)) errors.push(duplicate(`${field}[${at}]`, range));
  return errors;
}

function avoidPodsErrors({ metadata }: ApiObject, { names }: KindContext): FieldError[] {
  const key = names.key('scheduler.alpha', 'preferAvoidPods');
  const text = metadata.annotations?.[key];
  if (text === undefined || text === '') return [];
  try {
    parseJson(text);
    return [];
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [invalid('metadata.annotations.AvoidPods', key, error.message)];
    throw error;
  }
}

/** Old annotations, replaced by fields of the spec, must still be well-formed. */
const annotationErrors = (object: ApiObject, context: KindContext): FieldError[] => [
  ...oldTaintErrors(object, context),
  ...avoidPodsErrors(object, context),
];

function oldTaintErrors({ metadata }: ApiObject, { names }: KindContext): FieldError[] {
  const key = names.key('scheduler.alpha', 'taints');
  const written = metadata.annotations?.[key];
  if (written === undefined || written === '') return [];
  const { taints, problem } = readTaints(written);
  return problem === undefined ? taintErrors(taints, `metadata.annotations.${key}`) : [invalid('metadata.annotations', key, problem)];
}

/** The gate that lets nodes keep a source and agents follow it. */
const DYNAMIC_CONFIG = 'DynamicKubeletConfig';

interface Reference {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}
interface Source {
  readonly configMap?: Reference;
}

const exactlyOne = (field: string, source: Source, names: Names): FieldError =>
  invalid(field, shown(source, configSourceFor(names)), 'exactly one reference subfield must be non-nil');

function referenceErrors(reference: Reference, field: string, keyField: string): FieldError[] {
  const errors: FieldError[] = [];
  const check = (name: string, value: string | undefined, problems: (text: string) => readonly string[]): void => {
    if (value === undefined || value === '') errors.push(required(`${field}.${name}`, `${name} must be set`));
    else for (const problem of problems(value)) errors.push(invalid(`${field}.${name}`, value, problem));
  };
  check('namespace', reference.namespace, isDns1123Label);
  check('name', reference.name, isDns1123Subdomain);
  check(keyField, (reference as unknown as Readonly<Record<string, string>>)[keyField], isConfigMapKey);
  return errors;
}

/** Returns the errors of a node's source under the gate. A spec must not name a version, which only the agent reports. */
function configSourceErrors(object: Node, { gates, names }: KindContext): FieldError[] {
  const source = object.spec.configSource as Source | undefined;
  if (source === undefined || gates[DYNAMIC_CONFIG] !== true) return [];
  const field = 'spec.configSource';
  if (source.configMap === undefined) return [exactlyOne(field, source, names)];
  const errors: FieldError[] = [];
  if ((source.configMap.uid ?? '') !== '') errors.push(forbidden(`${field}.configMap.uid`, 'uid must not be set in spec'));
  if ((source.configMap.resourceVersion ?? '') !== '')
    errors.push(forbidden(`${field}.configMap.resourceVersion`, 'resourceVersion must not be set in spec'));
  return [...errors, ...referenceErrors(source.configMap, `${field}.configMap`, names.fields.agentConfigKey)];
}

/** Returns the errors of the reported sources, which must be complete. */
function configStatusErrors(object: Node, { gates, names }: KindContext): FieldError[] {
  const config = object.status.config as Readonly<Record<'assigned' | 'active' | 'lastKnownGood', Source | undefined>> | undefined;
  if (config === undefined || gates[DYNAMIC_CONFIG] !== true) return [];
  return (['assigned', 'active', 'lastKnownGood'] as const).flatMap((name) => {
    const source = config[name];
    const field = `status.config.${name}`;
    if (source === undefined) return [];
    if (source.configMap === undefined) return [exactlyOne(field, source, names)];
    const errors = (['uid', 'resourceVersion'] as const)
      .filter((part) => (source.configMap?.[part] ?? '') === '')
      .map((part) => required(`${field}.configMap.${part}`, `${part} must be set in status`));
    return [...errors, ...referenceErrors(source.configMap, `${field}.configMap`, names.fields.agentConfigKey)];
  });
}

const amountErrors = (status: Node['status']): FieldError[] =>
  (['capacity', 'allocatable'] as const).flatMap((which) => validateAmounts(status[which], (name) => `status.${which}.${name}`));

const stateErrors = (object: Node, context: KindContext): FieldError[] => [
  ...annotationErrors(object, context),
  ...taintErrors(object.spec.taints),
  ...amountErrors(object.status),
  ...rangeErrors(object.spec.podCIDRs ?? []),
];

const onlyOnce = (field: string, name: string): FieldError =>
  forbidden(field, `node updates may not change ${name} except from "" to valid`);

function changeErrors(object: Node, context: KindContext, old: Node): FieldError[] {
  const { spec, status } = object;
  const before = old.spec;
  const errors = annotationErrors(object, context);
  // Most heartbeats keep the amounts, which are valid then.
  if (status.capacity !== old.status.capacity || status.allocatable !== old.status.allocatable) append(errors, amountErrors(status));
  const isRepeated = repeats<string>();
  append(
    errors,
    ofEach(status.addresses, 'status.addresses', (address, field) =>
      isRepeated(`${address.type} ${address.address}`) ? [duplicate(field, shown(address, addressSchema))] : [],
    ),
  );
  const { podCIDRs: ranges = [] } = spec;
  const { podCIDRs: oldRanges = [] } = before;
  if (oldRanges.length > 0) {
    if (ranges.length !== oldRanges.length) errors.push(onlyOnce('spec.podCIDRs', 'podCIDR'));
    else for (const [at, range] of oldRanges.entries()) if (ranges[at] !== range) errors.push(onlyOnce('spec.podCIDRs', 'podCIDR'));
  }
  if (before.providerID !== undefined && spec.providerID !== before.providerID) errors.push(onlyOnce('spec.providerID', 'providerID'));
  append(errors, configSourceErrors(object, context), configStatusErrors(object, context), taintErrors(spec.taints));
  if (spec.externalID !== before.externalID) errors.push(forbidden('spec.externalID', 'may not be updated'));
  return errors;
}

/** A heartbeat replaces only the status: the spec is the stored one. */
export const NODE_STATUS_UPDATED = ['changed metadata', changeErrors] as const;
export const NODE_CREATED = ['metadata', stateErrors, configSourceErrors] as const;
export const NODE_UPDATED = ['metadata', stateErrors, ...NODE_STATUS_UPDATED] as const;

/**
 * The source of an agent's dynamic configuration: `spec.configSource` and `status.config` of nodes. It is deprecated and behind the gate
 * DynamicKubeletConfig: without the gate both are dropped unless the stored object has them. Models: v1.21 pkg/apis/core/validation
 * validateNodeConfigSourceSpec and validateNodeConfigStatus, v1.24 pkg/registry/core/node/strategy.go dropDisabledFields.
 */
import { isConfigMapKey, isDns1123Label, isDns1123Subdomain } from '../../../schema/values/index.ts';
import type { FieldError, KindContext, Names } from '../../objects/index.ts';
import { forbidden, invalid, required, shown } from '../../validation/index.ts';
import { configSourceFor, type Node } from './shape.ts';

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
export function configSourceErrors(object: Node, { gates, names }: KindContext): FieldError[] {
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
export function configStatusErrors(object: Node, { gates, names }: KindContext): FieldError[] {
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

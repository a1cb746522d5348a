/** What is legal in a pod and probably not meant. Models: v1.24 pkg/api/pod/warnings.go. */
import { parseQuantity, quantityMilliValue } from '../../values/index.ts';
import type { Container } from '../shapes/containers.ts';
import type { PodSpec } from '../shapes/pod-spec.ts';

const BYTES = ['memory', 'ephemeral-storage'];

function fractions(amounts: Readonly<Record<string, string>> | undefined, field: string): string[] {
  return BYTES.flatMap((name) => {
    const amount = amounts?.[name];
    const parsed = amount === undefined ? undefined : parseQuantity(amount);
    return parsed?.value !== undefined && quantityMilliValue(parsed.value) % 1000n !== 0n ? [`${field}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`] : [];
  });
}

function containerWarnings({ env = [], resources }: Container, field: string): string[] {
  const names = new Set<string>();
  const repeated = env.flatMap(({ name }, at) => {
    const again = names.has(name);
    names.add(name);
    return again ? [`${field}.env[${at}].name: duplicate name ${JSON.stringify(name)}`] : [];
  });
  return [...fractions(resources.limits, `${field}.resources.limits`), ...fractions(resources.requests, `${field}.resources.requests`), ...repeated];
}

export function podWarnings(spec: PodSpec, field: string): readonly string[] {
  const warnings: string[] = [];
  for (const list of ['initContainers', 'containers'] as const) for (const [at, container] of (spec[list] ?? []).entries()) warnings.push(...containerWarnings(container, `${field}.${list}[${at}]`));
  const secrets = spec.imagePullSecrets ?? [];
  for (const [at, { name = '' }] of secrets.entries()) {
    if (name === '') warnings.push(`${field}.imagePullSecrets[${at}].name: invalid empty name ""`);
    else if (secrets.findIndex((other) => other.name === name) < at) warnings.push(`${field}.imagePullSecrets[${at}].name: duplicate name ${JSON.stringify(name)}`);
  }
  const aliases = spec.hostAliases ?? [];
  for (const [at, { ip = '' }] of aliases.entries()) if (aliases.findIndex((other) => other.ip === ip) < at) warnings.push(`${field}.hostAliases[${at}].ip: duplicate ip ${JSON.stringify(ip)}`);
  return warnings;
}

const clean = new WeakSet<object>();
const NONE: readonly string[] = Object.freeze([]);

/** The same for a spec that many objects share: one without warnings is looked at once. */
export function warningsOnce(spec: PodSpec, field: string): readonly string[] {
  if (clean.has(spec)) return NONE;
  const warnings = podWarnings(spec, field);
  if (warnings.length === 0 && Object.isFrozen(spec)) clean.add(spec);
  return warnings;
}

/** Warnings about a template that is new or has changed. */
export const templateWarnings = (template: { readonly spec: PodSpec }, old: { readonly spec: PodSpec } | undefined, field: string): readonly string[] => (template === old ? NONE : warningsOnce(template.spec, field));

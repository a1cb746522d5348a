/**
 * Validation of pod annotations about the pod's containers. Models: v1.24 pkg/apis/core/validation ValidatePodSpecificAnnotations. Omits:
 * tolerations in an annotation, which nothing reads.
 */
import { memo } from '../../engine/index.ts';
import { append } from '../../schema/values/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import type { PodSpec } from '../structs/index.ts';
import { forbidden, invalid } from './field-errors.ts';
import { descendingPath } from './facets.ts';

type Annotations = Readonly<Record<string, string>>;

const isProfile = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile === 'unconfined' || profile.startsWith('localhost/');
/** Without a plus sign and leading zeros. */
const COST = /^(0|-\d+|[1-9]\d*)$/;
const isInt32 = (text: string): boolean => COST.test(text) && BigInt(text) === BigInt.asIntN(32, BigInt(text));

export function validatePodAnnotations(
  annotations: Annotations | undefined,
  spec: PodSpec,
  field: string,
  { names }: KindContext,
): FieldError[] {
  if (annotations === undefined) return [];
  const errors: FieldError[] = [];
  const mirror = annotations[names.key('', 'config.mirror')];
  if (mirror !== undefined && (spec.nodeName ?? '') === '')
    errors.push(invalid(`${field}[${names.key('', 'config.mirror')}]`, mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  const cost = annotations[names.key('controller', 'pod-deletion-cost')];
  if (cost !== undefined && !isInt32(cost))
    errors.push(invalid(`${field}[${names.key('controller', 'pod-deletion-cost')}]`, cost, 'must be a 32bit integer'));
  const pod = names.key('seccomp.security.alpha', 'pod');
  if (annotations[pod] !== undefined) append(errors, seccompProfile(annotations[pod], `${field}.${pod}`));
  const ofContainer = names.key('container.seccomp.security.alpha', '');
  for (const [key, value] of Object.entries(annotations))
    if (key.startsWith(ofContainer)) append(errors, seccompProfile(value, `${field}.${key}`));
  const armor = names.key('container.apparmor.security.beta', '');
  for (const [key, value] of Object.entries(annotations))
    if (key.startsWith(armor)) append(errors, armorProfile(key.slice(armor.length), value, spec, `${field}[${key}]`));
  return errors;
}

function seccompProfile(profile: string, field: string): FieldError[] {
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return [];
  return profile.startsWith('localhost/')
    ? descendingPath(profile.slice('localhost/'.length), field)
    : [invalid(field, profile, 'must be a valid seccomp profile')];
}

/** The container names of a spec, cached because every annotation needs them. */
const containerNames = memo(new WeakMap<PodSpec, ReadonlySet<string>>());

function namesIn(spec: PodSpec): ReadonlySet<string> {
  let names = containerNames.get(spec);
  if (names === undefined)
    containerNames.set(spec, (names = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name))));
  return names;
}

function armorProfile(container: string, profile: string, spec: PodSpec, field: string): FieldError[] {
  const errors = namesIn(spec).has(container) ? [] : [invalid(field, container, 'container not found')];
  return isProfile(profile) ? errors : [...errors, invalid(field, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)];
}

/** Returns the errors of changed annotations of an existing pod. */
export function validatePodAnnotationUpdate(
  annotations: Annotations = {},
  before: Annotations = {},
  field: string,
  { names }: KindContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = names.key('', 'config.mirror');
  const armor = names.key('container.apparmor.security.beta', '');
  for (const [key, value] of Object.entries(before)) {
    if (annotations[key] === value) continue;
    if (key.startsWith(armor)) errors.push(forbidden(`${field}[${key}]`, 'may not remove or update AppArmor annotations'));
    if (key === mirror) errors.push(forbidden(`${field}[${key}]`, 'may not remove or update mirror pod annotation'));
  }
  for (const key of Object.keys(annotations)) {
    if (before[key] !== undefined) continue;
    if (key.startsWith(armor)) errors.push(forbidden(`${field}[${key}]`, 'may not add AppArmor annotations'));
    if (key === mirror) errors.push(forbidden(`${field}[${key}]`, 'may not add mirror pod annotation'));
  }
  return errors;
}

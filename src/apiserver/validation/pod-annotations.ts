/**
 * Annotations of pods about their containers, and the fields that have replaced them: of seccomp profiles both forms are kept, and agree.
 * Models: v1.24 pkg/apis/core/validation ValidatePodSpecificAnnotations, validateSeccompAnnotationsAndFields, pkg/registry/core/pod
 * applySeccompVersionSkew, pkg/api/pod SeccompAnnotationForField. Omits: tolerations in an annotation, which nothing reads.
 */
import { perObject } from '../../engine/index.ts';
import { append, compareText } from '../../schema/values/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import type { Container, PodSpec } from '../structs/index.ts';
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
const namesIn = perObject(
  (spec: PodSpec): ReadonlySet<string> => new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name)),
);

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

type Profile = NonNullable<NonNullable<Container['securityContext']>['seccompProfile']>;

const LOCAL = 'localhost/';
const PROFILES: ReadonlyMap<string, string> = new Map([
  ['Unconfined', 'unconfined'],
  ['RuntimeDefault', 'runtime/default'],
]);

/** Returns the annotation for a profile; undefined where the field has no valid profile. */
const annotationOf = ({ type, localhostProfile }: Profile): string | undefined =>
  type === 'Localhost' ? (localhostProfile === undefined ? undefined : `${LOCAL}${localhostProfile}`) : PROFILES.get(type);

function profileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default' || annotation === 'docker/default') return { type: 'RuntimeDefault' };
  return annotation.startsWith(LOCAL) ? { type: 'Localhost', localhostProfile: annotation.slice(LOCAL.length) } : undefined;
}

const keysOf = ({ names }: KindContext): { readonly pod: string; readonly container: string } => ({
  pod: names.key('seccomp.security.alpha', 'pod'),
  container: names.key('container.seccomp.security.alpha', ''),
});

/** Init containers come first, in upstream's order. */
const LISTS = ['initContainers', 'containers'] as const;

/** Whether either form is present. */
export function hasSeccomp(
  annotations: Annotations | undefined,
  spec: Pick<PodSpec, 'containers' | 'initContainers' | 'securityContext'>,
  context: KindContext,
): boolean {
  const { pod, container } = keysOf(context);
  for (const key in annotations) if (key === pod || key.startsWith(container)) return true;
  if (spec.securityContext.seccompProfile !== undefined) return true;
  return LISTS.some((list) => (spec[list] ?? []).some(({ securityContext }) => securityContext?.seccompProfile !== undefined));
}

/** Adds the missing form where only the other one was given. */
export function alignSeccomp(
  annotations: Annotations = {},
  spec: PodSpec,
  context: KindContext,
): { readonly annotations?: Annotations; readonly spec?: PodSpec } {
  const keys = keysOf(context);
  const added: Record<string, string> = {};
  let changed = spec;
  const field = spec.securityContext.seccompProfile;
  const given = annotations[keys.pod];
  if (field !== undefined && given === undefined) {
    const text = annotationOf(field);
    if (text !== undefined) added[keys.pod] = text;
  } else if (field === undefined && given !== undefined) {
    const seccompProfile = profileOf(given);
    if (seccompProfile !== undefined) changed = { ...changed, securityContext: { ...spec.securityContext, seccompProfile } };
  }
  for (const list of LISTS) {
    const containers = spec[list];
    if (containers === undefined || containers === null) continue;
    const aligned = containers.map((container) => alignContainer(container, annotations, keys.container, added));
    if (aligned.some((container, at) => container !== containers[at])) changed = { ...changed, [list]: aligned };
  }
  return {
    ...(Object.keys(added).length === 0 ? {} : { annotations: sorted({ ...annotations, ...added }) }),
    ...(changed === spec ? {} : { spec: changed }),
  };
}

function alignContainer(container: Container, annotations: Annotations, prefix: string, added: Record<string, string>): Container {
  const key = `${prefix}${container.name}`;
  const field = container.securityContext?.seccompProfile;
  const given = annotations[key];
  if (field !== undefined && given === undefined) {
    const text = annotationOf(field);
    if (text !== undefined) added[key] = text;
    return container;
  }
  const seccompProfile = field === undefined && given !== undefined ? profileOf(given) : undefined;
  return seccompProfile === undefined ? container : { ...container, securityContext: { ...container.securityContext, seccompProfile } };
}

const sorted = (map: Annotations): Annotations => Object.fromEntries(Object.entries(map).sort(([a], [b]) => compareText(a, b)));

export function validateSeccompAgreement(
  annotations: Annotations | undefined,
  spec: PodSpec,
  field: string,
  context: KindContext,
): FieldError[] {
  if (annotations === undefined) return [];
  const keys = keysOf(context);
  const errors = disagreement(annotations[keys.pod], spec.securityContext.seccompProfile, `${field}.securityContext.seccompProfile`);
  for (const list of LISTS)
    for (const [at, container] of (spec[list] ?? []).entries())
      append(
        errors,
        disagreement(
          annotations[`${keys.container}${container.name}`],
          container.securityContext?.seccompProfile,
          `${field}.${list}[${at}].securityContext.seccompProfile`,
        ),
      );
  return errors;
}

function disagreement(annotation: string | undefined, profile: Profile | undefined, field: string): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const wrongType = [forbidden(`${field}.type`, 'seccomp type in annotation and field must match')];
  switch (type) {
    case 'Unconfined':
      return annotation === 'unconfined' ? [] : wrongType;
    case 'RuntimeDefault':
      return annotation === 'runtime/default' || annotation === 'docker/default' ? [] : wrongType;
    case 'Localhost': {
      if (!annotation.startsWith(LOCAL)) return wrongType;
      return annotation.slice(LOCAL.length) === localhostProfile
        ? []
        : [forbidden(`${field}.localhostProfile`, 'seccomp profile in annotation and field must match')];
    }
    default:
      return [];
  }
}

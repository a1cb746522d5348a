/**
 * Seccomp profiles in both forms: the field, and the older annotation. Models: v1.24 pkg/apis/core/validation
 * validateSeccompAnnotationsAndFields, pkg/registry/core/pod applySeccompVersionSkew, pkg/api/pod SeccompAnnotationForField.
 */
import type { FieldError, KindContext } from '../objects/index.ts';
import { append, compareText } from '../../schema/values/index.ts';
import type { Container, PodSpec } from '../structs/index.ts';
import { forbidden } from './field-errors.ts';

type Annotations = Readonly<Record<string, string>>;
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

/** Checks that both forms agree. */
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

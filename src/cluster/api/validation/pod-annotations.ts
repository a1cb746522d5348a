/** Annotations that speak about a pod's own containers. Models: v1.24 pkg/apis/core/validation ValidatePodSpecificAnnotations. */
import type { KindContext } from '../kind.ts';
import type { PodSpec } from '../shapes/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { invalid } from './field-errors.ts';

const isProfile = (profile: string): boolean => profile === '' || profile === 'runtime/default' || profile === 'unconfined' || profile.startsWith('localhost/');

export function validatePodAnnotations(annotations: Readonly<Record<string, string>> | undefined, spec: PodSpec, field: string, { names }: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = names.key('', 'config.mirror');
  const armor = names.key('container.apparmor.security.beta', '');
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (key === mirror && (spec.nodeName ?? '') === '') errors.push(invalid(`${field}[${key}]`, value, 'must set spec.nodeName if mirror pod annotation is set'));
    if (!key.startsWith(armor)) continue;
    const container = key.slice(armor.length);
    const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    if (!all.some(({ name }) => name === container)) errors.push(invalid(`${field}[${key}]`, container, 'container not found'));
    if (!isProfile(value)) errors.push(invalid(`${field}[${key}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`));
  }
  return errors;
}

/** A pod's runtime class adds its overhead, its node selector and its tolerations. Models: plugin/pkg/admission/runtimeclass, pkg/util/tolerations. */
import { sameValue } from '../equal.ts';
import { forbidden } from '../errors.ts';
import { withMembers } from '../order.ts';
import type { AdmissionPlugin } from './plugin.ts';

interface Toleration { readonly key?: string; readonly operator?: string; readonly value?: string; readonly effect?: string; readonly tolerationSeconds?: number }
type Texts = Readonly<Record<string, string>>;
interface PodSpec { readonly runtimeClassName?: string; readonly overhead?: Texts; readonly nodeSelector?: Texts; readonly tolerations?: readonly Toleration[] }
interface RuntimeClass { readonly overhead?: { readonly podFixed?: Texts }; readonly scheduling?: { readonly nodeSelector?: Texts; readonly tolerations?: readonly Toleration[] } }

export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  verbs: ['create'],
  kinds: ['Pod'],
  mutate(door, { resource, name }, object) {
    const spec = object['spec'] as PodSpec;
    if (spec.runtimeClassName === undefined && spec.overhead === undefined) return object;
    const rejected = (why: string) => forbidden(resource, name, `pod rejected: ${why}`);
    const className = spec.runtimeClassName;
    if (className === undefined) throw rejected('Pod Overhead set without corresponding RuntimeClass defined Overhead');
    const found = door.store.get('RuntimeClass', className) as unknown as RuntimeClass | undefined;
    if (found === undefined) throw rejected(`RuntimeClass ${JSON.stringify(className)} not found`);

    const fixed = found.overhead?.podFixed;
    if (spec.overhead !== undefined && fixed === undefined) throw rejected('Pod Overhead set without corresponding RuntimeClass defined Overhead');
    if (spec.overhead !== undefined && !sameValue(spec.overhead, fixed)) throw rejected("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    const { nodeSelector = {}, tolerations } = found.scheduling ?? {};
    for (const key of Object.keys(nodeSelector)) {
      const own = spec.nodeSelector?.[key];
      if (own !== undefined && own !== nodeSelector[key]) {
        throw forbidden(resource, name, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${nodeSelector[key]}; pod.spec.nodeSelector[${key}] = ${own}`);
      }
    }
    const members: Partial<PodSpec> = {
      ...(fixed === undefined ? {} : { overhead: fixed }),
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }),
      ...(tolerations === undefined ? {} : { tolerations: mergeTolerations(spec.tolerations ?? [], tolerations) }),
    };
    return { ...object, spec: withMembers(resource.kind.schema.fields['spec'], spec, members) };
  },
};

/** Both lists without those that another one covers; of equals the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [at, toleration] of all.entries()) {
    if (merged.some((other) => covers(other, toleration))) continue;
    if (all.slice(at + 1).some((other) => !sameValue(other, toleration) && covers(other, toleration))) continue;
    merged.push(toleration);
  }
  return merged;
}

/** Whether `wide` tolerates all that `narrow` tolerates. */
function covers(wide: Toleration, narrow: Toleration): boolean {
  if (sameValue(wide, narrow)) return true;
  const [key, effect] = [wide.key ?? '', wide.effect ?? ''];
  if ((narrow.key ?? '') !== key && (key !== '' || wide.operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && wide.tolerationSeconds !== undefined && (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds)) return false;
  if (wide.operator === 'Exists') return true;
  return (narrow.operator ?? '') === (wide.operator ?? '') && (narrow.value ?? '') === (wide.value ?? '');
}

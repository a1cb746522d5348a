/** A pod's priority and preemption policy come from its class, or from the default class, or are 0. Models: plugin/pkg/admission/priority. */
import type { ApiObject } from '../vocabulary/index.ts';
import { forbidden, withMembers } from '../request/index.ts';
import type { Door } from './door.ts';
import { bySubtree, type AdmissionPlugin } from './plugin.ts';

interface PodSpec {
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
}
interface PriorityClass {
  readonly value: number;
  readonly preemptionPolicy?: string;
}

const BUILT_IN: ReadonlyMap<string, PriorityClass> = new Map([
  ['system-cluster-critical', { value: 2_000_000_000 }],
  ['system-node-critical', { value: 2_000_001_000 }],
]);
const LOWER = 'PreemptLowerPriority';
const NONE: PriorityClass = { value: 0 };

const classOf = (object: ApiObject | undefined): PriorityClass | undefined => object as unknown as PriorityClass | undefined;

/** The class marked as global default, the lowest if there are several. */
function globalDefault(door: Door): ApiObject | undefined {
  let chosen: ApiObject | undefined;
  if (door.store.size('PriorityClass') === 0) return undefined;
  for (const candidate of door.store.values('PriorityClass')) {
    if (candidate['globalDefault'] !== true) continue;
    if (chosen === undefined || (classOf(candidate)?.value ?? 0) < (classOf(chosen)?.value ?? 0)) chosen = candidate;
  }
  return chosen;
}

const plain = bySubtree((spec: PodSpec) => Object.freeze({ ...spec, priority: 0, preemptionPolicy: LOWER }));

/** What was worked out at creation stays where an update leaves it out. */
function kept(spec: PodSpec, before: PodSpec): PodSpec {
  const { priority, preemptionPolicy } = before;
  return {
    ...spec,
    ...(spec.priority === undefined && priority !== undefined ? { priority } : {}),
    ...(spec.preemptionPolicy === undefined && preemptionPolicy !== undefined ? { preemptionPolicy } : {}),
  };
}

export const priority: AdmissionPlugin = {
  name: 'Priority',
  verbs: ['create', 'update'],
  kinds: ['Pod'],
  mutate(door, { resource, name }, object, old) {
    const spec = object['spec'] as PodSpec;
    if (old !== undefined) {
      const before = old['spec'] as PodSpec;
      return (spec.priority === undefined && before.priority !== undefined) ||
        (spec.preemptionPolicy === undefined && before.preemptionPolicy !== undefined)
        ? { ...object, spec: withMembers(resource.kind.schema.fields['spec'], spec, kept(spec, before)) }
        : object;
    }
    const fallback = spec.priorityClassName === undefined || spec.priorityClassName === '' ? globalDefault(door) : undefined;
    if (
      fallback === undefined &&
      (spec.priorityClassName === undefined || spec.priorityClassName === '') &&
      spec.priority === undefined &&
      (spec.preemptionPolicy ?? LOWER) === LOWER
    )
      return { ...object, spec: plain(spec) };

    const className = fallback?.metadata.name ?? spec.priorityClassName;
    const found =
      className === undefined || className === '' ? NONE : (BUILT_IN.get(className) ?? classOf(door.store.get('PriorityClass', className)));
    if (found === undefined) throw forbidden(resource, name, `no PriorityClass with name ${className} was found`);
    if (spec.priority !== undefined && spec.priority !== found.value) {
      throw forbidden(
        resource,
        name,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${found.value} from the given PriorityClass name`,
      );
    }
    const policy = found.preemptionPolicy ?? LOWER;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
      throw forbidden(
        resource,
        name,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    }
    return {
      ...object,
      spec: {
        ...spec,
        ...(className === undefined || className === '' ? {} : { priorityClassName: className }),
        priority: found.value,
        preemptionPolicy: policy,
      },
    };
  },
};

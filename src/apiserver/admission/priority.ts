/**
 * Sets a pod's priority and preemption policy from its class, else from the default class, else 0. Models: plugin/pkg/admission/priority.
 */
import type { ObjectNamed, Pod } from '../kinds/index.ts';
import { type ApiObject, type Draft, insertInOrder, type PodSpec } from '../machinery/index.ts';
import { forbidden } from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import type { AdmissionPlugin } from './plugin.ts';
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

/** Returns the class marked as global default, the lowest if there are several. */
function globalDefault(scope: Scope): ApiObject | undefined {
  let chosen: ObjectNamed<'PriorityClass'> | undefined;
  if (scope.store.size('PriorityClass') === 0) return undefined;
  for (const candidate of scope.store.values('PriorityClass')) {
    if (candidate['globalDefault'] !== true) continue;
    if (chosen === undefined || candidate.value < chosen.value) chosen = candidate;
  }
  return chosen;
}

export const priority: AdmissionPlugin = {
  name: 'Priority',
  verbs: ['create', 'update'],
  reads: ['PriorityClass'],
  kinds: ['Pod'],
  changes: 'spec',
  mutate(scope, { resource, name }, draft, old) {
    const { spec } = draft as Draft<Pod>;
    if (old !== undefined) {
      // An update that omits the values keeps those set at creation.
      const { priority: before, preemptionPolicy: policy } = old['spec'] as PodSpec;
      insertInOrder(resource.kind.schema.fields['spec'], spec, {
        priority: spec.priority ?? before,
        preemptionPolicy: spec.preemptionPolicy ?? policy,
      });
      return;
    }
    const fallback = spec.priorityClassName === undefined || spec.priorityClassName === '' ? globalDefault(scope) : undefined;
    const className = fallback?.metadata.name ?? spec.priorityClassName;
    const found =
      className === undefined || className === '' ? NONE : (BUILT_IN.get(className) ?? scope.store.get('PriorityClass', className));
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
    if (className !== undefined && className !== '') spec.priorityClassName = className;
    spec.priority = found.value;
    spec.preemptionPolicy = policy;
  },
};

/**
 * What admission sets for scheduling: the taint of a new node; the tolerations, the priority class and the runtime class of pods. Models:
 * v1.24 plugin/pkg/admission/{nodetaint,defaulttolerationseconds,priority,runtimeclass}.
 */
import type { Node, ObjectNamed, Pod } from '../kinds/index.ts';
import { admitRuntimeClass, type RuntimeClassPod } from '../decisions/index.ts';
import { castDraft, currentOf, type Draft, insertInOrder, type PodSpec, type Toleration } from '../machinery/index.ts';
import { forbidden } from '../request/index.ts';
import type { AdmissionPlugin, Scope } from './plugin.ts';

/** Taints a new node as not ready until it reports that it is ready. */
export const nodeTaint: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  verbs: ['create'],
  kinds: ['Node'],
  mutate(scope, _attributes, draft) {
    const key = scope.names.key('node', 'not-ready');
    const taints = ((draft as Draft<Node>).spec.taints ??= []);
    if (!taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) taints.push({ key, effect: 'NoSchedule' });
  },
};

/** The seconds for which a pod stays on a node that is unreachable or not ready. */
const SECONDS = 300;
const CONDITIONS = ['not-ready', 'unreachable'];

const covers = (toleration: Toleration, key: string): boolean =>
  (toleration.key === key || toleration.key === undefined || toleration.key === '') &&
  (toleration.effect === 'NoExecute' || toleration.effect === undefined || toleration.effect === '');

export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  verbs: ['create', 'update'],
  reads: [],
  kinds: ['Pod'],
  changes: 'spec',
  mutate({ names }, _attributes, draft) {
    const { spec } = draft as Draft<Pod>;
    for (const condition of CONDITIONS) {
      const key = names.key('node', condition);
      if (spec.tolerations?.some((toleration) => covers(toleration, key)) === true) continue;
      // Frozen, so that the draft does not wrap it.
      (spec.tolerations ??= []).push(Object.freeze({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    }
  },
};

type PriorityClass = Partial<ObjectNamed<'PriorityClass'>> & Pick<ObjectNamed<'PriorityClass'>, 'value'>;

const BUILT_IN: ReadonlyMap<string, PriorityClass> = new Map([
  ['system-cluster-critical', { value: 2_000_000_000 }],
  ['system-node-critical', { value: 2_000_001_000 }],
]);
const LOWER = 'PreemptLowerPriority';
const NONE: PriorityClass = { value: 0 };

/** Returns the class marked as global default, the lowest if there are several. */
function globalDefault(scope: Scope): ObjectNamed<'PriorityClass'> | undefined {
  if (scope.store.size('PriorityClass') === 0) return undefined;
  const marked = [...scope.store.values('PriorityClass')].filter(({ globalDefault }) => globalDefault === true);
  return marked.toSorted((a, b) => a.value - b.value)[0];
}

/** Sets priority and preemption policy from the class of the pod, else from the default class, else 0. */
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
    const policy = found.preemptionPolicy ?? LOWER;
    const check = <T extends string | number>(what: string, given: T | undefined, computed: T): void => {
      if (given === undefined || given === computed) return;
      const rule = `must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
      throw forbidden(resource, name, `the ${what} (${given}) ${rule}`);
    };
    check('integer value of priority', spec.priority, found.value);
    check('string value of PreemptionPolicy', spec.preemptionPolicy, policy);
    if (className !== undefined && className !== '') spec.priorityClassName = className;
    spec.priority = found.value;
    spec.preemptionPolicy = policy;
  },
};

/** A runtime class adds its overhead, node selector and tolerations to a pod. */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  verbs: ['create'],
  reads: ['RuntimeClass'],
  kinds: ['Pod'],
  mutate(scope, { resource, name }, draft) {
    const { spec } = draft as Draft<Pod>;
    if (spec.runtimeClassName === undefined && spec.overhead === undefined) return;
    const decision = admitRuntimeClass(currentOf<RuntimeClassPod>(spec), (className) => scope.store.get('RuntimeClass', className));
    if (!decision.admitted) throw forbidden(resource, name, decision.why);
    insertInOrder(resource.kind.schema.fields['spec'], spec, castDraft(decision.changes));
  },
};

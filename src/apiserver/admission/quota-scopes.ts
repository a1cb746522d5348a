/**
 * The objects that a quota counts: all, or the pods that match every scope. Models: v1.24 pkg/quota/v1/evaluator/core podMatchesScopeFunc.
 */
import type { ApiObject } from '../machinery/index.ts';

interface Requirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
export interface QuotaScopes {
  readonly scopes?: readonly string[];
  readonly scopeSelector?: { readonly matchExpressions?: readonly Requirement[] };
}

interface AffinityTerm {
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: object;
}
interface Terms {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly podAffinityTerm: AffinityTerm }[];
}
interface PodSpec {
  readonly activeDeadlineSeconds?: number;
  readonly priorityClassName?: string;
  readonly affinity?: { readonly podAffinity?: Terms; readonly podAntiAffinity?: Terms };
}

const isBestEffort = (pod: ApiObject): boolean => (pod['status'] as { readonly qosClass?: string } | undefined)?.qosClass === 'BestEffort';

/** Whether the pod has affinity or anti-affinity to pods of other namespaces. */
const crossesNamespaces = ({ affinity }: PodSpec): boolean =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].some((terms) =>
    [
      ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined),
  );

function hasPriority({ priorityClassName = '' }: PodSpec, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'Exists':
      return priorityClassName !== '';
    case 'DoesNotExist':
      return priorityClassName === '';
    case 'In':
      return priorityClassName !== '' && values.includes(priorityClassName);
    case 'NotIn':
      return !values.includes(priorityClassName);
    default:
      return false;
  }
}

function holds(requirement: Requirement, pod: ApiObject): boolean {
  const spec = pod['spec'] as PodSpec;
  switch (requirement.scopeName) {
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'Terminating':
      return spec.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return spec.activeDeadlineSeconds === undefined;
    case 'PriorityClass':
      return hasPriority(spec, requirement);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(spec);
    default:
      return false;
  }
}

/** Whether a quota counts the object. Scopes apply to pods only. */
export function covers({ scopes = [], scopeSelector }: QuotaScopes, object: ApiObject): boolean {
  const requirements = [
    ...scopes.map((scopeName): Requirement => ({ scopeName, operator: 'Exists' })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
  return requirements.length === 0 || (object.kind === 'Pod' && requirements.every((requirement) => holds(requirement, object)));
}

/** What a runtime class changes in a pod, or why it refuses it. Models: v1.24 plugin/pkg/admission/runtimeclass. */
import type { PodSpec } from '../machinery/index.ts';
import type { RuntimeClass } from '../kinds/index.ts';
import { compareQuantities, own, quantity } from '../../schema/values/index.ts';
import { mergeTolerations } from './node-fit.ts';

export type RuntimeClassPod = Pick<PodSpec, 'runtimeClassName' | 'overhead' | 'nodeSelector' | 'tolerations'>;

/** The members of the pod's spec to replace (none: the spec stays unchanged), or the reason for a refusal. */
export type RuntimeClassDecision =
  | { readonly admitted: true; readonly changes: Partial<Pick<PodSpec, 'overhead' | 'nodeSelector' | 'tolerations'>> }
  | { readonly admitted: false; readonly why: string };

const UNCHANGED: RuntimeClassDecision = Object.freeze({ admitted: true, changes: Object.freeze({}) });
const refused = (why: string): RuntimeClassDecision => ({ admitted: false, why });

const OWN_OVERHEAD = refused('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');

type Amounts = Readonly<Record<string, string>>;

/** Amounts are compared by value: `1Gi` equals `1024Mi`. */
function isSameOverhead(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [mine, other] = [a[name], own(b, name)];
      return mine !== undefined && other !== undefined && (mine === other || compareQuantities(quantity(mine), quantity(other)) === 0);
    })
  );
}

/** Decides about a pod; `find` returns a class by name. */
export function admitRuntimeClass(
  pod: RuntimeClassPod,
  find: (name: string) => Pick<RuntimeClass, 'overhead' | 'scheduling'> | undefined,
): RuntimeClassDecision {
  const { runtimeClassName, overhead } = pod;
  if (runtimeClassName === undefined) return overhead === undefined ? UNCHANGED : OWN_OVERHEAD;
  const found = find(runtimeClassName);
  if (found === undefined) return refused(`pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);

  const fixed = found.overhead?.podFixed;
  if (overhead !== undefined && fixed === undefined) return OWN_OVERHEAD;
  if (overhead !== undefined && fixed !== undefined && !isSameOverhead(overhead, fixed))
    return refused("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");

  const { nodeSelector = {}, tolerations } = found.scheduling ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    const given = own(pod.nodeSelector, key);
    if (given !== undefined && given !== value)
      return refused(`conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`);
  }
  return {
    admitted: true,
    changes: {
      ...(fixed === undefined ? {} : { overhead: fixed }),
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector: { ...pod.nodeSelector, ...nodeSelector } }),
      ...(tolerations === undefined ? {} : { tolerations: mergeTolerations(pod.tolerations ?? [], tolerations) }),
    },
  };
}

/** Taints and tolerations, as several plug-ins read them. Models: v1.24 k8s.io/component-helpers scheduling/corev1 helpers. */
import type { Taint, Toleration } from '../../../api/index.ts';

export type Tolerations = readonly Toleration[] | undefined;

/** Whether one toleration accepts a taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if ((toleration.effect ?? '') !== '' && toleration.effect !== taint.effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal': return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists': return true;
    default: return false;
  }
}

/** Whether any does. */
export const isTolerated = (taint: Taint, tolerations: Tolerations): boolean => tolerations?.some((toleration) => tolerates(toleration, taint)) === true;

/** The first taint of certain effects that nothing tolerates. */
export const untoleratedTaint = (taints: readonly Taint[] | undefined, tolerations: Tolerations, concerns: (taint: Taint) => boolean): Taint | undefined =>
  taints?.find((taint) => concerns(taint) && !isTolerated(taint, tolerations));

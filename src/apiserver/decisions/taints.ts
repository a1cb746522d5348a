/** Taints and tolerations; scheduling and eviction share them. Models: v1.24 k8s.io/component-helpers scheduling/corev1 helpers. */
import type { Taint } from '../kinds/index.ts';
import type { Toleration } from '../machinery/index.ts';

export type Tolerations = readonly Toleration[] | undefined;

/** Whether one toleration tolerates a taint. Empty keys and effects match any; an unknown operator matches nothing. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if ((toleration.effect ?? '') !== '' && toleration.effect !== taint.effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}

export const isTolerated = (taint: Taint, tolerations: Tolerations): boolean =>
  tolerations?.some((toleration) => tolerates(toleration, taint)) === true;

/** Returns the first taint with one of the effects that is not tolerated. */
export const untoleratedTaint = (
  taints: readonly Taint[] | undefined,
  tolerations: Tolerations,
  concerns: (taint: Taint) => boolean,
): Taint | undefined => taints?.find((taint) => concerns(taint) && !isTolerated(taint, tolerations));

/** Returns for how many milliseconds a pod may stay under NoExecute taints, by the shortest toleration; Infinity: without limit. */
export function mayStayMs(tolerations: Tolerations, taints: readonly Taint[]): number {
  let shortest = Infinity;
  for (const taint of taints) {
    const used = tolerations?.filter((toleration) => tolerates(toleration, taint)) ?? [];
    if (used.length === 0) return 0;
    for (const { tolerationSeconds } of used)
      if (tolerationSeconds !== undefined) shortest = Math.min(shortest, Math.max(0, tolerationSeconds) * 1000);
  }
  return shortest;
}

// Models: v1.24 pkg/util/tolerations.
const isSame = (a: Toleration, b: Toleration): boolean =>
  a === b ||
  (a.key === b.key &&
    a.operator === b.operator &&
    a.value === b.value &&
    a.effect === b.effect &&
    a.tolerationSeconds === b.tolerationSeconds);

export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true;
  const [key, effect] = [wide.key ?? '', wide.effect ?? ''];
  if ((narrow.key ?? '') !== key && (key !== '' || wide.operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  if (
    effect === 'NoExecute' &&
    wide.tolerationSeconds !== undefined &&
    (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds)
  )
    return false;
  if (wide.operator === 'Exists') return true;
  return (narrow.operator ?? '') === (wide.operator ?? '') && (narrow.value ?? '') === (wide.value ?? '');
}

/** Returns both lists in order, without tolerations that another one covers; of equal ones the first is kept. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [at, toleration] of all.entries()) {
    if (merged.some((other) => covers(other, toleration))) continue;
    if (all.slice(at + 1).some((other) => !isSame(other, toleration) && covers(other, toleration))) continue;
    merged.push(toleration);
  }
  return merged;
}

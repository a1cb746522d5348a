/** Merges lists of tolerations without redundant ones. Models: v1.24 pkg/util/tolerations. */
import type { Toleration } from '../machinery/index.ts';

const isSame = (a: Toleration, b: Toleration): boolean =>
  a === b ||
  (a.key === b.key &&
    a.operator === b.operator &&
    a.value === b.value &&
    a.effect === b.effect &&
    a.tolerationSeconds === b.tolerationSeconds);

/** Whether `wide` tolerates all that `narrow` tolerates. */
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

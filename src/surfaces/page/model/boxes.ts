/** Boxes on the stage, and their distances. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const PAD = 14;
export const GAP = 10;
export const LABEL = 28;
/** Below this width a stage has little space: a reason has one line. */
export const CROWDED = 760;

/** As many boxes in a row as fit, equally wide. */
export function row(count: number, inner: number, narrowest: number, widest = Infinity): { readonly each: number; readonly w: number } {
  const each = Math.max(1, Math.min(count, Math.floor((inner + GAP) / (narrowest + GAP))));
  return { each, w: Math.min(widest, (inner - (each - 1) * GAP) / each) };
}

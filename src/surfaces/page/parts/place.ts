/** Boxes as styles: everything on the stage stands by its transform, so that what moves glides. */
import type { Box } from '../model/layout.ts';

export const boxStyle = ({ x, y, w, h }: Box): Record<string, string> => ({
  transform: `translate(${Math.round(x)}px,${Math.round(y)}px)`,
  width: `${Math.round(w)}px`,
  height: `${Math.round(h)}px`,
});

/** Hues from yellow to violet: red is what failed. */
const FIRST = 45;
const HUES = 265;

/** A colour for a revision of a template: the same text has the same hue everywhere (FNV-1a: texts differ little, hues shall). */
export function hueOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return FIRST + (hash % HUES);
}

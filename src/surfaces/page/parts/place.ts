/** Boxes as styles: elements of the stage are placed by transforms, so that moves are animated. */
import type { Box } from '../model/boxes.ts';

export const boxStyle = ({ x, y, w, h }: Box): Record<string, string> => ({
  transform: `translate(${Math.round(x)}px,${Math.round(y)}px)`,
  width: `${Math.round(w)}px`,
  height: `${Math.round(h)}px`,
});

/** Hues from yellow to violet: red is reserved for failures. */
const FIRST = 45;
const HUES = 265;

/** The colour of a template revision: the same text always has the same hue. FNV-1a gives similar texts different hues. */
export function hueOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return FIRST + (hash % HUES);
}

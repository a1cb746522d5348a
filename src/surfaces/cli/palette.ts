/** The terminal's colours: none when piped or when NO_COLOR is set. */
import picocolors from 'picocolors';
import type { Palette } from '../report/text.ts';

export const palette: Palette = { good: picocolors.green, bad: picocolors.red, dim: picocolors.dim, strong: picocolors.bold };

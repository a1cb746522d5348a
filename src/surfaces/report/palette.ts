/** Colours by meaning. Output to pipes and in tests has none. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  accent(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

const same = (text: string): string => text;
export const PLAIN: Palette = { good: same, bad: same, warn: same, accent: same, dim: same, strong: same };

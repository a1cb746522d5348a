/** A cache of parsed completion indexes: a Job's next sync parses the long text that the previous one formatted. */
import { formatIndexes, parseIndexes, type Intervals } from './indexes.ts';

const MOST = 256;
const parsed = new Map<string, Intervals>();

/** The text of intervals below the number of completions. */
export function writeIndexes(intervals: Intervals): string {
  const text = formatIndexes(intervals);
  if (parsed.size >= MOST) parsed.clear();
  parsed.set(text, intervals);
  return text;
}

/** The intervals of a text, up to the number of completions. */
export function readIndexes(text: string, completions: number): Intervals {
  const known = parsed.get(text);
  if (known !== undefined && (known.at(-1)?.last ?? -1) < completions) return known;
  return parseIndexes(text, completions).intervals;
}

/** JSON whose numbers keep their text from the recording to the server: `1e3` and 2^63 must arrive as recorded. */
import { parseJson, RawNumber } from '../../../src/schema/shape/index.ts';

/** Parses a line of a recording. */
export const parseLine = (line: string): unknown => parseJson(line).value;

/** Returns a value as JSON without spaces. */
export function compactJson(value: unknown): string {
  if (value instanceof RawNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => compactJson(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${compactJson(item)}`)
    .join(',')}}`;
}

/** JSON whose numbers keep their text on the way from a recording to a server: `1e3` and 2^63 must arrive as they were sent. */
import { parseJson, RawNumber } from '../../../schema/shape/index.ts';

/** A line of a recording. */
export const parseLine = (line: string): unknown => parseJson(line).value;

/** A value as JSON without blanks. */
export function compactJson(value: unknown): string {
  if (value instanceof RawNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => compactJson(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${compactJson(item)}`)
    .join(',')}}`;
}

/** Numbers that may be written as percentages (`1`, `"25%"`). Models: v1.24 apimachinery pkg/util/intstr. */
import { bad, good, type Parsed } from './parsed.ts';
import { atoi, MAX_INT64, MIN_INT64, parseInt64 } from './go-numbers.ts';
import { quote } from './go-print.ts';
import { jsonKind, wrongJsonType } from './json-kinds.ts';

export type IntOrString = number | string;

const WHOLE = /^-?(0|[1-9][0-9]*)$/;

/** Parses raw JSON text. The spelling of a number counts (`1.0` is not an integer). */
export function intOrStringFromJson(json: string): Parsed<IntOrString> {
  if (WHOLE.test(json)) {
    const number = Number(json);
    return (number | 0) === number ? good(number | 0) : wrongJsonType(`number ${json}`, 'int32');
  }
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') return good(value);
  if (value === null) return good(0);
  return wrongJsonType(typeof value === 'number' ? `number ${json}` : jsonKind(value), 'int32');
}

/** Returns the number of a value; 0 for a string that is not a number. */
export function intValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  const parsed = atoi(value);
  if (parsed.error === undefined) return parsed.value;
  if (!parsed.error.endsWith('out of range')) return 0;
  return Number(value.startsWith('-') ? MIN_INT64 : MAX_INT64);
}

/** Parses a flag or annotation as a number or a text; numbers beyond int32 wrap as upstream's do. */
export function parseIntOrString(text: string): IntOrString {
  const value = parseInt64(text);
  return value === undefined ? text : Number(BigInt.asIntN(32, value));
}

/** Returns the number itself, or the percentage of `total`, rounded up or down. */
export function scaledIntOrPercent(value: IntOrString, total: number, roundUp: boolean): Parsed<number> {
  if (typeof value === 'number') return good(value);
  if (!value.endsWith('%')) return bad('invalid value for IntOrString: invalid type: string is not a percentage');
  return percentOf(value, value.slice(0, -1), total, roundUp);
}

/** The older rule of the StatefulSet controller of v1.24: any string counts as a percentage, wherever its `%` is. */
export function legacyIntOrPercent(value: IntOrString, total: number, roundUp: boolean): Parsed<number> {
  return typeof value === 'number' ? good(value) : percentOf(value, value.replaceAll('%', ''), total, roundUp);
}

function percentOf(whole: string, digits: string, total: number, roundUp: boolean): Parsed<number> {
  const percent = atoi(digits);
  if (percent.error !== undefined) return bad(`invalid value for IntOrString: invalid value ${quote(whole)}: ${percent.error}`);
  const share = (percent.value * total) / 100;
  return good((roundUp ? Math.ceil(share) : Math.floor(share)) + 0);
}

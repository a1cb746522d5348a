/** Numbers that may be written as percentages (`1`, `"25%"`). Models: v1.24 apimachinery pkg/util/intstr. */
import { bad, good, type Parsed } from './parsed.ts';
import { atoi } from './go-numbers.ts';
import { quote } from './go-print.ts';

export type IntOrString = number | string;

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
